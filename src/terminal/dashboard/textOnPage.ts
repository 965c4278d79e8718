import { troubleOf } from '../../analysis/explanation/workloadNow.ts';
import { wordsLine, type Line } from '../../presentation/text/spans.ts';
import { asBad, asFaint } from '../../presentation/words.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import { controllerBlocks } from '../../views/dashboard/controllersAtWork.ts';
import { helpBlocks, type KeysHere } from '../../views/dashboard/help.ts';
import { placeKey } from '../../views/dashboard/place.ts';
import { failoverStatusHead } from '../../views/status/statusHead.ts';
import { wrapLine } from '../../presentation/text/wrapped.ts';
import { actionRows } from './actions/actionLines.ts';
import { linesOf, type ScreenRow } from '../screen/screenLine.ts';
import { listedOn } from './items.ts';
import { keysHere } from './keysHere.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';
import { rowsForList, textRows } from './pageLayout.ts';

/** The rows of the text on the current page; undefined if it shows a list. */
export function textOnPage(state: DashboardState, view: DashboardView): readonly ScreenRow[] | undefined {
  const { place } = pageShown(state);
  const { feed, columns } = view;
  if (place.view === 'help') return linesOf(helpBlocks(keysBefore(state, view)), columns);
  if (place.view === 'failover') return failoverRows(view);
  if (place.view === 'action') return actionRows(place, view);
  if (listedOn(state, view)) return undefined;
  const answer = view.answers.get(placeKey(place));
  if (!answer) return [wordsLine(asFaint(feed.failure ?? computingText(feed)))];
  return keeping(answer, columns, () => answerLines(answer, columns));
}

/** The position of the requested line of a text, counted from 0 in wrapped lines. */
export function markedLine(answer: Answered, columns: number): number | undefined {
  if (answer.type !== 'text' || answer.at === undefined) return undefined;
  return answerLines({ ...answer, lines: answer.lines.slice(0, answer.at) }, columns).length;
}

/** The keys of the page where `?` was pressed; undefined if the help was opened directly. */
function keysBefore(state: DashboardState, view: DashboardView): KeysHere | undefined {
  const [first, ...rest] = state.trail.slice(0, -1);
  return first && keysHere({ ...state, trail: [first, ...rest] }, view);
}

function failoverRows({ feed, columns, names, now }: DashboardView): readonly Line[] {
  const { overview, source, controllers, workloads } = feed;
  if (!overview || !source) return [wordsLine(asFaint('Computing...'))];
  const shown = { wide: false, noHeaders: false, names };
  const head = keeping(overview, columns, () =>
    linesOf(
      failoverStatusHead(
        { ...source, status: { ...overview.status, trouble: troubleOf(workloads) }, now: overview.now },
        shown,
      ),
      columns,
    ),
  );
  return controllers ? [...head, [], ...linesOf(controllerBlocks(controllers, now), columns)] : head;
}

/** "Computing... simulating contingencies, 3 of 9" */
function computingText({ doing }: DashboardView['feed']): string {
  return `Computing...${doing === undefined ? '' : ` ${doing}`}`;
}

function answerLines(answer: Answered, columns: number): Line[] {
  switch (answer.type) {
    case 'blocks':
      return linesOf(answer.blocks, columns);
    case 'text':
      return answer.lines.flatMap((line) => wrapLine(wordsLine(line), columns));
    case 'failed':
      return wrapLine(wordsLine(asBad(answer.why)), columns);
    case 'choices':
    case 'outcomes':
    case 'steps':
    case 'audit':
    case 'findings':
      return [];
  }
}

/** A cache: the most recent rows of something, for one width. */
const made = new WeakMap<object, { columns: number; rows: readonly Line[] }>();

function keeping(of: object, columns: number, make: () => readonly Line[]): readonly Line[] {
  const known = made.get(of);
  if (known?.columns === columns) return known.rows;
  const rows = make();
  made.set(of, { columns, rows });
  return rows;
}

/** The lines that one screen scrolls: one line stays visible. */
export function pageLength(state: DashboardState, view: DashboardView): number {
  return Math.max(1, (listedOn(state, view) ? rowsForList(state, view) : textRows(view)) - 1);
}

/** The last line that can be the first visible one of the current page's text. */
export function rowsForText(state: DashboardState, view: DashboardView): number {
  return Math.max(0, (textOnPage(state, view)?.length ?? 0) - textRows(view));
}
