import { executionCluster } from '../api/names.ts';
import type { ControllerName } from './controller.ts';
import type { View } from './view.ts';

/**
 * Whether karmada-controller-manager looks at a key of a controller; the agent of a Pull member does that for its own
 * cluster.
 */
export function isControllerManagers(controller: ControllerName, key: string, view: View): boolean {
  switch (controller) {
    case 'scheduler':
    case 'kubelet':
      return false;
    case 'cluster-status':
      return !hasAgent(key, view);
    case 'execution-controller':
    case 'work-status':
      return !hasAgent(executionCluster(key.slice(0, key.indexOf('/'))), view);
    default:
      return true;
  }
}

function hasAgent(cluster: string | undefined, view: View): boolean {
  return cluster !== undefined && view.get('Member', cluster)?.agent !== undefined;
}
