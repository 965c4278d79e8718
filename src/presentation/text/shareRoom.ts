/** A column that may become wider. */
export interface Stretching {
  width: number;
  /** of its widest cell */
  readonly widest: number;
}

/** Shares the room that is left among columns. Narrow ones get what they want first, so that most are whole. */
export function shareRoom(columns: readonly Stretching[], room: number): void {
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
