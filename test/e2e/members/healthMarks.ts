/**
 * Where a test marks workloads as broken in a member: a ConfigMap in the member itself, so that nothing of it passes through Karmada. Its
 * data name a workload as `markKey` does.
 */
export const HEALTH_MARKS = { namespace: 'default', name: 'e2e-broken-workloads' };

/** The key of a workload in the ConfigMap: a kind, a namespace and a name make a valid one. */
export function markKey(kind: string, namespace: string, name: string): string {
  return `${kind}.${namespace}.${name}`;
}
