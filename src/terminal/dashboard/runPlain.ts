import { createInterface } from 'node:readline';
import { emptyFeed, withNews } from '../../analysis/overview/feed.ts';
import { placeKey, VIEW_DESCRIPTIONS, placeName } from '../../views/dashboard/place.ts';
import type { Answered } from '../../views/dashboard/answered.ts';
import { isAsked, type DashboardFeed } from './answers.ts';
import { pageShown, type DashboardState, type DashboardView, withPage } from './state.ts';
import { listedOn, contextOf, emptyListText, sectionsOn, type ShownDashboardList } from './items.ts';
import type { Key } from '../screen/keys.ts';
import { reduce } from './reduce.ts';
import type { Words } from '../../presentation/model.ts';
import { lineText } from '../../presentation/text/renderText.ts';
import { wordsLine } from '../../presentation/text/spans.ts';
import { plainStyle } from '../../presentation/text/style.ts';
import { presentable } from '../../presentation/presentable.ts';
import { freshnessWords, conditionWords, sourceWords } from '../../views/dashboard/headline.ts';
import type { AnyList, ListContext } from '../../views/dashboard/list.ts';
import { plural } from '../../views/words/amounts.ts';
import { commandLineShown } from './commandShown.ts';
import { partsOf } from '../screen/screenLine.ts';
import { textOnPage } from './textOnPage.ts';

interface PlainOptions extends Pick<DashboardView, 'characters' | 'names' | 'commandLine'> {
  stdin: NodeJS.ReadStream;
  write(text: string): Promise<void>;
  feed: DashboardFeed;
  first: DashboardState;
  /** the width at which texts wrap */
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
    // the first page of a captured state waits for data that follows the overview
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

/** The dashboard after an input line; undefined to quit. */
function obeyed(
  state: DashboardState,
  typed: string,
  view: DashboardView,
): { state: DashboardState; help?: readonly string[] } | undefined {
  const line = typed.trim();
  const [, letter = '', rest = ''] = /^([a-z?]?)\s*(.*)$/su.exec(line) ?? [];
  const press = (before: DashboardState, ...keys: Key[]) =>
    keys.reduce((now, key) => reduce(now, key, view).state, before);
  const letters = (text: string): Key[] => [...text].map((one) => ({ text: one }));
  const chosen = /^\d+$/.test(rest) ? Number(rest) : undefined;
  if (line === '') return { state };
  if (line.startsWith(':')) return { state: press(state, ...letters(line), { name: 'enter' }) };
  if (line.startsWith('/')) {
    const opened = press(state, { text: '/' }, { name: 'clearLine' }, ...letters(line.slice(1)));
    return { state: press(opened, { name: 'enter' }) };
  }
  if (letter === '' && chosen !== undefined) {
    const before = choosing(state, chosen, view);
    return { state: before ? press(before, { name: 'enter' }) : { ...state, note: noLine(chosen) } };
  }
  switch (letter) {
    case 'q':
      return undefined;
    case 'b':
      return { state: press(withPage(state, { ...pageShown(state), filter: '' }), { name: 'escape' }) };
    case 'm':
      return { state: more(state, view) };
    case 'y': {
      const before = chosen === undefined ? state : choosing(state, chosen, view);
      return { state: before ? press(before, { text: 'y' }) : { ...state, note: noLine(chosen!) } };
    }
    case 'n':
      return { state: { ...state, namespace: rest === '' ? undefined : rest } };
    case 's':
      return { state: press(state, ...letters(rest.slice(0, 1))) };
    case 'e':
    case 'c':
      return { state: press(state, { text: letter }) };
    default:
      return { state, help: PLAIN_HELP };
  }
}

function noLine(number: number): string {
  return `There is no line ${number}.`;
}

/** The state with this line selected, counted from 1; undefined if there is none. */
function choosing(state: DashboardState, number: number, view: DashboardView): DashboardState | undefined {
  const listed = listedOn(state, view);
  if (listed?.items[number - 1] === undefined) return undefined;
  return withPage(state, { ...pageShown(state), line: number - 1, chosen: undefined });
}

function more(state: DashboardState, view: DashboardView): DashboardState {
  const page = pageShown(state);
  const top = page.top + PLAIN_ITEMS;
  const there = listedOn(state, view)?.items.length ?? 0;
  return top < there ? withPage(state, { ...page, top }) : { ...state, note: 'No more lines.' };
}

/** How many items are printed at a time. */
const PLAIN_ITEMS = 20;
/** How many items of other lists the first page prints. */
const GLANCED = 3;

/** The current page as sentences and numbered lines: for screen readers, pipes and terminals that cannot move their cursor. */
export function plainPage(state: DashboardState, view: DashboardView): string[] {
  const { feed, now } = view;
  const command = commandLineShown(state, view);
  return [
    textOf([sourceWords(feed), ', ', freshnessWords(feed, now)]),
    textOf(conditionWords(feed, now, '; ')),
    `You are at: ${presentable(state.trail.map(({ place }) => placeName(place)).join(' > '))}`,
    ...settings(state),
    ...bodyOf(state, view),
    ...glanceSentences(state, view),
    ...(command === undefined ? [] : [`Command: ${presentable(command)}`]),
    ...(state.note === undefined ? [] : [presentable(state.note)]),
  ].filter((line) => line !== '');
}

/** The available inputs. */
const PLAIN_HELP = [
  'Type a line, then Enter:',
  'a number: open that line. y and a number: its object as YAML.',
  'b: back. e: the evidence of an explanation. m: more lines. Empty: the same again.',
  `: and a name: a view, such as :evictions. There are ${VIEW_DESCRIPTIONS.map(([name]) => name).join(', ')}.`,
  '/ and a text: filter; / without a text: no filter.',
  'n and a namespace: only that one; n without one: all. s and a number: sort by that column.',
  'c: the commands that show the same. q: quit.',
];

function settings(state: DashboardState): string[] {
  const { filter } = pageShown(state);
  return [
    ...(filter === '' ? [] : [`Filter: ${presentable(filter)}`]),
    ...(state.namespace === undefined ? [] : [`Namespace: ${presentable(state.namespace)}`]),
  ];
}

function bodyOf(state: DashboardState, view: DashboardView): string[] {
  const listed = listedOn(state, view);
  if (listed) return listedLines(listed, state, view);
  return (textOnPage(state, view) ?? []).map((row) => lineText(partsOf(row).line, plainStyle));
}

function listedLines(
  { list, items, all }: ShownDashboardList,
  state: DashboardState,
  view: DashboardView,
): string[] {
  const { top } = pageShown(state);
  const shown = items.slice(top, top + PLAIN_ITEMS);
  const context = contextOf(state, view);
  const names = list.columns.map(({ name }, at) => `${at + 1} ${name.toLowerCase()}`).join(', ');
  if (items.length === 0) {
    const none = presentable(emptyListText(list, state, 'n without a namespace shows all'));
    return [all.length > 0 ? `None of ${plural(all.length, list.one)} fits.` : none];
  }
  return [
    `${items.length === all.length ? '' : `${items.length} of `}${plural(all.length, list.one)}${names === '1 ' ? '' : `; columns: ${names}`}`,
    ...shown.map((item, index) => `${top + index + 1}. ${itemSentence(list, item, context)}`),
    ...(top + shown.length < items.length ? [`${items.length - top - shown.length} more: m`] : []),
  ];
}

/** "shop/deployment/cart; from member1; state stuck": a list's columns for an item. */
function itemSentence({ columns }: AnyList, item: unknown, context: ListContext): string {
  const cells = columns.flatMap(({ name, words }) => {
    const text = textOf(words(item, { ...context, bar: { done: '', toCome: '' } })).trim();
    if (text === '') return [];
    return [name === '' || name === columns[0]!.name ? text : `${name.toLowerCase()} ${text}`];
  });
  return cells.join('; ');
}

/** The other lists of the first screen: the first items of each, and the view that has all. */
function glanceSentences(state: DashboardState, view: DashboardView): string[] {
  const context = contextOf(state, view);
  return sectionsOn(state, view).flatMap(({ view: whole, title, listed: { list, items } }) => [
    `${title}: ${items.length}${whole ? `; :${whole} shows all` : ''}`,
    ...items.slice(0, GLANCED).map((item) => `- ${itemSentence(list, item, context)}`),
  ]);
}

function textOf(words: Words): string {
  return lineText(wordsLine(words), plainStyle);
}
