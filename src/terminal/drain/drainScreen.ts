import type { DrainCause } from '../../views/screen/drainCauses.ts';
import { causeBlocks, drainCauses } from '../../views/screen/drainCauses.ts';
import {
  drainedWorkloadBlocks,
  drainedWorkloads,
  notLeaving,
  inFlightFirst,
  type DrainContext,
} from '../../views/screen/drainedWorkloads.ts';
import { FILTER_KEY, keyBlocks, MOVE_KEYS, SCREEN_KEYS, SORT_KEY } from '../../views/screen/keyHelp.ts';
import { workloadName } from '../../views/words/names.ts';
import type { Browsed, Section } from '../screen/browse/browsing.ts';
import type { ScreenSize } from '../screen/screenLine.ts';
import { drainHead, type DrainView } from './drainHead.ts';

/** The lists of a drain's screen, in their order. */
export const DRAIN_SECTIONS = ['in flight', 'not leaving', 'events', 'workloads'] as const;

/** Keeps lists while the progress is unchanged: filter and sort caches depend on them. */
const made = new WeakMap<DrainView['progress']['workloads'], ReturnType<typeof listsOf>>();

/** The current content of a drain's screen. */
export function drainScreen(
  view: Omit<DrainView, 'columns'>,
  causes: readonly DrainCause[],
  { columns, rows }: ScreenSize,
): Browsed {
  const { progress, times, characters, timeoutAssumed } = view;
  const { workloads } = progress;
  const context: DrainContext = { now: progress.now, bar: characters.bar, times, timeoutAssumed };
  let lists = made.get(workloads);
  if (!lists) made.set(workloads, (lists = listsOf(view, context)));
  const sections: Record<(typeof DRAIN_SECTIONS)[number], Omit<Section, 'name'>> = {
    'in flight': { none: 'No evictions in flight.', list: drainedWorkloads, items: lists.inFlight },
    'not leaving': {
      none: 'No workload is stuck, skipped or staying.',
      list: drainedWorkloads,
      items: lists.failed,
    },
    events: { none: 'No events yet.', list: drainCauses(progress.startedAt), items: causes },
    workloads: { none: 'No workloads to drain.', list: drainedWorkloads, items: workloads },
  };
  return {
    columns,
    rows,
    characters,
    context,
    basis: workloads,
    // on a low screen the list keeps half of it
    above: drainHead({ ...view, columns }).slice(0, Math.max(3, Math.floor(rows / 2) - 2)),
    sections: DRAIN_SECTIONS.map((name) => ({ name, ...sections[name] })),
    opened(section, key) {
      if (DRAIN_SECTIONS[section] === 'events') {
        const found = causes.find(({ cause }) => cause === key);
        return found && { name: 'each time', blocks: causeBlocks(found) };
      }
      const found = workloads.find((one) => drainedWorkloads.key(one) === key);
      return found && { name: workloadName(found.workload), blocks: drainedWorkloadBlocks(found, context) };
    },
    help: keyBlocks(KEYS),
    keys: ['Ctrl-C stop'],
    question: QUESTION,
  };
}

function listsOf({ progress: { workloads } }: Pick<DrainView, 'progress'>, context: DrainContext) {
  return { inFlight: inFlightFirst(workloads, context), failed: notLeaving(workloads) };
}

const QUESTION = 'Stop after the current write? The same command resumes it later. [y/N] ';

const KEYS = [
  [
    'Stop',
    [
      ['Ctrl-C', 'stops between two writes; the same command resumes it later. Again: ends at once'],
      ['q s', 'the same, after a question'],
    ],
  ],
  MOVE_KEYS,
  [
    'Go',
    [
      ['Enter →', 'details of a workload, with the evidence; each event of a cause'],
      ['Esc ←', 'back, or clear a filter'],
      ['Tab ⇧Tab', 'workloads in flight, workloads not leaving, events by cause, all workloads'],
    ],
  ],
  ['Choose', [FILTER_KEY, SORT_KEY]],
  ['Other', [...SCREEN_KEYS]],
] as const;
