// The frame of a page: title, contents, sections.
import { type Child, h } from "./dom.ts";

export class Page {
  private readonly contents = h("ul");
  private readonly main = h("main");

  heading(id: string, text: string): void {
    this.contents.append(h("li", {}, h("a", { href: `#${id}` }, text)));
    this.main.append(h("h2", { id }, text));
  }

  add(...content: Child[]): void {
    this.main.append(...h("div", {}, content).childNodes);
  }

  // `command` is what makes the page again.
  show(command: string): void {
    document.body.prepend(
      h("header", {},
        h("h1", {}, "Which threads issue together?"),
        h("p", { class: "soft" }, "Made by ", h("code", {}, command)),
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
