import type { Words } from '../../presentation/model.ts';
import { lineText } from '../../presentation/text/renderText.ts';
import { wordsLine } from '../../presentation/text/spans.ts';
import { plainStyle } from '../../presentation/text/style.ts';
import { presentable } from '../../presentation/presentable.ts';
import { freshnessWords, matterWords, sourceWords } from '../../views/dashboard/headline.ts';
import type { AnyList, ListContext } from '../../views/dashboard/list.ts';
import { plural } from '../../views/words/amounts.ts';
import { JUMPS, placeName } from '../../views/dashboard/place.ts';
import { commandLineShown } from './commandShown.ts';
import { contextOf, listedOn, noneWords, type Listed } from './items.ts';
import { glanceSections } from './glance.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';
import { partsOf } from '../screen/screenLine.ts';
import { textOnPage } from './textOnPage.ts';

/** How many items are read out at a time. */
export const PLAIN_ITEMS = 20;
/** How many items of other lists the first page reads out. */
const GLANCED = 3;

/**
 * The present page as sentences and numbered lines: for screen readers, pipes and terminals that cannot move their
 * cursor.
 */
export function plainPage(state: DashboardState, view: DashboardView): string[] {
  const { feed, now } = view;
  const command = commandLineShown(state, view);
  return [
    textOf([sourceWords(feed), ', ', freshnessWords(feed, now)]),
    textOf(matterWords(feed, now, '; ')),
    `You are at: ${presentable(state.trail.map(({ place }) => placeName(place)).join(' > '))}`,
    ...settings(state),
    ...bodyOf(state, view),
    ...glanceSentences(state, view),
    ...(command === undefined ? [] : [`Command: ${presentable(command)}`]),
    ...(state.note === undefined ? [] : [presentable(state.note)]),
  ].filter((line) => line !== '');
}

/** What can be typed. */
export const PLAIN_HELP = [
  'Type a line, then Enter:',
  'a number: open that line. y and a number: its object as YAML.',
  'b: back. e: the evidence of an explanation. m: more lines. Nothing: the same again.',
  `: and a name: a view, such as :evictions. There are ${JUMPS.map(([name]) => name).join(', ')}.`,
  '/ and a text: filter; / alone: no filter.',
  'n and a namespace: only that one; n alone: all. s and a number: sort by that column.',
  'c: the commands that show the same. q: leave.',
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

function listedLines({ list, items, all }: Listed, state: DashboardState, view: DashboardView): string[] {
  const { top } = pageShown(state);
  const shown = items.slice(top, top + PLAIN_ITEMS);
  const context = contextOf(state, view);
  const names = list.columns.map(({ name }, at) => `${at + 1} ${name.toLowerCase()}`).join(', ');
  if (items.length === 0) {
    const none = presentable(noneWords(list, state, 'n alone shows all'));
    return [all.length > 0 ? `None of ${plural(all.length, list.one)} fits.` : none];
  }
  return [
    `${items.length === all.length ? '' : `${items.length} of `}${plural(all.length, list.one)}${names === '1 ' ? '' : `; columns: ${names}`}`,
    ...shown.map((item, index) => `${top + index + 1}. ${itemSentence(list, item, context)}`),
    ...(top + shown.length < items.length ? [`${items.length - top - shown.length} more: m`] : []),
  ];
}

/** "shop/deployment/cart; from member1; state stuck": what the columns of a list tell of an item. */
function itemSentence({ columns }: AnyList, item: unknown, context: ListContext): string {
  const cells = columns.flatMap(({ name, words }) => {
    const text = textOf(words(item, { ...context, bar: { done: '', toCome: '' } })).trim();
    if (text === '') return [];
    return [name === '' || name === columns[0]!.name ? text : `${name.toLowerCase()} ${text}`];
  });
  return cells.join('; ');
}

/** What else the first screen shows: of each list the first items, and the view that has all. */
function glanceSentences(state: DashboardState, view: DashboardView): string[] {
  const context = contextOf(state, view);
  return glanceSections(state, view).flatMap(({ name, title, listed: { list, items } }) => [
    `${title}: ${items.length}; :${name} shows all`,
    ...items.slice(0, GLANCED).map((item) => `- ${itemSentence(list, item, context)}`),
  ]);
}

function textOf(words: Words): string {
  return lineText(wordsLine(words), plainStyle);
}
