import { concatenated, cutAtEnd, lineWidth, wordsLine, type Line } from '../../presentation/text/spans.ts';
import { wrapLine } from '../../presentation/text/wrapped.ts';
import { asFaint, isEmpty, asStrong } from '../../presentation/words.ts';
import type { Words } from '../../presentation/model.ts';
import type { PaneContent, ListContext } from '../../views/dashboard/list.ts';
import type { Characters } from '../screen/characters.ts';
import { itemAt, type ListPage } from '../screen/listed.ts';
import type { ShownDashboardList } from './items.ts';

interface PaneLook {
  context: ListContext;
  characters: Characters;
  columns: number;
  rows: number;
}

/** The least screen width for facts in two columns. */
const WIDE = 150;
const GAP = 3;

/** The facts about the selected item, in this many rows: its title in a rule, as many facts as fit, the next keys. */
export function paneRows(listed: ShownDashboardList, page: ListPage, look: PaneLook): Line[] {
  const { columns, rows, context, characters } = look;
  const item = itemAt(listed, page);
  const about = item === undefined ? undefined : listed.list.about?.(item, context);
  const title = about ? cutAtEnd(wordsLine(about.title), columns - GAP) : [];
  const rule = characters.rule.repeat(Math.max(0, columns - lineWidth(title) - (about ? 1 : 0)));
  const head = concatenated(title, about ? [' '] : [], wordsLine(asFaint(rule)));
  if (!about) return [head, ...Array.from({ length: rows - 1 }, (): Line => [])];
  const there = about.facts.filter(([, words]) => !isEmpty(words));
  const names = Math.max(NEXT.length, ...there.map(([name]) => name.length)) + 2;
  const next = about.next.length === 0 ? [] : [cutAtEnd(nextLine(about.next, names), columns)];
  const facts = factLines(there, names, { ...look, rows: rows - 1 - next.length });
  const blank = Array.from({ length: Math.max(0, rows - 1 - next.length - facts.length) }, (): Line => []);
  return [head, ...facts, ...blank, ...next];
}

/** Facts one below another, as many as fit, the first one cut if necessary; on a wide screen in two columns. */
function factLines(facts: PaneContent['facts'], names: number, { columns, rows }: PaneLook): Line[] {
  const isWide = columns >= WIDE;
  const width = isWide ? Math.floor((columns - GAP) / 2) : columns;
  const lines: Line[] = [];
  const more: Line[] = [];
  for (const [name, words] of facts) {
    const whole = factOf(name, words, names, width);
    const fact = lines.length > 0 || whole.length <= rows ? whole : cutToRows(whole, rows, width);
    const into = lines.length + fact.length <= rows ? lines : isWide ? more : undefined;
    if (into && into.length + fact.length <= rows) into.push(...fact);
  }
  return lines.map((line, at) => {
    const beside = more[at];
    return beside ? concatenated(line, [' '.repeat(width + GAP - lineWidth(line))], beside) : line;
  });
}

function factOf(name: string, words: Words, names: number, width: number): Line[] {
  return wrapLine(wordsLine(words), Math.max(1, width - names)).map((line, at) =>
    concatenated(wordsLine(asFaint((at === 0 ? name : '').padEnd(names))), line),
  );
}

function cutToRows(fact: readonly Line[], rows: number, width: number): Line[] {
  const shown = fact.slice(0, rows);
  const last = shown.pop();
  return last ? [...shown, cutAtEnd(concatenated(last, [' …']), width)] : [];
}

/** "next  Enter its workloads   w each workload if it fails" */
function nextLine(next: PaneContent['next'], names: number): Line {
  return wordsLine([
    asFaint(NEXT.padEnd(names)),
    ...next.map(([key, shows], at): Words => [at === 0 ? '' : '   ', asStrong(key), asFaint(` ${shows}`)]),
  ]);
}

const NEXT = 'next';
