import type { EvictionTaskChange } from '../../analysis/explanation/tasks/evictionTaskChanges.ts';
import type { QueueStatus } from '../../analysis/explanation/waitingEvictions.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad, asGood } from '../../presentation/words.ts';
import type { Answer } from '../answer.ts';
import { paceBlock, paceDocument } from '../status/statusHead.ts';
import { type GrowingTable, growingTable, shownChangesFilter, type ShownChanges } from '../watching.ts';
import { resourceName } from '../words/names.ts';
import {
  evictionTaskCells,
  evictionTaskColumns,
  evictionTaskDocument,
  evictionTaskNarrowing,
} from './evictionTaskList.ts';
import { waitingSummaryBlock } from './waitingEvictions.ts';

/** Renders changes of eviction tasks; the table's columns stay aligned from one answer to the next. */
export function evictionTaskChanges(karmadaVersion: string): ShownChanges<EvictionTaskChange> {
  let table: GrowingTable | undefined;
  const document = ({ type, task, ended }: EvictionTaskChange, now: number): Answer['document'] => ({
    kind: 'EvictionTaskChange',
    schemaVersion: 'v1',
    karmadaVersion,
    time: rfc3339(now),
    type,
    ended: ended ?? null,
    task: evictionTaskDocument(task),
  });
  return {
    document,
    visible: shownChangesFilter(
      ({ task: { binding, fromCluster } }) => `${binding.namespace ?? ''}/${binding.name}/${fromCluster}`,
      timeless,
    ),
    answer: (changes, now) => ({
      document: document(changes[0]!, now),
      names: () => changes.map(({ task: { binding } }) => resourceName(binding)),
      presentation({ wide }) {
        table ??= growingTable(evictionTaskColumns(wide), evictionTaskNarrowing);
        return { blocks: [table.rows(changes.map((change) => cells(change, now, wide)))] };
      },
    }),
  };
}

function cells({ task, ended }: EvictionTaskChange, now: number, wide: boolean): Words[] {
  if (ended === undefined) return evictionTaskCells(task, now, wide);
  const { createdAt } = task;
  const ageSeconds = createdAt === null ? null : Math.floor((now - instant(createdAt)) / 1000);
  const over = evictionTaskCells({ ...task, ageSeconds, deadline: null, outcome: null }, now, wide);
  return [...over.slice(0, -1), endWords(task.fromCluster, ended)];
}

/** The content of a line, without times that change by themselves, such as the time until the deadline. */
function timeless({ task, ended }: EvictionTaskChange, wide: boolean): unknown[] {
  const cells = evictionTaskCells({ ...task, ageSeconds: null, deadline: null }, 0, wide);
  return [...cells, task.deadline, ended];
}

/** How a task ended: "ended, the old copy on frankfurt is deleted". */
export function endWords(cluster: string, ended: NonNullable<EvictionTaskChange['ended']>): Words {
  switch (ended) {
    case 'let-go':
      return [asGood('ended'), `, the old copy on ${cluster} is deleted`];
    case 'returned':
      return [asGood('ended'), `, it is back on ${cluster}`];
    case 'deleted':
      return [asBad('ended'), ', the binding is gone'];
  }
}

/** Renders the state of the eviction queue whenever it changes. */
export function evictionQueueChanges(karmadaVersion: string): ShownChanges<QueueStatus> {
  const document = ({ pace, ...queue }: QueueStatus, now: number): Answer['document'] => ({
    kind: 'EvictionQueueChange',
    schemaVersion: 'v1',
    karmadaVersion,
    time: rfc3339(now),
    evictionPace: paceDocument(pace),
    evictionQueue: queue,
  });
  return {
    document,
    visible: (changes) => changes.slice(-1),
    answer: (changes, now) => {
      const last = changes.at(-1)!;
      return {
        document: document(last, now),
        names: () => [],
        presentation: () => ({ blocks: queueBlocks(last, now) }),
      };
    },
  };
}

/** The pace of the queue, and its waiting workloads. */
export function queueBlocks(standing: QueueStatus, now: number): Block[] {
  const waits = waitingSummaryBlock(standing, now);
  const nothing: Block = { type: 'paragraph', words: 'The eviction queue is empty.' };
  return [paceBlock(standing.pace), ...(waits.length > 0 ? waits : [nothing])];
}
