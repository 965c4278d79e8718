import { documentSummary } from '../documentSummary.ts';
import type { CancelPlan, CancelResult, RemainingCluster } from '../../analysis/drain/back/planCancel.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Block, Presentation, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asGood, inLines, lineBlocks, asWarning } from '../../presentation/words.ts';
import { type Answer, type ViewNames, inOrder } from '../answer.ts';
import { duration } from '../words/duration.ts';
import { nextStep } from '../words/nextStep.ts';
import { placementText, resourceName, workloadName } from '../words/names.ts';

/** The effect of cancelling a drain. `now` is epoch milliseconds; `dryRun` as for a plan. */
export function cancelAnswer(plan: CancelPlan, { now, dryRun }: { now: number; dryRun: string }): Answer {
  const { clusters, restored, left, remaining } = plan;
  return {
    document: {
      kind: 'DrainCancelPlan',
      schemaVersion: 'v1',
      now: rfc3339Milliseconds(now),
      summary: documentSummary({ clusters, restored, left, remaining }),
      clusters,
      restored,
      left,
      remaining,
    },
    list: {
      field: 'restored',
      inOrder: (positions) =>
        cancelAnswer({ ...plan, restored: inOrder(restored, positions) }, { now, dryRun }),
    },
    names: () => restored.map(({ workload }) => resourceName(workload)),
    presentation: (shown) => ({
      blocks: [
        {
          type: 'section',
          blocks: lineBlocks([
            ...clusters.map((one) => clusterWords(one, dryRun)),
            ...remaining.map((one) => asWarning(remainingText(one, shown.names))),
          ]),
        },
        restoredTable(restored),
        ...leftBlocks(left),
        ...(shown.noHeaders
          ? []
          : [...lineBlocks([summary(plan, dryRun)]), ...(dryRun === '' ? [] : nextStep(['status'], shown))]),
      ],
    }),
  };
}

function restoredTable(restored: CancelPlan['restored']): Block {
  return {
    type: 'table',
    columns: [
      { name: 'RESTORED' },
      { name: 'ON', wraps: 16 },
      { name: 'FROM', wraps: 16 },
      { name: 'NOTE', wraps: 30 },
    ],
    rows: restored.map(({ workload, to, given, note = '' }) => [
      workloadName(workload),
      placementText(to),
      placementText(given),
      note,
    ]),
    narrowing: [{ fold: { NOTE: '' } }, { fold: { ON: 'on', FROM: 'from' } }, { cut: 'RESTORED', to: 16 }],
  };
}

function clusterWords({ name, change }: CancelPlan['clusters'][number], dryRun: string): Words {
  switch (change) {
    case 'uncordoned':
      return dryRun === '' ? `cluster/${name} will be uncordoned` : `cluster/${name} uncordoned${dryRun}`;
    case 'unmarked':
      return `cluster/${name} is not cordoned; the drain annotation is removed${dryRun}`;
    case 'as-it-is':
      return `cluster/${name} is neither cordoned nor drained${dryRun}`;
    case 'not-there':
      return asBad(`cluster/${name} does not exist`);
  }
}

/** If a drain of several clusters is cancelled for some of them: its rest on the other clusters. */
function remainingText({ name, held }: RemainingCluster, names: ViewNames): string {
  const copies = held === 0 ? '' : `, with ${held} old ${held === 1 ? 'copy' : 'copies'} held there`;
  return `cluster/${name} stays cordoned${copies}: its drain can be resumed (${names.resumeDrain(name)}) or cancelled (${names.takeDrainBack(name)})`;
}

function leftBlocks(left: CancelPlan['left']): Block[] {
  if (left.length === 0) return [];
  const rows = left.map(({ workload, reason }) => [workloadName(workload), asFaint(reason)]);
  return [{ type: 'section', title: 'Not restored:', blocks: [{ type: 'rows', rows }] }];
}

/** Seen on Karmada: when a cluster loses the taint, the scheduler places duplicated workloads there again. */
const GONE = 'Workloads without a copy there are not restored; Duplicated ones return by themselves.';

function summary({ clusters, restored, left }: CancelPlan, dryRun: string): string {
  const isUncordoned = clusters.some(({ change }) => change === 'uncordoned');
  if (restored.length + left.length === 0)
    return `No drain is moving a workload: nothing to restore${dryRun}.${isUncordoned ? ` ${GONE}` : ''}`;
  const back = restored.length === 1 ? '1 workload is restored' : `${restored.length} workloads are restored`;
  const stay =
    left.length === 0 ? '' : `, ${left.length} ${left.length === 1 ? 'stays' : 'stay'} where it is now`;
  return `${back}${stay.replace('stay where it is', 'stay where they are')}${dryRun}. ${GONE}`;
}

/** The result of cancelling a drain, for json and yaml. */
export function cancelResultDocument({ outcome, reason, restored, left, remaining, seconds }: CancelResult) {
  return {
    kind: 'DrainCancelResult' as const,
    schemaVersion: 'v1',
    outcome,
    ...(reason === undefined ? {} : { reason }),
    restored,
    left,
    remaining,
    seconds: Math.round(seconds * 1000) / 1000,
  };
}

/** The same for people. */
export function cancelResultLines(result: CancelResult, clusters: string[], names: ViewNames): Presentation {
  const { outcome, reason, restored, left, remaining, seconds } = result;
  const back = restored === 1 ? '1 workload restored' : `${restored} workloads restored`;
  const counts = left.length === 0 ? back : `${back}, ${left.length} not restored`;
  const time = duration(seconds * 1000);
  const others = remaining.map((one) => asWarning(remainingText(one, names)));
  if (outcome === 'done')
    return inLines([
      [asGood(`The drain of ${clusters.join(', ')} is cancelled`), `: ${counts}, after ${time}`],
      ...others,
    ]);
  return inLines([
    asWarning(`Not finished${reason ? `: ${reason}` : ''}`),
    `${counts}, after ${time}`,
    ...others,
  ]);
}
