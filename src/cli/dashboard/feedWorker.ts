import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { FeedNews } from '../../analysis/overview/feed.ts';
import type { DashboardFeed } from '../../terminal/dashboard/answers.ts';
import { isExpected } from '../errors.ts';
import { feedInProcess, type FeedFlags } from './feedInProcess.ts';
import type { InitialWhatIf } from './simulated.ts';

/** A message from the thread that follows a state. */
export type FromFeed =
  | { type: 'news'; news: FeedNews }
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'refusal'; id: number; why: string }
  | { type: 'over' }
  | { type: 'failure'; message: string; exitCode?: number | undefined; stack?: string | undefined };

/** The initial data of that thread. */
export interface FeedSettings {
  flags: FeedFlags;
  beginning: InitialWhatIf | undefined;
}

/** A message to that thread: a method of the feed, and its arguments. */
export type ToFeed = { id: number } & {
  [Name in Asked]: { method: Name; given: Parameters<DashboardFeed[Name]> };
}[Asked];

type Asked = 'ask' | 'editable' | 'judge';

/** Runs in its own thread: follows the state that the flags name, and answers questions about it. */
export function serveFeed(): void {
  if (isMainThread || !parentPort) throw new Error('this runs in a thread of its own');
  const port = parentPort;
  const say = (message: FromFeed) => port.postMessage(message);
  const { flags, beginning } = workerData as FeedSettings;
  const feed = feedInProcess(flags, beginning);
  port.on('message', ({ id, ...asked }: ToFeed) => {
    void answered(feed, asked as ToFeed).then(
      (answer) => say({ type: 'answer', id, answer }),
      (error: unknown) => say({ type: 'refusal', id, why: messageOf(error) }),
    );
  });
  void feed
    .follow((news) => say({ type: 'news', news }))
    .then(
      () => say({ type: 'over' }),
      (error: unknown) =>
        say({
          type: 'failure',
          message: messageOf(error),
          ...(isExpected(error) && { exitCode: error.exitCode }),
          ...(error instanceof Error && { stack: error.stack }),
        }),
    );
}

async function answered(feed: DashboardFeed, asked: ToFeed): Promise<unknown> {
  switch (asked.method) {
    case 'ask':
      return feed.ask(...asked.given);
    case 'editable':
      return feed.editable(...asked.given);
    case 'judge':
      return feed.judge(...asked.given);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
