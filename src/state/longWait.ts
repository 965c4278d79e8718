/** Milliseconds after which a wait is told of. */
const TOLD_AFTER = 2000;

let tell: (line: string) => void = () => undefined;

/** From now on, waits that last are told to this function, each once. */
export function tellLongWaits(told: (line: string) => void): void {
  tell = told;
}

/** Waits for something outside of this process; if it lasts two seconds, one line says what for. */
export async function waitedFor<T>(what: string, waiting: Promise<T>): Promise<T> {
  const timer = setTimeout(() => tell(`waiting for ${what}`), TOLD_AFTER);
  try {
    return await waiting;
  } finally {
    clearTimeout(timer);
  }
}
