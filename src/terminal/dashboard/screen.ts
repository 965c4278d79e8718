import type { Words } from '../../presentation/model.ts';
import { concatenated, lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';
import { bad, faint, good, joined, strong, warn } from '../../presentation/words.ts';
import { freshnessWords, matterWords, sourceWords } from '../../views/dashboard/headline.ts';
import type { Replayed, ReplayedStep } from '../../views/dashboard/replayed.ts';
import { offsetText } from '../../views/words/timelineEvent.ts';
import { barLine } from '../screen/bar.ts';
import { plural } from '../../views/words/amounts.ts';
import { isList } from '../../views/dashboard/lists.ts';
import { isReplay, JUMPS, placeKey, placeName } from '../../views/dashboard/place.ts';
import { actionHints, atWorkWords, confirmationLine } from './actions/actionLines.ts';
import { targetOn } from './actions/targetOn.ts';
import { isNothing, whatIfText } from '../../views/dashboard/whatIf.ts';
import { commandLineShown } from './commandShown.ts';
import { framed } from '../screen/framed.ts';
import { keyHints } from '../screen/keyHints.ts';
import { chosenAt } from '../screen/listed.ts';
import { listCount, listLines } from '../screen/listLines.ts';
import { spread, type ScreenLine } from '../screen/screenLine.ts';
import { filterInput, inputLine } from '../screen/typedText.ts';
import { opensHere } from './keysHere.ts';
import { glanceLines, hasGlance } from './glance.ts';
import { contextOf, listedOn, noneWords, type Listed } from './items.ts';
import { listRoom, rowsBelow, textRows } from './room.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';
import { markedLine, textLines } from './textLines.ts';

/** The screen of a dashboard: exactly as many lines as it has rows, none of them too wide. */
export function screenOf(state: DashboardState, view: DashboardView): ScreenLine[] {
  return framed(view, () => ({
    above: [titleLine(view), matterLine(state, view), pathLine(state, view)],
    body: bodyLines(state, view),
    below: [commandLine(state, view), lastLine(state, view)],
  }));
}

function titleLine({ feed, now, columns }: DashboardView): Line {
  return spread(sourceWords(feed), freshnessWords(feed, now), columns);
}

/** What matters now: in a replay, its time; what is marked to happen. */
function matterLine(state: DashboardState, view: DashboardView): Line {
  const { feed, characters, columns } = view;
  const slider = sliderLine(state, view);
  if (slider) return slider;
  const between = ` ${characters.dot} `;
  const { marks } = state;
  const marked = isNothing(marks) ? '' : warn(`w: if ${whatIfText(marks, 2)}`);
  const mostRight = Math.floor(columns / 2);
  const room = columns - (marked === '' ? 0 : Math.min(mostRight, lineWidth(wordsLine(marked))) + 2);
  const words = (brief: boolean) => [atWorkWords(view, between), matterWords(feed, view.now, between, brief)];
  const whole = words(false);
  const shown = lineWidth(wordsLine(whole)) <= room ? whole : words(true);
  return marked === '' ? wordsLine(shown) : spread(shown, marked, columns, mostRight);
}

/** "T+1m30s ████░░░░ 10m, 16 times as fast": where a replay is. */
function sliderLine(state: DashboardState, view: DashboardView): Line | undefined {
  const page = pageShown(state);
  const answer = view.answers.get(placeKey(page.place));
  const shown = listedOn(state, view);
  if (answer?.type !== 'steps' || !shown || shown.items.length === 0) return undefined;
  const { start, end, gaps } = answer;
  const step = shown.items[chosenAt(shown, page)] as ReplayedStep;
  const at = Math.min(end, state.playing?.at ?? step.time);
  const left = wordsLine(strong(offsetText(at, start).padEnd(SLIDER_TIME)));
  const speed = state.playing ? `${state.playing.speed} times as fast` : 'paused';
  const isHeard = !gaps.some(({ from, to = Infinity }) => from <= at && at < to);
  const right = wordsLine([
    ` ${offsetText(end, start)}   `,
    isHeard ? '' : bad('nothing heard   '),
    state.playing ? good(speed) : faint(speed),
  ]);
  const room = Math.max(0, Math.min(MOST_SLIDER, view.columns - lineWidth(left) - lineWidth(right) - 1));
  const bar = barLine({
    done: at - start,
    underWay: 0,
    total: Math.max(1, end - start),
    columns: room,
    characters: view.characters.bar,
  });
  return concatenated(left, withGaps(bar, answer, room), right);
}

/** Blanks in a bar along the time where nothing was heard. */
function withGaps(bar: Line, { start, end, gaps }: Replayed, columns: number): Line {
  if (gaps.length === 0 || columns === 0) return bar;
  const cell = (time: number) => Math.floor(((time - start) / Math.max(1, end - start)) * columns);
  const isGap = (column: number) =>
    gaps.some(({ from, to = end }) => cell(from) <= column && column <= Math.max(cell(from), cell(to) - 1));
  let column = 0;
  return bar.map((span) => {
    const { tone, text } = typeof span === 'string' ? { tone: undefined, text: span } : span;
    const shown = [...text].map((character) => (isGap(column++) ? ' ' : character)).join('');
    return tone === undefined ? shown : { tone, text: shown };
  });
}

const SLIDER_TIME = 9;
const MOST_SLIDER = 80;

/** "clusters › workloads of frankfurt   3 of 12, filter /cart, namespace shop" */
function pathLine(state: DashboardState, view: DashboardView): Line {
  const { characters, columns } = view;
  const names = state.trail.map(({ place }) => placeName(place));
  const path: Words = [
    ...(names.length > 1
      ? [faint(`${names.slice(0, -1).join(` ${characters.path} `)} ${characters.path} `)]
      : []),
    strong(names.at(-1)!),
  ];
  const page = pageShown(state);
  const listed = listedOn(state, view);
  const filter = page.filter === '' ? '' : warn(`/${page.filter}`);
  const isNarrowed = listed?.list.namespace !== undefined || hasGlance(state);
  const namespace = state.namespace === undefined || !isNarrowed ? '' : warn(`namespace ${state.namespace}`);
  return spread(path, joined([countWords(state, view, listed), namespace, filter], '  '), columns);
}

/** "3/12": the chosen item and their number; for a text, the visible part. */
function countWords(state: DashboardState, view: DashboardView, listed: Listed | undefined): Words {
  if (listed) return listCount(listed, pageShown(state));
  const lines = textLines(state, view) ?? [];
  const rows = textRows(view);
  if (lines.length <= rows) return '';
  const top = topOf(state, view, lines.length);
  return faint(`lines ${top + 1}–${Math.min(lines.length, top + rows)} of ${lines.length}`);
}

function bodyLines(state: DashboardState, view: DashboardView): ScreenLine[] {
  const listed = listedOn(state, view);
  if (listed) return linesOfList(state, view, listed);
  const lines = textLines(state, view) ?? [];
  const rows = textRows(view);
  const top = topOf(state, view, lines.length);
  const answer = view.answers.get(placeKey(pageShown(state).place));
  const marked = answer && markedLine(answer, view.columns);
  return lines.slice(top, top + rows).map((line, index) => ({ line, chosen: top + index === marked }));
}

/** Whether a text goes on below the screen. */
function isMore(state: DashboardState, view: DashboardView): boolean {
  const { length } = textLines(state, view) ?? [];
  return topOf(state, view, length) + textRows(view) < length;
}

/** The first visible line of a text. */
function topOf(state: DashboardState, view: DashboardView, count: number): number {
  const rows = textRows(view);
  return Math.max(0, Math.min(pageShown(state).line, count - rows));
}

function linesOfList(state: DashboardState, view: DashboardView, listed: Listed): ScreenLine[] {
  const { columns, characters, feed } = view;
  if (listed.items.length === 0)
    return [{ line: [] }, { line: wordsLine(faint(noneText(state, listed, feed.overview !== undefined))) }];
  const lines = listLines({
    ...{ listed, columns, characters },
    page: pageShown(state),
    context: contextOf(state, view),
    basis: feed,
    room: listRoom(state, view),
  });
  return [...lines, ...glanceLines(state, view, rowsBelow(lines.length, view))];
}

function noneText(state: DashboardState, { list, all }: Listed, known: boolean): string {
  if (all.length > 0) return `None of ${plural(all.length, list.one)} fits; Esc gives up the filter.`;
  if (!known && list.one !== 'line') return 'Reading...';
  return noneWords(list, state, 'N shows all');
}

function commandLine(state: DashboardState, view: DashboardView): Line {
  const line = commandLineShown(state, view);
  return wordsLine(line === undefined ? '' : faint(`$ ${line}`));
}

/** The last line: what is typed, a note, or the keys. */
function lastLine(state: DashboardState, view: DashboardView): Line {
  const { input, note } = state;
  if (input?.purpose === 'confirm') return confirmationLine(pageShown(state).place, input.text, view);
  if (input) return typedLine(state, view);
  if (note !== undefined) return wordsLine(warn(note));
  const listed = listedOn(state, view);
  const { place } = pageShown(state);
  const ofAction = actionHints(state, view);
  const own = ofAction
    ? ofAction
    : listed
      ? isReplay(place)
        ? ['Space play', '+ faster', '- slower', '> eviction', 'Enter why', 'Esc back']
        : [
            ...(opensHere(state, view) ? ['Enter open'] : []),
            'Esc back',
            '/ filter',
            ...(isList(place) && view.feed.source?.recorded && isNothing(state.marks) ? ['r replay'] : []),
            ...(place.view === 'clusters'
              ? ['m mark', 't taint', 'w what-if']
              : place.view === 'tomorrow'
                ? ['r replay']
                : []),
            ...(listed.list.object ? ['y YAML'] : []),
            ...(place.view === 'commands' ? ['x copy'] : []),
            ...(view.actions && targetOn(state, view) ? ['a act'] : []),
          ]
      : ['PgDn more', 'Esc back', ...('key' in place ? [...OPENS[place.view], 'y YAML'] : [])];
  const shown = listed || isMore(state, view) ? own : own.filter((key) => key !== 'PgDn more');
  return keyHints(
    [...shown, ': view', ...(listed?.list.namespace ? ['n namespace'] : []), '? keys', 'q quit'],
    view.columns,
  );
}

/** What Enter does on a page of text. */
const OPENS = {
  workload: ['Enter evidence'],
  evidence: ['Enter object'],
  eviction: ['Enter explanation'],
  fate: [],
};

function typedLine(state: DashboardState, view: DashboardView): Line {
  const { columns, characters } = view;
  const { purpose, text, problem } = state.input!;
  if (purpose === 'filter') {
    const noList = listedOn(state, view) ? undefined : 'only lists are filtered';
    return filterInput(text, characters, columns, noList);
  }
  const views = JUMPS.map(([name]) => name).filter((name) => name.startsWith(text));
  const hint = purpose === 'jump' ? views.join(' ') : HINTS[purpose];
  return inputLine(PROMPTS[purpose], text, { hint, problem }, characters, columns);
}

const PROMPTS = {
  jump: ':',
  namespace: 'namespace: ',
  taint: 'taint: ',
  file: 'apply the taint policies of the file: ',
  confirm: '',
};
const HINTS = {
  namespace: 'Tab completes; empty: all',
  taint: 'KEY[=VALUE]:NoSchedule|NoExecute|PreferNoExecute; a - at the end takes it away',
  file: 'Enter shows its plan',
  confirm: '',
};
