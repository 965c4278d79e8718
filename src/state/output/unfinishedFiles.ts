import { rmSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Removes a file if the process ends before the function given back is called, by itself or by a signal. A signal that something else
 * listens to is left to it.
 */
export function whileUnfinished(file: string): () => void {
  const remove = () => rmSync(file, { force: true });
  const removeUnfinished = (signal: NodeJS.Signals) => {
    // another listener lets the process go on, or ends it, which removes the file too
    if (process.listeners(signal).some(({ name }) => name !== removeUnfinished.name)) return;
    remove();
    process.off(signal, removeUnfinished);
    process.kill(process.pid, signal);
  };
  process.on('exit', remove);
  for (const signal of SIGNALS) process.on(signal, removeUnfinished);
  return () => {
    process.off('exit', remove);
    for (const signal of SIGNALS) process.off(signal, removeUnfinished);
  };
}
