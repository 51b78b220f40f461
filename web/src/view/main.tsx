// The viewer: a recording of issue slots, played.
import { render } from "preact";

render(<p>Nothing to show yet.</p>, document.body);
