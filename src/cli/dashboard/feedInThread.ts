import { Worker } from 'node:worker_threads';
import type { DashboardFeed } from '../../terminal/dashboard/answers.ts';
import type { FeedFlags } from './feedInProcess.ts';
import type { FeedSettings, FromFeed, ToFeed } from './feedWorker.ts';
import { linesOf } from './linesOf.ts';
import type { InitialWhatIf } from './simulated.ts';

/**
 * Follows a state in another thread, so that reading, watching and simulating never delay a key.
 * @param file the built script that calls `serveFeed`
 */
export function feedInThread(
  flags: FeedFlags,
  beginning: InitialWhatIf | undefined,
  file: string,
): DashboardFeed {
  let worker: Worker | undefined;
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let last = 0;
  function request<Answer>(asked: Omit<ToFeed, 'id'>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!worker) return reject(new Error('Nothing has been read yet.'));
      const id = ++last;
      waiting.set(id, { resolve: (answer) => resolve(answer as Answer), reject });
      worker.postMessage({ id, ...asked });
    });
  }
  return {
    follow(notify) {
      return new Promise<void>((resolve, reject) => {
        const started = new Worker(file, {
          workerData: { flags: { ...flags }, beginning } satisfies FeedSettings,
          stderr: process.stderr.isTTY,
        });
        worker = started;
        // stderr would overwrite the screen on the same terminal
        if (process.stderr.isTTY) linesOf(started.stderr, (text) => notify({ type: 'warning', text }));
        started.on('message', (message: FromFeed) => {
          if (message.type === 'news') notify(message.news);
          else if (message.type === 'over') resolve();
          else if (message.type === 'failure') reject(asError(message));
          else {
            const asked = waiting.get(message.id);
            waiting.delete(message.id);
            if (message.type === 'answer') asked?.resolve(message.answer);
            else asked?.reject(new Error(message.why));
          }
        });
        started.on('error', reject);
        started.on('exit', () => reject(new Error('the thread for reading the state ended')));
        started.unref();
      });
    },
    close: () => void worker?.terminate(),
    ask: (...given) => request({ method: 'ask', given }),
    editable: (...given) => request({ method: 'editable', given }),
    judge: (...given) => request({ method: 'judge', given }),
  };
}

function asError({ message, exitCode, stack }: Extract<FromFeed, { type: 'failure' }>): Error {
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return exitCode === undefined ? error : Object.assign(error, { exitCode });
}
