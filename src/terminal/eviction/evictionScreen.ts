import { wordsLine, type Line } from '../../presentation/text/spans.ts';
import { asFaint, joined, lineBlocks, asStrong, asWarning } from '../../presentation/words.ts';
import { endWords, queueBlocks } from '../../views/eviction/evictionChanges.ts';
import { evictionTaskDetail } from '../../views/eviction/evictionTaskList.ts';
import { evictionChanges } from '../../views/screen/evictionChanges.ts';
import { evictionTasks, evictionTrouble } from '../../views/screen/evictionTasks.ts';
import { liveWords } from '../../views/screen/timeWords.ts';
import { FILTER_KEY, keyBlocks, MOVE_KEYS, SCREEN_KEYS, SORT_KEY } from '../../views/screen/keyHelp.ts';
import type { ScreenList, TimeContext } from '../../views/screen/screenList.ts';
import { plural } from '../../views/words/amounts.ts';
import { workloadName } from '../../views/words/names.ts';
import { linesOf, rowWithEnds, type ScreenSize } from '../screen/screenLine.ts';
import type { Browsed } from '../screen/browse/browsing.ts';
import type { Characters } from '../screen/characters.ts';
import { taskWith, type Warning, type WatchedTasks } from './watchedTasks.ts';

export interface WatchedPlane {
  /** the server or its context */
  name: string;
  karmadaVersion: string;
  /** the selection, if it is not everything: "in namespace shop" */
  asked: string;
}

/** The lists of the screen, in their order. */
export const SECTIONS = ['evictions', 'changes', 'warnings'] as const;

/** The most rows of the eviction queue above the list. */
const MAX_OF_QUEUE = 3;

/** The current content of the eviction tasks' screen; `now` is epoch milliseconds of the server's clock. */
export function evictionScreen(
  known: WatchedTasks,
  plane: WatchedPlane,
  { columns, rows }: ScreenSize,
  now: number,
  characters: Characters,
): Browsed {
  const { tasks, changes, warnings } = known;
  const nothing = `No evictions in flight ${plane.asked}`.trimEnd();
  const title = [asStrong(plane.name), asFaint(`   Karmada ${plane.karmadaVersion}`)];
  return {
    columns,
    rows,
    characters,
    above: [
      rowWithEnds(title, tasks ? liveWords(known.staleSince, now) : asFaint('reading...')),
      matterLine(known, plane, characters),
      ...queueLines(known, now, columns),
    ],
    sections: [
      {
        name: 'evictions',
        none: tasks ? `${nothing}; waiting for some.` : 'Reading...',
        list: evictionTasks,
        items: tasks ?? [],
      },
      {
        name: 'changes',
        none: 'No changes since the start.',
        list: evictionChanges,
        items: changes,
      },
      { name: 'warnings', none: 'There are no warnings.', list: warningList, items: warnings },
    ],
    context: { now, bar: characters.bar } satisfies TimeContext,
    basis: known,
    opened: (section, key) => openedIn(known, section, key, now),
    help: keyBlocks(KEYS),
    keys: ['q quit'],
    question: '',
  };
}

function matterLine(
  { tasks = [], warnings }: WatchedTasks,
  { asked }: WatchedPlane,
  { dot }: Characters,
): Line {
  const count = tasks.length === 0 ? asFaint('no evictions') : plural(tasks.length, 'eviction');
  const about = asked === '' ? [] : [asFaint(` ${asked}`)];
  const warned = warnings.length === 0 ? [] : [asWarning(plural(warnings.length, 'warning'))];
  return wordsLine(
    joined([[joined([count, ...evictionTrouble(tasks)], ', '), ...about], ...warned], ` ${dot} `),
  );
}

/** The pace of the eviction queue, and its waiting workloads. */
function queueLines({ queue }: WatchedTasks, now: number, columns: number): Line[] {
  if (!queue) return [];
  const lines = queueBlocks(queue, now).flatMap((block) => linesOf([block], columns));
  return lines.slice(0, MAX_OF_QUEUE);
}

const warningList: ScreenList<Warning, TimeContext> = {
  one: 'warning',
  key: ({ id }) => String(id),
  text: ({ text }) => text,
  columns: [{ name: '', words: ({ text }) => asWarning(text), order: ({ text }) => text, least: 10 }],
};

function openedIn(
  known: WatchedTasks,
  section: number,
  key: string,
  now: number,
): ReturnType<Browsed['opened']> {
  switch (SECTIONS[section]) {
    case 'evictions':
      return openedTask(known, key, now);
    case 'changes': {
      const found = known.changes.find((one) => evictionChanges.key(one) === key);
      return found && openedTask(known, evictionTasks.key(found.change.task), now);
    }
    default: {
      const found = known.warnings.find(({ id }) => String(id) === key);
      return found && { name: 'warning', blocks: lineBlocks([asWarning(found.text)]) };
    }
  }
}

/** A task in full, as it is now or was last seen. */
function openedTask(known: WatchedTasks, key: string, now: number): ReturnType<Browsed['opened']> {
  const found = taskWith(known, key);
  if (!found) return undefined;
  const { task, ended } = found;
  const over = ended === undefined ? [] : lineBlocks([endWords(task.fromCluster, ended)]);
  return {
    name: `${workloadName(task.workload)} from ${task.fromCluster}`,
    blocks: [...over, evictionTaskDetail(task, now)],
  };
}

const KEYS = [
  MOVE_KEYS,
  [
    'Go',
    [
      ['Enter →', 'all of an eviction: what it waits for, the outcome for the workload, the evidence'],
      ['Esc ←', 'back, or clear a filter'],
      ['Tab ⇧Tab', 'evictions, their changes since the start, warnings'],
    ],
  ],
  ['Choose', [FILTER_KEY, SORT_KEY]],
  ['Other', [...SCREEN_KEYS, ['q Ctrl-C', 'leave']]],
] as const;
