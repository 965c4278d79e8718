import type { EvictionTaskExplanation } from '../../../engine/explanation/tasks/evictionTask.ts';
import type { EvictionVerdict } from '../../../engine/explanation/tasks/taskWait.ts';
import { snapshotKey } from '../../../engine/objects/identities.ts';
import type { Feed } from '../../../engine/overview/feed.ts';
import { instant } from '../../../kubernetes/time.ts';
import type { Words } from '../../../presentation/model.ts';
import { bad, faint, good, plain, warn } from '../../../presentation/words.ts';
import { duration } from '../../words/duration.ts';
import { outcomeTone, SEVERITY } from '../../words/outcomeWords.ts';
import { placementText } from '../../words/placement.ts';
import { workloadName } from '../../words/workloadName.ts';
import type { List, ListContext } from '../list.ts';

type Task = EvictionTaskExplanation;

/** Columns of a bar to the deadline. */
const BAR = 10;

/** Evictions in flight: those that end in a loss first, then stuck ones, then by their deadlines. */
export const evictionList: List<Task> = {
  name: 'evictions',
  one: 'eviction',
  none: 'No evictions are in flight.',
  items: (feed, cluster) => byDanger(feed, cluster),
  key: (task) => `${snapshotKey(task.binding)} ${task.fromCluster}`,
  namespace: ({ binding }) => binding.namespace,
  text: (task) =>
    [
      workloadName(task.workload),
      task.fromCluster,
      placementText(task.toClusters),
      task.verdict,
      task.waitingFor ?? '',
      task.outcome,
      task.reason,
      task.producer,
    ].join(' '),
  columns: [
    {
      name: 'WORKLOAD',
      words: ({ workload }) => workloadName(workload),
      order: ({ workload }) => workloadName(workload),
      least: 22,
    },
    {
      name: 'FROM',
      words: ({ fromCluster }) => fromCluster,
      order: ({ fromCluster }) => fromCluster,
      least: 10,
    },
    {
      name: 'TO',
      words: ({ toClusters }) => (toClusters.length === 0 ? bad('nowhere') : placementText(toClusters)),
      order: ({ toClusters }) => placementText(toClusters),
      least: 10,
      leaves: 3,
    },
    {
      name: 'AGE',
      words: (task, { now }) => ageText(task, now),
      order: ({ createdAt }) => (createdAt === null ? 0 : instant(createdAt)),
      leaves: 5,
    },
    {
      name: 'DEADLINE',
      words: deadlineWords,
      order: ({ deadline }) => (deadline === null ? Infinity : instant(deadline)),
      leaves: 2,
    },
    {
      name: 'THEN',
      words: ({ outcome, certainty }) => [
        outcomeTone(outcome, outcome),
        certainty === 'certain' ? '' : faint(` (${certainty})`),
      ],
      order: ({ outcome }) => SEVERITY.indexOf(outcome),
      leaves: 4,
    },
    {
      name: 'STATE',
      words: ({ verdict }) => verdictWords(verdict),
      order: ({ verdict }) => STATES.indexOf(verdict),
    },
    {
      name: 'WAITS FOR',
      words: ({ waitingFor, verdict, consequence }) =>
        waitingFor ?? (verdict === 'ends-now' ? faint(consequence) : ''),
      order: ({ waitingFor }) => waitingFor ?? '',
      least: 18,
      leaves: 1,
    },
  ],
  opens: ({ binding }) => ({ view: 'eviction', key: snapshotKey(binding) }),
  object: ({ binding }) => ({
    view: 'object',
    object: binding,
    field: 'spec.gracefulEvictionTasks',
  }),
};

/** The states in the order in which somebody should look at them. */
const STATES: readonly EvictionVerdict[] = ['stuck', 'held', 'new', 'waiting', 'ends-now'];

function byDanger({ overview }: Feed, cluster: string | undefined): Task[] {
  const tasks = (overview?.evictions ?? []).filter(
    (task) => cluster === undefined || task.fromCluster === cluster,
  );
  const danger = ({ outcome, atDeadline }: Task) => (outcome === 'lost' || atDeadline === 'lost' ? 0 : 1);
  const due = ({ deadline }: Task) => (deadline === null ? Infinity : instant(deadline));
  return tasks.toSorted(
    (a, b) =>
      danger(a) - danger(b) ||
      STATES.indexOf(a.verdict) - STATES.indexOf(b.verdict) ||
      (due(a) === due(b) ? 0 : due(a) - due(b)),
  );
}

export function verdictWords(verdict: EvictionVerdict): Words {
  if (verdict === 'stuck') return bad('stuck');
  if (verdict === 'held') return warn('held');
  return verdict === 'ends-now' ? good('ends now') : verdict;
}

function ageText({ createdAt }: Task, now: number): Words {
  return createdAt === null ? faint('new') : duration(Math.max(0, now - instant(createdAt)));
}

/** "██████░░░░ 3m12s": how much of the time is over, and what is left of it. */
function deadlineWords({ createdAt, deadline, verdict }: Task, { now, bar }: ListContext): Words {
  if (deadline === null) return faint('none');
  const end = instant(deadline);
  const start = createdAt === null ? now : instant(createdAt);
  const share = end <= start ? 1 : Math.min(1, Math.max(0, (now - start) / (end - start)));
  const over = Math.floor(share * BAR);
  const tone = verdict === 'stuck' || share > 0.8 ? bad : share > 0.5 ? warn : good;
  const left = end <= now ? bad('over') : duration(end - now);
  return [tone(bar.done.repeat(over)), faint(bar.toCome.repeat(BAR - over)), ' ', left];
}

/** "3 stuck, 1 will be lost": what of them needs a look; nothing if none does. */
export function evictionTrouble(tasks: readonly Task[]): Words[] {
  const lost = tasks.filter(({ outcome }) => outcome === 'lost').length;
  const stuck = tasks.filter(({ verdict }) => verdict === 'stuck').length;
  return [
    ...(lost > 0 ? [bad(`${lost} will be lost`)] : []),
    ...(stuck > 0 ? [bad(`${stuck} stuck`)] : []),
  ].filter((words) => plain(words) !== '');
}
