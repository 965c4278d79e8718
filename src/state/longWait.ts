/** Milliseconds after which a wait is reported. */
const REPORTED_AFTER = 2000;

let report: (line: string) => void = () => undefined;

/** Sets the function to which long waits are reported, each once. */
export function setLongWaitListener(listener: (line: string) => void): void {
  report = listener;
}

/** Waits for something outside this process; after two seconds, reports in one line what it waits for. */
export async function reportLongWait<T>(what: string, waiting: Promise<T>): Promise<T> {
  const timer = setTimeout(() => report(`waiting for ${what}`), REPORTED_AFTER);
  try {
    return await waiting;
  } finally {
    clearTimeout(timer);
  }
}
