// Tables are sorted by a click on a heading: the largest first, the smallest first, as it was.

type Order = "descending" | "ascending" | "none";
const after: Record<Order, Order> = { none: "descending", descending: "ascending", ascending: "none" };

// By the number a cell carries or begins with; text otherwise. What is missing comes last.
function valueOf(row: HTMLTableRowElement, column: number): number | string | null {
  const cell = row.cells[column], text = cell?.textContent?.trim() ?? "";
  if (!cell || cell.classList.contains("none") || text === "") return null;
  const value = Number(cell.dataset.value ?? /^[+-]?[0-9.,]+/.exec(text)?.[0].replaceAll(",", "") ?? NaN);
  return Number.isNaN(value) ? text : value;
}

export function compared(a: number | string | null, b: number | string | null): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return typeof a === "number" && typeof b === "number" ? b - a : String(a).localeCompare(String(b));
}

export function sortable(table: HTMLTableElement): HTMLTableElement {
  const [body] = table.tBodies, given = [...body.rows], headings = [...(table.tHead?.rows[0].cells ?? [])];
  const sortBy = (column: number, order: Order) => {
    const signed = order === "ascending" ? -1 : 1, rows = [...given];
    if (order !== "none")
      rows.sort((a, b) => {
        const [x, y] = [valueOf(a, column), valueOf(b, column)];
        return x === null || y === null ? compared(x, y) : signed * compared(x, y);
      });
    body.append(...rows);
    headings.forEach((heading, i) => heading.setAttribute("aria-sort", i === column ? order : "none"));
  };
  headings.forEach((heading, column) => {
    const press = () => sortBy(column, after[(heading.getAttribute("aria-sort") as Order | null) ?? "none"]);
    heading.tabIndex = 0;
    heading.title = "sort by this";
    heading.classList.add("sorts");
    heading.addEventListener("click", press);
    heading.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), press()));
  });
  return table;
}
