// Elements. Text is always text: nothing that others wrote can become part of the page.

export type Child = Node | string | number | null | undefined | false | Child[];
export type Attributes = Record<string, string | number | boolean | null | undefined>;

function append(parent: Node, child: Child): void {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) for (const each of child) append(parent, each);
  else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

// Attributes that are false, null or undefined are left out; true is an attribute without a value.
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : String(value));
  append(element, children);
  return element;
}

export const folded = (summary: Child, attributes: Attributes, ...children: Child[]) =>
  h("details", attributes, h("summary", {}, summary), children);
