import { placedOn } from '../../karmada/objects/placement.ts';
import { sameTaint } from '../../karmada/objects/sameTaint.ts';
import { once } from '../store/indexes.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { deadPolicies } from '../../karmada/taints/deadPolicies.ts';
import { evictingTaints } from '../../karmada/taints/evictingTaints.ts';
import { missingBeginning } from '../../karmada/taints/windows/missingBeginning.ts';
import { taintWindows } from '../../karmada/taints/windows/taintWindows.ts';
import { estimate, type Doubt, type JudgedWorkload } from './doubt.ts';

/** Doubts about windows of ClusterTaintPolicies that run at the start, and whose beginning the state does not tell. */
export function windowDoubts(start: StartingWorld): (judged: JudgedWorkload) => Doubt[] {
  const open = once(() => windowsWithoutBeginning(start));
  return ({ initial: { spec }, evicted }) => {
    const on = new Set(placedOn(spec).map(({ name }) => name));
    // What is evicted may go to any cluster.
    const concerned = open().filter(({ cluster }) => evicted || on.has(cluster));
    return concerned.map(({ missing }) => estimate(missing));
  };
}

/** The clusters on which such a window runs, and what would settle when it ends; in a saved simulation all are known. */
function windowsWithoutBeginning(start: StartingWorld): { cluster: string; missing: string }[] {
  const { configuration, world, clusters, taintPolicies } = start;
  const { rules } = configuration;
  if (rules.api.taintPolicyForm !== 'windows' || world.simulation || deadPolicies(configuration)) return [];
  const policies = [...taintPolicies.values()];
  return [...clusters].flatMap(([name, cluster]) =>
    taintWindows(cluster, policies, undefined, start.start, rules.scheduling).windows.flatMap((window) => {
      const there = (cluster.spec?.taints ?? []).some((one) => sameTaint(one, window.taint));
      // It would change nothing, or has ended.
      if (there === (window.verb === 'adds') || window.ends <= start.start) return [];
      if (evictingTaints([window.taint], rules).length === 0) return [];
      const missing = missingBeginning(window.match, name);
      return missing === undefined ? [] : [{ cluster: name, missing }];
    }),
  );
}
