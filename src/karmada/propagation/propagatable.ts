import type { KubernetesObject } from '../api/meta.ts';
import { executionCluster } from '../api/names.ts';

const RESERVED_NAMESPACES = ['karmada-system', 'karmada-cluster'];

// groups of Karmada's own resources and of events
const SKIPPED_GROUPS = [
  'cluster.karmada.io',
  'policy.karmada.io',
  'work.karmada.io',
  'config.karmada.io',
  'networking.karmada.io',
  'autoscaling.karmada.io',
  'remedy.karmada.io',
  'apps.karmada.io',
  'events.k8s.io',
];

/** Set on a template that is propagated by something other than policies. */
const CLAIMED_BY_LABEL = 'resourcetemplate.karmada.io/claimed-by';

/**
 * Whether policies may propagate an object: the detector's filters, with the defaults of the flags
 * --skipped-propagating-apis and --skipped-propagating-namespaces ("kube-.*", which may match anywhere in the name).
 */
export function isPropagatable({ apiVersion, kind, metadata }: KubernetesObject): boolean {
  const { namespace = '', labels } = metadata;
  const slash = apiVersion.lastIndexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  if (SKIPPED_GROUPS.includes(group) || apiVersion === 'coordination.k8s.io/v1') return false;
  if (apiVersion === 'v1' && kind === 'Event') return false;
  if (RESERVED_NAMESPACES.includes(namespace) || executionCluster(namespace) !== undefined) return false;
  return !namespace.includes('kube-') && !labels?.[CLAIMED_BY_LABEL];
}
