import { createInterface } from 'node:readline';
import { emptyFeed, withNews } from '../../analysis/overview/feed.ts';
import { placeKey } from '../../views/dashboard/place.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import { isAsked } from './answers.ts';
import { obeyed } from './plainLine.ts';
import { PLAIN_HELP, plainPage } from './plainPage.ts';
import type { DashboardFeed } from './dashboardFeed.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';

export interface PlainOptions extends Pick<DashboardView, 'characters' | 'names' | 'commandLine'> {
  stdin: NodeJS.ReadStream;
  write(text: string): Promise<void>;
  feed: DashboardFeed;
  first: DashboardState;
  /** columns that texts are wrapped at */
  columns: number;
}

/**
 * A dashboard without a screen: reads lines and answers each with a page of text, until `q` or the end of the input. Resolves with the exit
 * code; rejects if the state cannot be read.
 */
export async function runPlain(options: PlainOptions): Promise<number> {
  const { stdin, write, feed: source, first, columns, characters, names, commandLine } = options;
  let feed = emptyFeed;
  let looked: () => void = () => undefined;
  const overview = new Promise<void>((resolve) => (looked = resolve));
  const following = source.follow((news) => {
    feed = withNews(feed, news, Date.now());
    // the first page of a captured state waits for what soon follows the overview
    if (news.type === 'overview' && feed.source?.live) looked();
  });
  await Promise.race([overview, following]);
  let failure: { error: unknown } | undefined;
  following.catch((error: unknown) => (failure = { error }));

  const answers = new Map<string, Answered>();
  const view = (): DashboardView => {
    const live = feed.source?.live ? Date.now() - feed.cameAt : 0;
    const now = (feed.overview?.now ?? 0) + live;
    return { feed, answers, now, columns, rows: 24, characters, names, commandLine };
  };
  let state = first;
  async function page(): Promise<void> {
    const { place } = pageShown(state);
    if (isAsked(place))
      answers.set(
        placeKey(place),
        await source.ask(place).catch((error: unknown): Answered => ({ type: 'failed', why: String(error) })),
      );
    await write(`${plainPage(state, view()).join('\n')}\n`);
  }

  await page();
  if (stdin.isTTY) await write(`\n${PLAIN_HELP.join('\n')}\n`);
  const lines = createInterface({ input: stdin, terminal: false });
  for await (const line of lines) {
    if (failure) throw failure.error;
    const next = obeyed(state, line, view());
    if (!next) break;
    state = next.state;
    await write('\n');
    if (next.help) await write(`${next.help.join('\n')}\n`);
    else await page();
    const { note: _said, ...rest } = state;
    state = rest;
  }
  lines.close();
  source.close();
  return 0;
}
