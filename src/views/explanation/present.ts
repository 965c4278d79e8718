import type { Strategy } from '../../engine/scheduling/strategy.ts';
import type { PresentState } from '../../engine/explanation/presentState.ts';
import type { WorkloadExplanation } from '../../engine/explanation/workloadExplanation.ts';
import { instant } from '../../kubernetes/time.ts';
import { objectText } from '../objectText.ts';
import { placementText } from '../placement.ts';
import { relativeTime } from '../relativeTime.ts';
import type { Style } from '../style.ts';
import { columns } from '../table.ts';

/** What it is, who places it and where it is. */
export function presentText(explanation: WorkloadExplanation, now: number, style: Style): string {
  const { workload, policy, binding, present, decision } = explanation;
  const title = [
    style.strong(objectText(workload)),
    policy ? objectText(policy) : objectText(binding),
    wantedText(present, decision.strategy),
  ].join('   ');
  return `${title}\n${columns(presentLines(explanation, now, style), 2)}`;
}

const STRATEGIES: Record<Strategy, string> = {
  Duplicated: 'on each cluster (Duplicated)',
  Aggregated: 'on few clusters (Divided, Aggregated)',
  StaticWeight: 'divided by static weight',
  DynamicWeight: 'divided by room (dynamic weight)',
};

function wantedText({ replicas }: PresentState, strategy: Strategy | undefined): string {
  if (replicas === null) return 'no replicas, a copy on each cluster';
  const count = `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`;
  return strategy ? `${count} ${STRATEGIES[strategy]}` : count;
}

function presentLines(explanation: WorkloadExplanation, now: number, style: Style): string[][] {
  const { present } = explanation;
  const { evictions, scheduled, upToDate, affinityGroup } = present;
  const lines = [['on', clustersText(present, style)]];
  if (affinityGroup !== undefined) lines.push(['group', affinityGroup]);
  for (const { fromCluster, replicas, waitingFor, consequence, deadline } of evictions) {
    const from = placementText([{ name: fromCluster, ...(replicas === null ? {} : { replicas }) }]);
    const waits = waitingFor ? `waits for ${waitingFor}` : 'ends now';
    const until = deadline ? `; at the latest ${relativeTime(instant(deadline), now)}` : '';
    lines.push(['leaves', `${from}, ${waits}${until}: ${consequence}`]);
  }
  if (explanation.attached)
    lines.push(['scheduler', 'does not place it: it goes where what requires it goes']);
  else if (scheduled && scheduled.status !== 'True')
    lines.push(['scheduler', style.bad(`${scheduled.reason}: ${scheduled.message}`)]);
  else if (!scheduled) lines.push(['scheduler', style.warn('has not scheduled it yet')]);
  else if (!upToDate) lines.push(['scheduler', style.warn('has not seen the present spec yet')]);
  return lines;
}

function clustersText({ clusters }: PresentState, style: Style): string {
  if (clusters.length === 0) return style.bad('no cluster');
  return clusters
    .map(({ name, replicas, health, stale }) => {
      const seen = health === null ? 'nothing reported' : health;
      const text = stale
        ? style.warn(`${seen} when last heard of`)
        : health === 'Healthy'
          ? ''
          : style.warn(seen);
      return `${placementText([{ name, replicas }])}${text ? ` (${text})` : ''}`;
    })
    .join(', ');
}
