import { hasOneQueue } from '../../../karmada/taints/taintEviction.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { paceEvidence, paceInWords, queuePace } from '../../../karmada/taints/evictionPace.ts';
import { abandonedBecause, matchingNames } from '../../../karmada/taints/preScheduling.ts';
import { holds, type FailoverLink, type LinkQuestion } from './link.ts';

/**
 * Whether the eviction queue of the design optimize-cluster-failover lets the workload go: its pace by the clusters as
 * they are, and whether there is a cluster to move to.
 */
export function queueLinks({ binding, clusters, fleet, configuration }: LinkQuestion): FailoverLink[] {
  const { rules, controllerManager } = configuration;
  if (!hasOneQueue(rules)) return [];
  const pace = queuePace(fleet, controllerManager);
  const text = `the eviction queue ${paceInWords(pace)}: ${pace.reason}`;
  const evidence = [paceEvidence(pace)];
  const paceLink: FailoverLink =
    pace.mode === 'normal' && pace.rate > 0
      ? holds('eviction-pace', text, evidence)
      : { id: 'eviction-pace', state: pace.rate > 0 ? 'limits' : 'broken', text, evidence };
  if (!rules.taints.preScheduling) return [paceLink];
  const matching = matchingNames(fleet, rules);
  const abandoned = clusters.flatMap(({ metadata: { name } }): FailoverLink[] => {
    const why: Evidence[] = [];
    const reason = abandonedBecause(binding, name, matching, why);
    if (reason === undefined) return [];
    return [
      {
        id: 'pre-scheduling',
        state: 'broken',
        text: `its eviction from ${name} would be abandoned: ${reason}`,
        fix: 'let the placement select more clusters; a Duplicated workload needs a spread constraint, too',
        evidence: why,
      },
    ];
  });
  return [paceLink, ...abandoned];
}
