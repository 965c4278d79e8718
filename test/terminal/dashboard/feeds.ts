import { emptyFeed, type Feed, withNews } from '../../../src/analysis/overview/feed.ts';
import { asciiCharacters, unicodeCharacters } from '../../../src/terminal/screen/characters.ts';
import type { DashboardView } from '../../../src/terminal/dashboard/state.ts';
import { flagNames } from '../../../src/cli/flagNames.ts';
import { commandLineOf } from '../../../src/cli/dashboard/commandLineOf.ts';
import { feedInProcess } from '../../../src/cli/dashboard/feedInProcess.ts';
import type { DashboardFeed } from '../../../src/terminal/dashboard/answers.ts';

export interface Followed {
  feed: Feed;
  source: DashboardFeed;
}

const known = new Map<string, Promise<Followed>>();

/** A dashboard's data for a captured state once everything has been reported. */
export function feedOf(state: string): Promise<Followed> {
  let followed = known.get(state);
  if (!followed) known.set(state, (followed = follow(state)));
  return followed;
}

async function follow(state: string): Promise<Followed> {
  let feed = emptyFeed;
  const source = feedInProcess({ state: [state] });
  await source.follow((news) => (feed = withNews(feed, news, 0)));
  return { feed, source };
}

/** A view of a feed, at its own instant. */
export function viewOf(
  feed: Feed,
  size: { columns: number; rows: number },
  more: Partial<DashboardView> = {},
): DashboardView {
  return {
    feed,
    answers: new Map(),
    now: feed.overview?.now ?? 0,
    ...size,
    characters: unicodeCharacters,
    names: flagNames,
    commandLine: commandLineOf({ state: ['examples/shop'] }),
    ...more,
  };
}

export { asciiCharacters };
