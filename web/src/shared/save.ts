// What a reader takes along: text to the clipboard, a file to the disk. Both work from a file without a network.
import { h } from "./dom.ts";

function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const made = h("button", { type: "button", class: "tool", title }, label);
  made.addEventListener("click", act);
  return made;
}

// Where the clipboard may not be written to directly: by a selection.
function copySelected(text: string): void {
  const place = h("textarea", { style: "position: fixed; opacity: 0" });
  place.value = text;
  document.body.append(place);
  place.select();
  document.execCommand("copy");
  place.remove();
}

export function copyButton(text: () => string, what: string): HTMLButtonElement {
  const made = button("copy", `copy ${what}`, () => {
    const said = () => {
      made.textContent = "copied";
      setTimeout(() => (made.textContent = "copy"), 1500);
    };
    if (!navigator.clipboard) return copySelected(text()), said();
    navigator.clipboard.writeText(text()).catch(() => copySelected(text())).then(said);
  });
  return made;
}

// The command that makes something again.
export const command = (text: string) =>
  h("p", { class: "command" }, "Again: ", h("code", {}, text), " ", copyButton(() => text, "this command"));

export const saveButton = (label: string, name: string, type: string, content: () => string) =>
  button(label, `save as ${name}`, () => {
    const address = URL.createObjectURL(new Blob([content()], { type }));
    const link = h("a", { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });

// A row of a table of commas: what has one in it stands in quotes.
export const csvRow = (cells: (string | number)[]) =>
  cells.map((cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell))).join(",");
