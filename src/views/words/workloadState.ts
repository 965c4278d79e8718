import type { TroubleCounts, WorkloadSummary } from '../../analysis/explanation/workloadNow.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asGood, asWarning } from '../../presentation/words.ts';
import { plural } from './amounts.ts';

/** The state of a workload now, with the clusters concerned: "down: 0 of 3 ready, frankfurt not Ready". */
export function stateWords({ state, where, ready, copies, refused }: WorkloadSummary): Words {
  const on = where.join(', ');
  const count = ready ? `${ready.ready} of ${ready.wanted} ready` : '';
  switch (state) {
    case 'running':
      return asGood('running');
    case 'down':
      return asBad(`down: ${count}${on && `, ${on} not Ready`}`);
    case 'unplaced':
      return asBad(`not placed${refused ? `: ${refused}` : ''}`);
    case 'unscheduled':
      return asBad(`not rescheduled${refused ? `: ${refused}` : ''}`);
    case 'unhealthy':
      return asBad(`unhealthy on ${on}`);
    case 'evicting':
      return asWarning(`leaves ${on}`);
    case 'stale':
      return asWarning(`${on} not ready`);
    case 'unapplied':
      return asWarning(`not applied on ${on}`);
    case 'starting':
      return `starts on ${on}`;
    case 'short':
      return asWarning(copies ? `${copies.placed} of ${copies.wanted} copies` : count);
  }
}

/**
 * "2 workloads down, 1 more in trouble": the number of workloads in trouble.
 * @param brief only the worst part
 */
export function troubleCounts({ down, all }: TroubleCounts, brief = false): Words[] {
  const others = all - down;
  if (down === 0) return others === 0 ? [] : [asWarning(`${plural(others, 'workload')} in trouble`)];
  const more = others === 0 || brief ? [] : [asWarning(`${others} more in trouble`)];
  return [asBad(`${plural(down, 'workload')} down`), ...more];
}
