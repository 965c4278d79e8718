import type { Scale } from './axis.ts';

/** Actions of keys in the table, apart from the time axis. */
interface GridActions {
  /** moves this many rows forward, or back */
  move(rows: number): void;
  /** the number of rows on a page */
  page(): number;
  first(): void;
  last(): void;
  explain(): void;
  close(): void;
}

/** Handles the table's keys; combinations with Ctrl, Alt or Meta are left to the browser. */
export function listenToKeys(grid: HTMLElement, scale: Scale, actions: GridActions): void {
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => actions.move(1),
    ArrowUp: () => actions.move(-1),
    PageDown: () => actions.move(actions.page()),
    PageUp: () => actions.move(-actions.page()),
    Home: actions.first,
    End: actions.last,
    ArrowLeft: () => scale.pan(-0.2),
    ArrowRight: () => scale.pan(0.2),
    '+': () => scale.zoom(0.5),
    '=': () => scale.zoom(0.5),
    '-': () => scale.zoom(2),
    '0': () => scale.show(0, scale.length),
    Enter: actions.explain,
    ' ': actions.explain,
    Escape: actions.close,
  };
  grid.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act || event.target !== grid || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}
