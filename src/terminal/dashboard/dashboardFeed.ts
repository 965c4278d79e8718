import type { FeedNews } from '../../analysis/overview/feed.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import type { PolicySource } from './editing.ts';
import type { Place } from '../../views/dashboard/place.ts';

/** The source of what a dashboard shows, and of policies to edit. */
export interface DashboardFeed extends PolicySource {
  /** passes on the present state and its changes; resolves if nothing more can change, rejects if it cannot be read */
  follow(tell: (news: FeedNews) => void): Promise<void>;
  /** what a place that is no list shows */
  ask(place: Place): Promise<Answered>;
  /** stops following */
  close(): void;
}
