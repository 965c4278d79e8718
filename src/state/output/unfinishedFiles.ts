import { rmSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Removes a file if the process ends, by itself or by a signal, before the returned function is called. If another
 * listener handles a signal, the rest is left to it.
 */
export function whileUnfinished(file: string): () => void {
  const remove = () => rmSync(file, { force: true });
  const removeUnfinished = (signal: NodeJS.Signals) => {
    // another listener keeps the process running, or ends it, and then the file is removed as well
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
