/** Milliseconds after which a wait is reported. */
const REPORTED_AFTER = 2000;

let report: (line: string) => void = () => undefined;

/** From now on, waits that last are reported to this function, each once. */
export function onLongWaits(listener: (line: string) => void): void {
  report = listener;
}

/** Waits for something outside of this process; if it lasts two seconds, one line says what for. */
export async function waitedFor<T>(what: string, waiting: Promise<T>): Promise<T> {
  const timer = setTimeout(() => report(`waiting for ${what}`), REPORTED_AFTER);
  try {
    return await waiting;
  } finally {
    clearTimeout(timer);
  }
}
