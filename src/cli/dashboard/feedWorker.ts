import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { FeedNews } from '../../engine/overview/feed.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import type { Place } from '../../views/dashboard/place.ts';
import { isExpected } from '../errors.ts';
import type { StateFlags } from '../stateRequest.ts';
import { feedHere } from './feedHere.ts';
import type { GivenScenario } from './simulated.ts';

/** What the thread that follows a state sends. */
export type FromFeed =
  | { type: 'news'; news: FeedNews }
  | { type: 'answer'; id: number; answer: Answered }
  | { type: 'over' }
  | { type: 'failure'; message: string; exitCode?: number | undefined; stack?: string | undefined };

/** What it begins with. */
export interface FeedSettings {
  flags: StateFlags;
  given: GivenScenario | undefined;
}

/** What is sent to it. */
export interface ToFeed {
  id: number;
  place: Place;
}

/** In a thread of its own: follows the state that its flags name, and answers questions about it. */
export function serveFeed(): void {
  if (isMainThread || !parentPort) throw new Error('this runs in a thread of its own');
  const port = parentPort;
  const say = (message: FromFeed) => port.postMessage(message);
  const { flags, given } = workerData as FeedSettings;
  const feed = feedHere(flags, given);
  port.on('message', ({ id, place }: ToFeed) => {
    void feed
      .ask(place)
      .catch((error: unknown): Answered => ({ type: 'failed', why: messageOf(error) }))
      .then((answer) => say({ type: 'answer', id, answer }));
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
