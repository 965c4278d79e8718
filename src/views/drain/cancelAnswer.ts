import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TargetCluster } from '../../karmada/api/work.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { inOrder, type Answer } from '../answer.ts';
import { duration } from '../duration.ts';
import { placementText } from '../placement.ts';
import type { Style } from '../style.ts';
import { columns, table } from '../table.ts';
import { workloadName } from '../workloadName.ts';

/** What taking back a drain would do, as `planCancel` finds it. */
export interface CancelView {
  clusters: { name: string; change: 'uncordoned' | 'unmarked' | 'as-it-is' | 'not-there' }[];
  restored: {
    workload: ObjectIdentity;
    binding: ObjectIdentity;
    to: TargetCluster[];
    given: TargetCluster[];
    note?: string;
  }[];
  left: { workload: ObjectIdentity; binding: ObjectIdentity; from: string[]; reason: string }[];
  /** clusters of the same drain that stay cordoned; `held`: workloads whose old copies are kept there */
  remaining: { name: string; held: number }[];
}

/** What taking back a drain would do. `now` is epoch milliseconds; `dryRun` as for a plan. */
export function cancelAnswer(plan: CancelView, { now, dryRun }: { now: number; dryRun: string }): Answer {
  const { clusters, restored, left, remaining } = plan;
  return {
    document: {
      kind: 'DrainCancelPlan',
      schemaVersion: 'v1',
      now: rfc3339Milliseconds(now),
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
    names: () => restored.map(({ workload }) => `${workload.kind.toLowerCase()}/${workload.name}`),
    text({ style, noHeaders }) {
      const rows = restored.map(({ workload, to, given, note = '' }) => [
        workloadName(workload),
        placementText(to),
        placementText(given),
        note,
      ]);
      const sections = [
        [
          ...clusters.map((one) => clusterText(one, dryRun, style)),
          ...remaining.map((one) => style.warn(remainingText(one))),
        ].join('\n'),
        rows.length > 0 ? table(['PUT BACK', 'ON', 'TAKEN FROM', 'NOTE'], rows, { noHeaders }) : '',
        leftText(plan, style),
        noHeaders ? '' : summary(plan, dryRun),
      ];
      return sections.filter((section) => section !== '').join('\n\n');
    },
  };
}

function clusterText({ name, change }: CancelView['clusters'][number], dryRun: string, style: Style): string {
  switch (change) {
    case 'uncordoned':
      return dryRun === '' ? `cluster/${name} is to be uncordoned` : `cluster/${name} uncordoned${dryRun}`;
    case 'unmarked':
      return `cluster/${name} is not cordoned; the mark of the drain is removed${dryRun}`;
    case 'as-it-is':
      return `cluster/${name} is neither cordoned nor drained${dryRun}`;
    case 'not-there':
      return style.bad(`cluster/${name} does not exist`);
  }
}

/** A drain of several clusters is taken back for some of them: what it leaves of the others. */
function remainingText({ name, held }: CancelView['remaining'][number]): string {
  const copies = held === 0 ? '' : `, with ${held} old ${held === 1 ? 'copy' : 'copies'} held there`;
  return `cluster/${name} stays cordoned${copies}: the drain of it can be gone on with (drain ${name}) or taken back (drain ${name} --cancel)`;
}

function leftText({ left }: CancelView, style: Style): string {
  if (left.length === 0) return '';
  const rows = left.map(({ workload, reason }) => [workloadName(workload), style.faint(reason)]);
  return `Not put back:\n${columns(rows, 2)}`;
}

/** Seen on Karmada: where a cluster loses the taint, its scheduler places what is duplicated anew. */
const GONE =
  'What has left altogether is not put back; of what belongs on every cluster, Karmada itself makes a new copy.';

function summary({ clusters, restored, left }: CancelView, dryRun: string): string {
  const isUncordoned = clusters.some(({ change }) => change === 'uncordoned');
  if (restored.length + left.length === 0)
    return `No workload is under way, so none is put back${dryRun}.${isUncordoned ? ` ${GONE}` : ''}`;
  const back = restored.length === 1 ? '1 workload is put back' : `${restored.length} workloads are put back`;
  const stay =
    left.length === 0 ? '' : `, ${left.length} ${left.length === 1 ? 'stays' : 'stay'} where it is now`;
  return `${back}${stay.replace('stay where it is', 'stay where they are')}${dryRun}. ${GONE}`;
}

/** How the taking back of a drain ended. */
export interface CancelResultView {
  outcome: 'done' | 'not-finished';
  reason?: string;
  restored: number;
  left: CancelView['left'];
  remaining: CancelView['remaining'];
  seconds: number;
}

export function cancelResultDocument({
  outcome,
  reason,
  restored,
  left,
  remaining,
  seconds,
}: CancelResultView) {
  return {
    kind: 'DrainCancelResult',
    schemaVersion: 'v1',
    outcome,
    ...(reason === undefined ? {} : { reason }),
    restored,
    left,
    remaining,
    seconds: Math.round(seconds * 1000) / 1000,
  };
}

export function cancelResultText(result: CancelResultView, clusters: string[], style: Style): string {
  const { outcome, reason, restored, left, remaining, seconds } = result;
  const back = restored === 1 ? '1 workload is back' : `${restored} workloads are back`;
  const counts = left.length === 0 ? back : `${back}, ${left.length} not put back`;
  const time = duration(seconds * 1000);
  const others = remaining.map((one) => `\n${style.warn(remainingText(one))}`).join('');
  if (outcome === 'done')
    return `${style.good(`The drain of ${clusters.join(', ')} is taken back`)}: ${counts}, after ${time}${others}`;
  return `${style.warn(`Not finished${reason ? `: ${reason}` : ''}`)}\n${counts}, after ${time}${others}`;
}
