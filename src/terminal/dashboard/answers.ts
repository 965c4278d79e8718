import type { Answered } from '../../views/dashboard/answered.ts';
import { placeKey, type Place } from '../../views/dashboard/place.ts';
import type { FeedNews } from '../../analysis/overview/feed.ts';
import type { PolicySource } from './editing.ts';

interface Answers {
  /** by `placeKey`; an old answer stays until the new one arrives */
  known: ReadonlyMap<string, Answered>;
  /** Requests a place if it is unknown, or if `basis` has changed since; until then `early` is the answer, if given. */
  want(place: Place, basis: object | undefined, early?: (place: Place) => Answered | undefined): void;
}

/** Places that the feed does not include. */
const ASKED: ReadonlySet<Place['view']> = new Set([
  'workload',
  'eviction',
  'evidence',
  'object',
  'tomorrow',
  'replay',
  'fate',
  'recording',
  'decisions',
  'decision',
  'policies',
  'audit',
  'findings',
  'finding',
]);

/** Whether a place must be requested. */
export function isAsked({ view }: Place): boolean {
  return ASKED.has(view);
}

const MAX_KEPT = 50;

/** Keeps answers, and asks again when their basis changes; one question at a time per place. */
export function createAnswers(
  ask: (place: Place) => Promise<Answered>,
  arrived: (place: Place, answer: Answered) => void,
): Answers {
  const known = new Map<string, Answered>();
  const bases = new Map<string, object>();
  const asked = new Set<string>();
  return {
    known,
    want(place, basis, early) {
      if (!isAsked(place) || !basis) return;
      const key = placeKey(place);
      const first = known.has(key) ? undefined : early?.(place);
      if (first) known.set(key, first);
      if (asked.has(key) || bases.get(key) === basis) return;
      asked.add(key);
      bases.set(key, basis);
      void ask(place)
        .catch((error: unknown): Answered => ({
          type: 'failed',
          why: error instanceof Error ? error.message : String(error),
        }))
        .then((answer) => {
          asked.delete(key);
          known.delete(key);
          known.set(key, answer);
          const [oldest] = known.keys();
          if (oldest !== undefined && known.size > MAX_KEPT) forget(oldest);
          arrived(place, answer);
        });
    },
  };

  function forget(key: string): void {
    known.delete(key);
    bases.delete(key);
  }
}

/** The source of a dashboard's data, and of policies to edit. */
export interface DashboardFeed extends PolicySource {
  /**
   * reports the current state and its changes; resolves when no more changes are possible, rejects if the state cannot
   * be read
   */
  follow(notify: (news: FeedNews) => void): Promise<void>;
  /** the content of a place other than a list */
  ask(place: Place): Promise<Answered>;
  /** stops following */
  close(): void;
}
