// The viewer over the recordings that heddle has put into this page.
import { render } from "preact";
import { h } from "../shared/dom.ts";
import { App } from "./app.tsx";
import { readView } from "./data.ts";
import { Library } from "./player.ts";

try {
  const data = document.getElementById("data");
  const library = new Library(readView(data?.textContent ?? ""));
  data?.replaceChildren(); // it is large, and has been read
  const root = document.body.appendChild(h("div", { id: "view" }));
  render(<App library={library} />, root);
} catch (error) {
  document.body.prepend(h("p", { class: "notice" }, `The recording in this page cannot be shown: ${error}`));
  throw error;
} finally {
  document.documentElement.dataset.ready = "";
}
