import { documentSummary } from '../documentSummary.ts';
import type {
  DrainOutcome,
  DrainPlan,
  PlannedWorkload,
  DrainRefusal,
} from '../../analysis/drain/plan/drainPlan.ts';
import type { PlanBasis } from '../../analysis/drain/plan/planBasis.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Block, TreeNode, Words } from '../../presentation/model.ts';
import { asBad, asFaint, lineBlocks, asStrong, asWarning } from '../../presentation/words.ts';
import { type Answer, type Shown, type ViewNames, inOrder } from '../answer.ts';
import { type AnsweredAssumption, assumptionBlocks } from '../assumptions.ts';
import { listed, plural } from '../words/amounts.ts';
import { duration as durationText } from '../words/duration.ts';
import { resourceName, workloadIn, workloadName } from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';
import { outcomeDocument } from '../words/outcomeWords.ts';
import { eventDocument } from '../words/timelineEvent.ts';
import { planClusterTable, planWorkloadTable } from './planTables.ts';
import { dependencyLines, doubtLines, outcomeRows } from './planFates.ts';
import { type OverrideNames, refusalMessage } from './beforeDrain.ts';

interface PlanAnswerInput {
  plan: DrainPlan;
  basis: PlanBasis;
  assumptions: AnsweredAssumption[];
  /** kubectl's suffix for the lines of a dry run: " (dry run)", " (server dry run)", or nothing */
  dryRun: string;
  names: ViewNames;
  /** the words of the next command unless the plan is refused; absent: there is none, or it is shown elsewhere */
  next?: readonly string[] | undefined;
  /** the workloads are in the requested order */
  ordered?: boolean;
}

/**
 * The effect of a drain: its duration, the outcome of the workloads, the utilization of other clusters, and the
 * refusals. With `wide` one line per workload.
 */
export function planAnswer(input: PlanAnswerInput): Answer {
  const { plan, basis, assumptions, dryRun, names, ordered = false } = input;
  return {
    get document() {
      return planDocument(plan, basis, assumptions, names);
    },
    list: {
      field: 'workloads',
      inOrder: (positions) =>
        planAnswer({
          ...input,
          plan: { ...plan, workloads: inOrder(plan.workloads, positions) },
          ordered: true,
        }),
    },
    names: () => plan.workloads.filter(({ order }) => order !== undefined).map(resourceName),
    presentation(shown) {
      const { wide, noHeaders } = shown;
      if (noHeaders) return { blocks: planWorkloadTable(plan, ordered) };
      const whole: Block = { type: 'paragraph', words: drainHeadline(plan, dryRun) };
      const refusals: Block = {
        type: 'tree',
        nodes: plan.refusals.map((refusal) => refusalNode(refusal, { ...shown, names })),
      };
      const isRefused = plan.refusals.some(({ accepted }) => !accepted);
      return {
        blocks: [
          ...(isRefused
            ? [refusals, ...nextSteps(plan, shown), whole]
            : [whole, ...(input.next ? nextStep(input.next, shown) : []), refusals]),
          { type: 'section', inset: true, blocks: [{ type: 'rows', rows: outcomeRows(plan) }] },
          ...(wide ? planWorkloadTable(plan, ordered) : []),
          planClusterTable(plan.clusters, shown),
          {
            type: 'section',
            detail: 'dependencies and estimates',
            blocks: lineBlocks([...dependencyLines(plan), ...doubtLines(plan), ...unsettledBlock(plan)]),
          },
          {
            type: 'section',
            blocks: [
              ...assumptionBlocks(wide ? assumptions : relevant(assumptions, plan.options), shown),
              ...(wide || plan.workloads.length === 0
                ? []
                : [
                    {
                      type: 'section' as const,
                      detail: 'one line per workload (-o wide)',
                      blocks: lineBlocks([asFaint('-o wide shows one line per workload.')]),
                    },
                  ]),
            ],
          },
        ],
      };
    },
  };
}

/** The command that explains the first workload that blocks the drain. */
function nextSteps({ refusals, options }: DrainPlan, shown: Shown): Block[] {
  const first = refusals.find(({ accepted, workloads }) => !accepted && workloads.length > 0)?.workloads[0];
  if (!first) return [];
  return nextStep(['explain', workloadName(first), ...options.clusters.map(shown.names.ifFails)], shown);
}

/** Outcomes of workloads that leave by their own eviction. */
const MOVED = new Set<DrainOutcome>(['moves', 'partly-moves', 'leaves']);

/** Whether a workload follows others, even if it stays because they stay. Older saved plans have only the outcome. */
function isFollower({ fate, requiredBy }: PlannedWorkload): boolean {
  return fate === 'follows' || requiredBy !== undefined;
}

/** A plan in one sentence. */
export function drainHeadline({ workloads, options, duration, clusters }: DrainPlan, dryRun: string): Words {
  const { pace, method } = options;
  const names = asStrong(listed(options.clusters));
  const runs = options.clusters.length === 1 ? 'runs' : 'run';
  if (workloads.length === 0)
    return [
      names,
      ` ${runs} no workloads. Draining cordons ${options.clusters.length === 1 ? 'it' : 'them'} and moves nothing${dryRun}`,
    ];
  const replicas = clusters
    .filter(({ drained }) => drained)
    .reduce((sum, { before }) => sum + before.replicas, 0);
  // followers are not counted on the clusters either
  const followers = workloads.filter(isFollower).length;
  const isOn = ({ before }: PlannedWorkload) => before.some(({ name }) => options.clusters.includes(name));
  const leaving = workloads.filter((one) => !isOn(one)).length;
  const count = `${plural(workloads.length - followers - leaving, 'workload')}${followers === 0 ? '' : ` and ${followers} that ${followers === 1 ? 'follows' : 'follow'}`}`;
  const left = leaving === 0 ? '' : `; ${leaving} ${leaving === 1 ? 'is' : 'are'} leaving already`;
  const runsNow = ` ${runs} ${count}, ${plural(replicas, 'replica')}`;
  const has = `${runsNow}${left}`;
  const deleted = clusters.filter((one) => one.deleted).map(({ name }) => name);
  if (deleted.length > 0 && deleted.length === options.clusters.length)
    return [
      names,
      `${has}. ${deleted.length === 1 ? 'It is' : 'They are'} being deleted: the scheduler moves what is there, with or without a drain${dryRun}`,
    ];
  const onTheWay = workloads.filter(({ fate, order }) => order === undefined && MOVED.has(fate)).length;
  if (onTheWay > 0 && !workloads.some(({ order }) => order !== undefined))
    return [names, `${runsNow}. All evictions have started: ${onTheWay} in flight${dryRun}`];
  if (!workloads.some(({ order }) => order !== undefined))
    return [
      names,
      `${has}. A ${method === 'taint' ? 'taint' : 'drain'} now would evict none of them${dryRun}`,
    ];
  const rate = method === 'taint' ? 'by a NoExecute taint' : `at ${pace.evictionRate} evictions/s`;
  const down = clusters.filter(({ drained, ready }) => drained && ready !== 'True').map(({ name }) => name);
  // Copies on a cluster that is not Ready are deleted once it is Ready again.
  if (down.length > 0 && workloads.some((one) => isLateOn(one, down)))
    return [
      names,
      `${has}. Drained now ${rate}, the last old copies are deleted once ${listed(down, 8, ' and ')} ${down.length === 1 ? 'is' : 'are'} Ready again${dryRun}`,
    ];
  return [names, `${has}. Drained now ${rate}, it takes ${timeText(duration)}${dryRun}`];
}

/** Whether a workload's old copy is still on one of these clusters at the end, although it must leave. */
function isLateOn({ from, goneAt, fate, order }: PlannedWorkload, clusters: string[]): boolean {
  const leaves = order !== undefined || MOVED.has(fate) || fate === 'lost';
  return leaves && goneAt === undefined && from.some(({ name }) => clusters.includes(name));
}

/** A lower bound below this fraction of the expected time is meaningless. */
const MEANINGFUL = 0.1;

/** "about 7m10s (5m to 12m)" */
function timeText({ shortest, expected, longest }: DrainPlan['duration']): string {
  const about = `about ${secondsText(expected)}`;
  if (longest === undefined) {
    const least = shortest < MEANINGFUL * expected ? '' : `at least ${secondsText(shortest)}, `;
    return `${about} (${least}longer if replacements are slow)`;
  }
  const [from, to] = [secondsText(shortest), secondsText(longest)];
  return from === to ? about : `${about} (${from} to ${to})`;
}

const secondsText = (seconds: number) => durationText(Math.round(seconds) * 1000);

function unsettledBlock({ atRest }: DrainPlan): Words[] {
  if (atRest) return [];
  return [
    asWarning('The simulation still changes at its end; pending evictions are shown as they are then.'),
  ];
}

function refusalNode(refusal: DrainRefusal, { wide, names }: Shown): TreeNode {
  const words = refusal.accepted
    ? asWarning(`Accepted by ${names.accept[refusal.risk]}: ${refusalMessage(refusal, names, wide)}`)
    : asBad(`Refused: ${refusalMessage(refusal, names, wide)}`);
  return { words, children: wide ? refusal.workloads.map((one) => ({ words: workloadName(one) })) : [] };
}

/** The gates and flags that matter most to a drain; -o wide and the document have all of them. */
const RELEVANT = new Set([
  'now',
  'karmadaVersion',
  'ClusterTaintPolicies',
  'workloadReadyAfter',
  'GracefulEviction',
  'graceful-eviction-timeout',
  'evict-plugins',
  'enable-scheduler-estimator',
]);
/** and those of a drain by taint, where Karmada itself evicts */
const RELEVANT_TO_TAINTS = new Set([
  'Failover',
  'enable-taint-manager',
  'enable-no-execute-taint-eviction',
  'no-execute-taint-eviction-purge-mode',
  'resource-eviction-rate',
]);

function relevant(assumptions: AnsweredAssumption[], { method }: DrainPlan['options']): AnsweredAssumption[] {
  return assumptions.filter(
    ({ name }) => RELEVANT.has(name) || (method === 'taint' && RELEVANT_TO_TAINTS.has(name)),
  );
}

/** A plan for JSON output and for saving. Times are RFC 3339, durations seconds. */
export function planDocument(
  plan: DrainPlan,
  basis: PlanBasis,
  assumptions: AnsweredAssumption[],
  names: OverrideNames,
) {
  const { now, options, karmadaVersion, cordons, workloads, clusters, refusals, duration } = plan;
  return {
    kind: 'DrainPlan' as const,
    schemaVersion: 'v1',
    karmadaVersion,
    now: rfc3339Milliseconds(now),
    options,
    assumptions,
    summary: documentSummary(
      { clusters: options.clusters, workloads, refusals },
      { outcomes: workloads.flatMap(({ outcome }) => outcome ?? []) },
    ),
    durationSeconds: duration,
    atRest: plan.atRest,
    refusals: refusals.map((refusal) => ({
      ...refusal,
      flag: names.accept[refusal.risk],
      message: refusalMessage({ ...refusal, accepted: false }, names),
    })),
    cordons,
    workloads: workloads.map(workloadDocument),
    clusters,
    events: plan.events.map((event) => eventDocument(event, now)),
    standsOn: basis,
  };
}

function workloadDocument({
  evictedAt,
  readyAt,
  goneAt,
  until,
  deletedReady,
  flapping,
  ...rest
}: PlannedWorkload) {
  const time = (name: string, value: number | undefined) =>
    value === undefined ? {} : { [name]: rfc3339Milliseconds(value) };
  return {
    workload: workloadIn(rest),
    ...rest,
    dependsOn: rest.dependsOn ?? [],
    ...outcomeDocument({ deletedReady, flapping }),
    ...time('evictedAt', evictedAt),
    ...time('readyAt', readyAt),
    ...time('goneAt', goneAt),
    ...time('until', until),
  };
}
