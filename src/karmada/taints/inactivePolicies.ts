import { startsController } from '../dialects/controllerList.ts';
import type { Configuration } from '../configuration/configuration.ts';

/** Why no ClusterTaintPolicy has an effect: the gate is off, the version has none, or --controllers leaves out their controller. */
export type InactivePolicies = 'Failover' | 'version' | 'controllers';

/** Why no ClusterTaintPolicy has an effect; undefined if they do have one. */
export function inactivePolicies({
  rules,
  featureGates,
  controllerManager: { controllers },
}: Configuration): InactivePolicies | undefined {
  if (!rules.taints.clusterTaintPolicies) return 'version';
  if (!featureGates.Failover) return 'Failover';
  return startsController(controllers, 'clustertaintpolicy') ? undefined : 'controllers';
}
