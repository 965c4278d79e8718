/** The stretch of time that is shown, in milliseconds since the start. */
export interface Scale {
  readonly length: number;
  from(): number;
  to(): number;
  /** the position of a time on a width of so many pixels */
  place(time: number, width: number): number;
  show(from: number, to: number): void;
  /** Shows `factor` times as much time; `around` stays where it is. */
  zoom(factor: number, around?: number): void;
  /** Moves by a share of what is shown. */
  pan(share: number): void;
  onChange(listener: () => void): void;
}

/** The least time that is shown. */
const LEAST = 100;

/** A scale that shows the whole time: `length` in milliseconds. */
export function createScale(length: number): Scale {
  const whole = Math.max(length, 1);
  let [from, to] = [0, whole];
  const listeners: (() => void)[] = [];
  function show(a: number, b: number): void {
    const shown = Math.min(Math.max(b - a, Math.min(LEAST, whole)), whole);
    from = Math.min(Math.max(a, 0), whole - shown);
    to = from + shown;
    for (const listener of listeners) listener();
  }
  return {
    length: whole,
    from: () => from,
    to: () => to,
    place: (time, width) => ((time - from) / (to - from)) * width,
    show,
    zoom(factor, around = (from + to) / 2) {
      show(around - (around - from) * factor, around + (to - around) * factor);
    },
    pan: (share) => show(from + share * (to - from), to + share * (to - from)),
    onChange: (listener) => void listeners.push(listener),
  };
}
