import type { Feed } from '../../../src/analysis/overview/feed.ts';
import { lineText } from '../../../src/presentation/text/renderText.ts';
import { plainStyle } from '../../../src/presentation/text/style.ts';
import { isAsked, type DashboardFeed } from '../../../src/terminal/dashboard/answers.ts';
import { reduce } from '../../../src/terminal/dashboard/reduce.ts';
import {
  firstState,
  pageShown,
  type DashboardState,
  type DashboardView,
  type Effect,
} from '../../../src/terminal/dashboard/state.ts';
import { keysIn } from '../../../src/terminal/screen/keys.ts';
import type { Answered } from '../../../src/views/dashboard/answered.ts';
import { placeKey } from '../../../src/views/dashboard/place.ts';
import { viewOf } from './feeds.ts';
import { screenOf } from './screenOf.tsx';

/** The result of keys. */
interface Typed {
  state: DashboardState;
  view: DashboardView;
  effects: Effect[];
  answers: ReadonlyMap<string, Answered>;
}

/** The dashboard after keys; required answers are loaded in between. */
export async function typedKeys(
  { feed, source }: { feed: Feed; source: Pick<DashboardFeed, 'ask'> },
  keys: string,
  size: { columns: number; rows: number },
): Promise<Typed> {
  const answers = new Map<string, Answered>();
  const view = viewOf(feed, size, { answers });
  const effects: Effect[] = [];
  let state = firstState();
  for (const key of keysIn(keys, true).keys) {
    const reduced = reduce(state, key, view);
    ({ state } = reduced);
    if (reduced.effect) effects.push(reduced.effect);
    const { place } = pageShown(state);
    if (isAsked(place) && !answers.has(placeKey(place)))
      answers.set(placeKey(place), await source.ask(place));
  }
  return { state, view, effects, answers };
}

/** The lines of a screen, without colours. */
export function screenLines(state: DashboardState, view: DashboardView): string[] {
  return screenOf(state, view).map(({ line }) => lineText(line, plainStyle).trimEnd());
}
