import { Box } from 'ink';
import type { Words } from '../../presentation/model.ts';
import { concatenated, lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';
import { asBad, asFaint, asGood, joined, asStrong, asWarning } from '../../presentation/words.ts';
import { freshnessWords, conditionWords, sourceWords } from '../../views/dashboard/headline.ts';
import type { Replayed, ReplayedStep } from '../../views/dashboard/answered.ts';
import { offsetText } from '../../views/words/timelineEvent.ts';
import { barLine } from '../screen/characters.ts';
import { plural } from '../../views/words/amounts.ts';
import { isList } from '../../views/dashboard/lists.ts';
import { outcomeTotals } from '../../views/dashboard/lists/outcomes.ts';
import { isReplay, VIEW_DESCRIPTIONS, placeKey, placeName, type Place } from '../../views/dashboard/place.ts';
import { actionHints, runningActionWords, confirmationLine } from './actions/actionLines.ts';
import { targetOn } from './actions/targetOn.ts';
import { isNothing, whatIfText } from '../../views/dashboard/whatIf.ts';
import { commandLineShown } from './commandShown.ts';
import { Frame } from '../screen/Frame.tsx';
import { keyHints, filterInput, inputLine } from '../screen/lastLine.ts';
import { chosenAt } from '../screen/listed.ts';
import { listCount, listRows } from '../screen/listRows.ts';
import { Row, Rows } from '../screen/Row.tsx';
import { partsOf, rowWithEnds, type RowParts, type ScreenRow } from '../screen/screenLine.ts';
import { opensHere } from './keysHere.ts';
import {
  contextOf,
  firstListedOn,
  firstPageOf,
  hasOverviewLists,
  listedOn,
  emptyListText,
  pageOfList,
  sectionChosen,
  sectionsOn,
  viewChosen,
  type ShownDashboardList,
  type Section,
} from './items.ts';
import { layoutOf, textRows } from './pageLayout.ts';
import { paneRows } from './pane.ts';
import { markedLine, textOnPage } from './textOnPage.ts';
import { pageShown, type DashboardState, type DashboardView, type Input, type Page } from './state.ts';

interface Shown {
  state: DashboardState;
  view: DashboardView;
  listed: ShownDashboardList | undefined;
  text: Text | undefined;
}

/** A text, the index of its first visible row, and the visible rows. */
interface Text {
  rows: readonly ScreenRow[];
  top: number;
  shown: readonly ScreenRow[];
}

/**
 * The dashboard's screen: the control plane, its present condition, the path; the page; the equivalent command, and the
 * keys.
 */
export function DashboardScreen({ state, view }: { state: DashboardState; view: DashboardView }) {
  const listed = listedOn(state, view);
  const shown: Shown = { state, view, listed, text: listed ? undefined : textShown(state, view) };
  return (
    <Frame
      size={view}
      above={
        <>
          <Row {...rowWithEnds(sourceWords(view.feed), freshnessWords(view.feed, view.now))} />
          <Matter {...shown} />
          <Path {...shown} />
        </>
      }
      below={
        <>
          <Command {...shown} />
          <LastLine {...shown} />
        </>
      }
    >
      {listed ? <ListPage {...shown} listed={listed} /> : <TextPage {...shown} />}
    </Frame>
  );
}

function textShown(state: DashboardState, view: DashboardView): Text {
  const rows = textOnPage(state, view) ?? [];
  const room = textRows(view);
  const top = Math.max(0, Math.min(pageShown(state).line, rows.length - room));
  return { rows, top, shown: rows.slice(top, top + room) };
}

/** The time of a replay, and the marked events. */
function Matter(page: Shown) {
  const { state, view, listed } = page;
  const { feed, characters, columns } = view;
  const answer = view.answers.get(placeKey(pageShown(state).place));
  if (answer?.type === 'steps' && listed && listed.items.length > 0)
    return <Row line={sliderLine(answer, listed, state, view)} />;
  if (answer?.type === 'outcomes') {
    const totals = (brief: boolean) => wordsLine(outcomeTotals(answer, brief));
    const whole = totals(false);
    return <Row line={lineWidth(whole) <= columns ? whole : totals(true)} />;
  }
  if (answer?.type === 'audit') return <Row line={wordsLine(answer.totals)} />;
  if (answer?.type === 'findings') return <Row line={wordsLine(answer.totals)} />;
  const between = ` ${characters.dot} `;
  const { marks } = state;
  const marked = isNothing(marks) ? '' : asWarning(`w: if ${whatIfText(marks, 2)}`);
  const mostRight = Math.floor(columns / 2);
  const room = columns - (marked === '' ? 0 : Math.min(mostRight, lineWidth(wordsLine(marked))) + 2);
  const words = (...brief: [brief?: boolean, briefest?: boolean]) => [
    runningActionWords(view, between),
    conditionWords(feed, view.now, between, ...brief),
  ];
  const fits = (one: Words) => lineWidth(wordsLine(one)) <= room;
  const shown = [words(), words(true)].find(fits) ?? words(true, true);
  return marked === '' ? <Row line={wordsLine(shown)} /> : <Row {...rowWithEnds(shown, marked, mostRight)} />;
}

/** "T+1m30s ████░░░░ 10m, 16 times as fast": the position of a replay. */
function sliderLine(
  answer: Replayed,
  listed: ShownDashboardList,
  state: DashboardState,
  view: DashboardView,
): Line {
  const { start, end, gaps } = answer;
  const step = listed.items[chosenAt(listed, pageShown(state))] as ReplayedStep;
  const at = Math.min(end, state.playing?.at ?? step.time);
  const left = wordsLine(asStrong(offsetText(at, start).padEnd(SLIDER_TIME)));
  const speed = state.playing ? `${state.playing.speed} times as fast` : 'paused';
  const isHeard = !gaps.some(({ from, to = Infinity }) => from <= at && at < to);
  const right = wordsLine([
    ` ${offsetText(end, start)}   `,
    isHeard ? '' : asBad('no updates   '),
    state.playing ? asGood(speed) : asFaint(speed),
  ]);
  const room = Math.max(0, Math.min(MAX_SLIDER, view.columns - lineWidth(left) - lineWidth(right) - 1));
  const bar = barLine({
    done: at - start,
    total: Math.max(1, end - start),
    columns: room,
    characters: view.characters.bar,
  });
  return concatenated(left, withGaps(bar, answer, room), right);
}

/** Gaps in a time bar while the recorder received nothing. */
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
const MAX_SLIDER = 80;

/** "clusters › workloads of frankfurt   3 of 12, filter /cart, namespace shop" */
function Path({ state, view, listed, text }: Shown) {
  const { characters } = view;
  const names = state.trail.map(({ place }) => placeName(place));
  const path: Words = [
    ...(names.length > 1
      ? [asFaint(`${names.slice(0, -1).join(` ${characters.path} `)} ${characters.path} `)]
      : []),
    (sectionChosen(state, view) ? asFaint : asStrong)(names.at(-1)!),
  ];
  // a list below the first one has its own title
  const page = firstPageOf(state, view);
  const first = firstListedOn(state, view);
  const filter = page.filter === '' ? '' : asWarning(`/${page.filter}`);
  const isNarrowed = listed?.list.namespace !== undefined || hasOverviewLists(state);
  const namespace =
    state.namespace === undefined || !isNarrowed ? '' : asWarning(`namespace ${state.namespace}`);
  const count = first ? listCount(first, page) : text ? textCount(text) : '';
  return <Row {...rowWithEnds(path, joined([count, namespace, filter], '  '))} />;
}

/** The visible part of a text. */
function textCount({ rows, top, shown }: Text): Words {
  if (shown.length === rows.length) return '';
  return asFaint(`lines ${top + 1}–${top + shown.length} of ${rows.length}`);
}

function TextPage({ state, view, text }: Shown) {
  const answer = view.answers.get(placeKey(pageShown(state).place));
  const marked = answer && markedLine(answer, view.columns);
  const rows = text?.shown.map((row, at) =>
    text.top + at === marked ? { ...partsOf(row), chosen: true } : row,
  );
  return <Rows rows={rows ?? []} />;
}

function ListPage({ state, view, listed }: Shown & { listed: ShownDashboardList }) {
  const { columns, characters, feed } = view;
  const { first, sections, pane } = layoutOf(state, view);
  const context = contextOf(state, view);
  const look = { context, basis: feed, columns, characters };
  const page = pageShown(state);
  const chosen = sectionChosen(state, view)?.name;
  const own = firstListedOn(state, view) ?? listed;
  if (own.items.length === 0 && !chosen) {
    const none = noneText(state, own, feed.overview !== undefined);
    return <Rows rows={[[], wordsLine(asFaint(none))]} />;
  }
  return (
    <>
      <Rows
        rows={listRows({
          ...look,
          listed: own,
          page: firstPageOf(state, view),
          room: first,
          idle: chosen !== undefined,
        })}
      />
      {sections.map(({ section, room }) => (
        <Box key={section.name} flexDirection="column" flexShrink={0} marginTop={1}>
          <Row {...sectionTitle(section, section.name === chosen, page, room)} />
          <Rows
            rows={listRows({
              ...look,
              listed: section.listed,
              page: pageOfList(page, section.name),
              room,
              idle: section.name !== chosen,
            })}
          />
        </Box>
      ))}
      {pane > 0 && (
        <>
          <Box flexGrow={1} />
          <Rows rows={paneRows(listed, page, { ...look, rows: pane })} />
        </>
      )}
    </>
  );
}

/** "evictions  4 of 6     :evictions"; for the list that keys act on "evictions     2/6  /cart" */
function sectionTitle(
  { title, listed, view }: Section,
  isChosen: boolean,
  page: Page,
  room: number,
): RowParts {
  if (isChosen) {
    const filter = page.filter === '' ? '' : asWarning(`/${page.filter}`);
    return rowWithEnds(asStrong(title), joined([listCount(listed, page), filter], '  '));
  }
  const count = listed.items.length;
  const shown = room < count ? `${room} of ${count}` : '';
  return rowWithEnds(asFaint(joined([title, shown], '  ')), asFaint(view ? `:${view}` : ''));
}

function noneText(state: DashboardState, { list, all }: ShownDashboardList, known: boolean): string {
  if (all.length > 0) return `None of ${plural(all.length, list.one)} fits; Esc clears the filter.`;
  if (!known && list.one !== 'line') return 'Reading...';
  return emptyListText(list, state, 'N shows all');
}

/** The equivalent command. */
function Command({ state, view }: Shown) {
  const line = commandLineShown(state, view);
  return <Row line={wordsLine(line === undefined ? '' : asFaint(`$ ${line}`))} />;
}

/** The last line: the input, a note, or the keys. */
function LastLine({ state, view, listed, text }: Shown) {
  const { input, note } = state;
  const { place } = pageShown(state);
  if (input?.purpose === 'confirm') return <Row line={confirmationLine(place, input.text, view)} />;
  if (input) return <Row {...typedRow(input, listed, view)} />;
  if (note !== undefined) return <Row line={wordsLine(asWarning(note))} />;
  const own = actionHints(state, view) ?? (listed ? listHints(state, view, listed) : textHints(place));
  const isMore = text !== undefined && text.top + text.shown.length < text.rows.length;
  const shown = listed || isMore ? own : own.filter((key) => key !== 'PgDn more');
  return <Row line={keyHints([...shown, '? keys', 'q quit'], view.columns)} />;
}

/** The keys for a list, the most useful first: a narrow screen omits the last ones. */
function listHints(state: DashboardState, view: DashboardView, listed: ShownDashboardList): string[] {
  const { place } = pageShown(state);
  const back = state.trail.length > 1 || place.view !== 'clusters' ? ['Esc back'] : [];
  if (isReplay(place))
    return ['Space play', '+ faster', '- slower', '> eviction', 'Enter why', ...back, ': view', '/ filter'];
  const onClusters = viewChosen(state, view) === 'clusters';
  const isRecorded = isList(place) && view.feed.source?.recorded === true && isNothing(state.marks);
  return [
    ...(opensHere(state, view) ? ['Enter open'] : []),
    ...back,
    ...(sectionsOn(state, view).length > 0 ? ['Tab next'] : []),
    ...(onClusters || sectionsOn(state, view).length > 0 ? ['w what-if'] : []),
    ': view',
    ...(place.view === 'commands' ? ['x copy'] : []),
    '/ filter',
    ...(view.actions && targetOn(state, view) ? ['a act'] : []),
    ...(isRecorded || place.view === 'tomorrow' ? ['r replay'] : []),
    ...(onClusters ? ['m mark', 't taint'] : []),
    ...(listed.list.object ? ['y YAML'] : []),
    ...(listed.list.namespace ? ['n namespace'] : []),
  ];
}

function textHints(place: Place): string[] {
  return ['PgDn more', 'Esc back', ': view', ...('key' in place ? [...OPENS[place.view], 'y YAML'] : [])];
}

/** The action of Enter on a page of text. */
const OPENS = {
  workload: ['Enter evidence'],
  evidence: ['Enter object'],
  eviction: ['Enter explanation'],
  fate: [],
};

function typedRow(
  { purpose, text, problem }: Input,
  listed: ShownDashboardList | undefined,
  { columns, characters }: DashboardView,
): RowParts {
  if (purpose === 'filter') {
    const noList = listed ? undefined : 'only lists are filtered';
    return filterInput(text, characters, columns, noList);
  }
  const views = VIEW_DESCRIPTIONS.map(([name]) => name).filter((name) => name.startsWith(text));
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
  taint: 'KEY[=VALUE]:NoSchedule|NoExecute|PreferNoExecute; a - at the end removes it',
  file: 'Enter shows its plan',
  confirm: '',
};
