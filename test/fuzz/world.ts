import { readFileSync } from 'node:fs';

export type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
export type Manifest = { [field: string]: Json };

const WORKLOADS = ['checkout', 'ledger', 'support-readonly'];
const CLUSTERS = ['frankfurt', 'virginia', 'dublin'];

/** A small control plane during a failure: two tasks in progress, policies, and Karmada's own components. */
export function smallWorld(): Manifest[] {
  const read = (file: string) =>
    (JSON.parse(readFileSync(`examples/incident/${file}`, 'utf8')) as { items: Manifest[] }).items;
  const items = read('control-plane.json').filter((object) => {
    const { name, namespace } = object['metadata'] as { name: string; namespace?: string };
    if (object['kind'] === 'Cluster') return CLUSTERS.includes(name);
    if (object['kind'] === 'Work' && !CLUSTERS.some((one) => namespace === `karmada-es-${one}`)) return false;
    return object['kind'] === 'ClusterTaintPolicy' || WORKLOADS.some((one) => name.startsWith(one));
  });
  return [...items, ...read('karmada-system.json')];
}

/** A policy of each kind, as people write them. */
export const policies = `apiVersion: policy.karmada.io/v1alpha1
kind: ClusterTaintPolicy
metadata:
  name: evict-when-unready
spec:
  targetClusters:
    clusterNames: [frankfurt]
  addOnConditions:
    - conditionType: Ready
      operator: In
      statusValues: ["False"]
  removeOnConditions:
    - conditionType: Ready
      operator: In
      statusValues: ["True"]
  taints:
    - key: shop.example/unready
      effect: NoSchedule
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: checkout
  namespace: shop
spec:
  resourceSelectors:
    - {apiVersion: apps/v1, kind: Deployment, name: checkout}
  placement:
    clusterAffinity:
      clusterNames: [virginia, dublin]
    replicaScheduling:
      replicaSchedulingType: Divided
`;

/** A scenario with every event. */
export const scenario = `start: 2026-09-01T09:35:00Z
until: 20m
assume:
  featureGates: {Failover: true}
  workloadReadyAfter: 30s
  neverReady:
    - {kind: Deployment, namespace: shop, name: checkout, cluster: dublin}
events:
  - {at: 0s, fail: virginia}
  - {at: 1m, condition: {cluster: dublin, type: Ready, status: "False", reason: Down, message: gone}}
  - {at: 2m, taint: {cluster: dublin, key: shop.example/x, value: "1", effect: NoSchedule}}
  - {at: 3m, untaint: {cluster: dublin, key: shop.example/x}}
  - {at: 4m, health: {kind: Deployment, namespace: shop, name: checkout, cluster: dublin, status: Unhealthy}}
  - {at: 5m, patch: {kind: Deployment, namespace: shop, name: checkout, merge: {spec: {replicas: 2}}}}
  - {at: 6m, delete: {kind: Deployment, namespace: shop, name: checkout}}
  - {at: 9m, recover: virginia}
`;
