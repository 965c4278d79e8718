import type { Cluster } from '../../karmada/api/cluster.ts';
import { CLUSTER_CONDITION_READY } from '../../karmada/names.ts';
import type { View } from './view.ts';

/** Whether the Ready condition of a cluster is True, whatever its member does. */
export function isReady(cluster: Cluster | undefined): boolean {
  return (cluster?.status?.conditions ?? []).some(
    ({ type, status }) => type === CLUSTER_CONDITION_READY && status === 'True',
  );
}

/**
 * Whether the process runs that handles the Works of a cluster: the controller manager for Push members, the member's
 * karmada-agent for Pull members.
 */
export function isHandled(view: View, cluster: string): boolean {
  if (view.get('Cluster', cluster)?.spec?.syncMode !== 'Pull') return true;
  return view.get('Member', cluster)?.agent?.running ?? true;
}

/** Whether the API server of a member answers. */
export function isUp(view: View, cluster: string): boolean {
  return view.get('Member', cluster)?.up ?? isReady(view.get('Cluster', cluster));
}
