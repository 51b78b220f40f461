// The keys, over everything else.
import { useEffect, useRef } from "preact/hooks";
import { keyRows } from "./keys.ts";

export function Help({ close }: { close: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog class="help" ref={box} onClose={close} onClick={(event) => event.target === box.current && box.current?.close()}>
      <h2>Keys</h2>
      <dl>
        {keyRows.map((row) => <div><dt><kbd>{row.shown}</kbd></dt><dd>{row.help}</dd></div>)}
      </dl>
      <p class="soft">Click into a strip or drag over the line above it to go anywhere. The address of this page always names the moment shown: copy it to send it.</p>
      <form method="dialog"><button>Close</button></form>
    </dialog>
  );
}
