import type { FeedNews } from '../../engine/overview/feed.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import type { Place } from '../../views/dashboard/place.ts';

/** Where a dashboard gets what it shows. */
export interface DashboardFeed {
  /** tells what there is and what changes; resolves if nothing more can change, rejects if it cannot be read */
  follow(tell: (news: FeedNews) => void): Promise<void>;
  /** what there is to see at a place that is no list */
  ask(place: Place): Promise<Answered>;
  /** follows no longer */
  close(): void;
}
