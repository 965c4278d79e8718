import type { TroubleCounts, WorkloadSummary } from '../../analysis/explanation/workloadNow.ts';
import type { Words } from '../../presentation/model.ts';
import { bad, good, warn } from '../../presentation/words.ts';
import { plural } from './amounts.ts';

/** The state of a workload now, with the clusters concerned: "down: 0 of 3 ready, frankfurt not Ready". */
export function stateWords({ state, where, ready, copies, refused }: WorkloadSummary): Words {
  const on = where.join(', ');
  const count = ready ? `${ready.ready} of ${ready.wanted} ready` : '';
  switch (state) {
    case 'running':
      return good('running');
    case 'down':
      return bad(`down: ${count}${on && `, ${on} not Ready`}`);
    case 'unplaced':
      return bad(`not placed${refused ? `: ${refused}` : ''}`);
    case 'unscheduled':
      return bad(`not rescheduled${refused ? `: ${refused}` : ''}`);
    case 'unhealthy':
      return bad(`unhealthy on ${on}`);
    case 'evicting':
      return warn(`leaves ${on}`);
    case 'stale':
      return warn(`${on} not ready`);
    case 'unapplied':
      return warn(`not applied on ${on}`);
    case 'starting':
      return `starts on ${on}`;
    case 'short':
      return warn(copies ? `${copies.placed} of ${copies.wanted} copies` : count);
  }
}

/**
 * "2 workloads down, 1 more in trouble": the number of workloads in trouble.
 * @param brief only the worst part
 */
export function troubleCounts({ down, all }: TroubleCounts, brief = false): Words[] {
  const others = all - down;
  if (down === 0) return others === 0 ? [] : [warn(`${plural(others, 'workload')} in trouble`)];
  const more = others === 0 || brief ? [] : [warn(`${others} more in trouble`)];
  return [bad(`${plural(down, 'workload')} down`), ...more];
}
