import type { EvictionTaskChange } from '../../analysis/explanation/tasks/evictionTaskChanges.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Words } from '../../presentation/model.ts';
import { asFaint, plain } from '../../presentation/words.ts';
import { endWords } from '../eviction/evictionChanges.ts';
import { verdictWords } from '../eviction/evictionTaskList.ts';
import { relativeTime } from '../words/duration.ts';
import { workloadName } from '../words/names.ts';
import { type ScreenList, type TimeContext, workloadColumn } from './screenList.ts';

/** An observed change of an eviction task, when (epoch milliseconds), and its number. */
export interface ObservedChange {
  id: number;
  time: number;
  change: EvictionTaskChange;
}

/** Changes of eviction tasks: new tasks, changed waiting conditions, and ends. */
export const evictionChanges: ScreenList<ObservedChange, TimeContext> = {
  one: 'change',
  key: ({ id }) => String(id),
  text: (seen) =>
    `${workloadName(seen.change.task.workload)} ${seen.change.task.fromCluster} ${plain(whatWords(seen))}`,
  columns: [
    { name: 'WHEN', words: ({ time }, { now }) => relativeTime(time, now), order: ({ time }) => -time },
    { name: 'TIME', words: ({ time }) => asFaint(rfc3339(time)), order: ({ time }) => -time, leaves: 2 },
    workloadColumn(({ change }) => change.task.workload),
    {
      name: 'FROM',
      words: ({ change }) => change.task.fromCluster,
      order: ({ change }) => change.task.fromCluster,
      least: 10,
      leaves: 1,
    },
    { name: 'WHAT', words: whatWords, order: (seen) => plain(whatWords(seen)), least: 18 },
  ],
};

function whatWords({ change: { type, task, ended } }: ObservedChange): Words {
  if (ended !== undefined) return endWords(task.fromCluster, ended);
  return type === 'ADDED' ? ['begins: ', verdictWords(task)] : verdictWords(task);
}
