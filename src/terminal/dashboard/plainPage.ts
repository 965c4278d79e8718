import type { Words } from '../../presentation/model.ts';
import { lineText } from '../../presentation/text/renderText.ts';
import { wordsLine } from '../../presentation/text/spans.ts';
import { plainStyle } from '../../presentation/text/style.ts';
import { presentable } from '../../presentation/presentable.ts';
import { freshnessWords, matterWords, sourceWords } from '../../views/dashboard/headline.ts';
import { plural } from '../../views/words/plural.ts';
import { JUMPS, placeName } from '../../views/dashboard/place.ts';
import { commandLineShown } from './commandShown.ts';
import { contextOf, listedOn, noneWords, type Listed } from './items.ts';
import { pageShown, type DashboardState, type DashboardView } from './state.ts';
import { textLines } from './textLines.ts';

/** How many items are read out at a time. */
export const PLAIN_ITEMS = 20;

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
  return (textLines(state, view) ?? []).map((line) => lineText(line, plainStyle));
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
    ...shown.map((item, index) => {
      const cells = list.columns.flatMap(({ name, words }) => {
        const text = textOf(words(item, { ...context, bar: { done: '', toCome: '' } })).trim();
        return text === ''
          ? []
          : [name === '' || name === list.columns[0]!.name ? text : `${name.toLowerCase()} ${text}`];
      });
      return `${top + index + 1}. ${cells.join('; ')}`;
    }),
    ...(top + shown.length < items.length ? [`${items.length - top - shown.length} more: m`] : []),
  ];
}

function textOf(words: Words): string {
  return lineText(wordsLine(words), plainStyle);
}
