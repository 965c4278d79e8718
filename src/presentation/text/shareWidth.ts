/** A column that may become wider. */
export interface ShrinkableWidth {
  width: number;
  /** the width of its widest cell */
  readonly widest: number;
}

/** Divides the remaining width among columns. Narrow columns are served first, so that most cells are whole. */
export function shareWidth(columns: readonly ShrinkableWidth[], room: number): void {
  const wanting = columns
    .filter(({ width, widest }) => width < widest)
    .sort((a, b) => a.widest - a.width - (b.widest - b.width));
  let rest = Math.max(0, room);
  for (const [index, column] of wanting.entries()) {
    const share = Math.min(column.widest - column.width, Math.floor(rest / (wanting.length - index)));
    column.width += share;
    rest -= share;
  }
}
