// The frame of a page: title, contents, sections.
import { type Child, h } from "./dom.ts";
import { copyButton } from "./save.ts";

export class Page {
  private readonly contents = h("ul");
  private readonly main = h("main");

  private title = "Which threads issue together?";
  private sentence = "";

  // What the page has to say, first of all. Who comes first has said it: false for all others.
  answer(title: string, sentence: string): boolean {
    if (this.sentence !== "") return false;
    this.title = title;
    this.sentence = sentence;
    return true;
  }

  heading(id: string, text: string): void {
    this.contents.append(h("li", {}, h("a", { href: `#${id}` }, text)));
    this.main.append(h("h2", { id }, text));
  }

  add(...content: Child[]): void {
    this.main.append(...h("div", {}, content).childNodes);
  }

  // `command` is what makes the page again.
  show(command: string): void {
    document.title = `${this.title} · Heddle`;
    document.body.prepend(
      h("header", {},
        h("h1", {}, this.title),
        this.sentence !== "" && h("p", { class: "answer" }, this.sentence),
        h("p", { class: "soft made" }, "Made by ", h("code", {}, command), " ", copyButton(() => command, "this command")),
        h("nav", { "aria-label": "contents" }, this.contents)),
      this.main);
  }
}

// On paper nobody can hover: the tables are opened.
export function openTablesOnPaper(): void {
  const opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>("figure details:not([open])")) {
      details.open = true;
      opened.push(details);
    }
  });
  addEventListener("afterprint", () => {
    for (const details of opened.splice(0)) details.open = false;
  });
}
