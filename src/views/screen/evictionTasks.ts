import type { EvictionTaskExplanation } from '../../analysis/explanation/tasks/evictionTask.ts';
import { isEnding, type EvictionVerdict } from '../../analysis/explanation/tasks/taskWait.ts';
import { snapshotKey } from '../../karmada/objects/identities.ts';
import { instant } from '../../kubernetes/time.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, asWarning } from '../../presentation/words.ts';
import { age } from '../words/duration.ts';
import { evictionLosses, outcomeTone, severityOf } from '../words/outcomeWords.ts';
import { placementText, workloadName } from '../words/names.ts';
import { barLegend, deadlineWords, timeLeftWords, UNVERIFIED } from './timeWords.ts';
import { type ScreenList, type TimeContext, workloadColumn } from './screenList.ts';

type Task = EvictionTaskExplanation;

/** Evictions in progress, on every screen that lists them. */
export const evictionTasks: ScreenList<Task, TimeContext> = {
  one: 'eviction',
  key: (task) => `${snapshotKey(task.binding)} ${task.fromCluster}`,
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
    workloadColumn(({ workload }) => workload),
    {
      name: 'FROM',
      words: ({ fromCluster }) => fromCluster,
      order: ({ fromCluster }) => fromCluster,
      least: 10,
    },
    {
      name: 'TO',
      words: ({ toClusters }) => (toClusters.length === 0 ? asBad('nowhere') : placementText(toClusters)),
      order: ({ toClusters }) => placementText(toClusters),
      least: 10,
      leaves: 4,
    },
    {
      name: 'AGE',
      words: (task, { now }) => ageText(task, now),
      order: ({ createdAt }) => (createdAt === null ? 0 : instant(createdAt)),
      leaves: 5,
    },
    {
      name: 'DEADLINE',
      words: ofDeadline,
      short: timeLeft,
      legend: barLegend,
      order: ({ deadline }) => (deadline === null ? Infinity : instant(deadline)),
      leaves: 2,
    },
    {
      name: 'THEN',
      words: ({ outcome, certainty }) => [
        outcomeTone(outcome, outcome),
        certainty === 'certain' ? '' : asFaint(` (${certainty})`),
      ],
      short: ({ outcome, certainty }) => [
        outcomeTone(outcome, outcome),
        certainty === 'certain' ? '' : asFaint('?'),
      ],
      order: severityOf,
      least: 8,
      leaves: 1,
    },
    {
      name: 'STATE',
      words: ({ verdict }) => verdictWords(verdict),
      order: ({ verdict }) => STATES.indexOf(verdict),
    },
    {
      name: 'WAITS FOR',
      words: ({ waitingFor, verdict, consequence }) =>
        waitingFor ?? (isEnding(verdict) ? asFaint(consequence) : ''),
      order: ({ waitingFor }) => waitingFor ?? '',
      least: 18,
      leaves: 3,
    },
  ],
};

/** The states by urgency. */
const STATES: readonly EvictionVerdict[] = ['overdue', 'stuck', 'held', 'new', 'waiting', 'ends-now'];

/** Those that end in a loss first, then stuck ones, then by deadline. */
export function bySeverity(tasks: readonly Task[]): Task[] {
  const danger = ({ outcome, down, atDeadline }: Task) =>
    outcome === 'lost' || down || atDeadline === 'lost' ? 0 : 1;
  const due = ({ deadline }: Task) => (deadline === null ? Infinity : instant(deadline));
  return tasks.toSorted(
    (a, b) =>
      danger(a) - danger(b) ||
      STATES.indexOf(a.verdict) - STATES.indexOf(b.verdict) ||
      (due(a) === due(b) ? 0 : due(a) - due(b)),
  );
}

function verdictWords(verdict: EvictionVerdict): Words {
  if (verdict === 'stuck' || verdict === 'overdue') return asBad(verdict);
  if (verdict === 'held') return asWarning('held');
  return verdict === 'ends-now' ? asGood('ends now') : verdict;
}

function ageText({ createdAt }: Task, now: number): Words {
  return createdAt === null ? asFaint('new') : age(instant(createdAt), now);
}

function ofDeadline({ createdAt, deadline, deadlineAssumed, verdict }: Task, context: TimeContext): Words {
  if (deadline === null) return '';
  const start = createdAt === null ? context.now : instant(createdAt);
  const words = deadlineWords(start, instant(deadline), verdict === 'stuck', context);
  return deadlineAssumed ? [words, asWarning(UNVERIFIED)] : words;
}

function timeLeft({ deadline, deadlineAssumed }: Task, { now }: TimeContext): Words {
  if (deadline === null) return '';
  const words = timeLeftWords(instant(deadline), now);
  return deadlineAssumed ? [words, asWarning(UNVERIFIED)] : words;
}

/**
 * "3 lost (2 uncertain), 3 stuck": tasks that need attention; nothing if none does.
 * @param brief on narrow screens: "3 lost (2?), 3 stuck"
 */
export function evictionTrouble(tasks: readonly Task[], brief = false): Words[] {
  const stuck = tasks.filter(({ verdict }) => verdict === 'stuck').length;
  return [
    ...evictionLosses(tasks, brief ? '?' : ' uncertain'),
    ...(stuck > 0 ? [asBad(`${stuck} stuck`)] : []),
  ];
}
