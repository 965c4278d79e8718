import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../src/karmada/api/policy.ts';

/** Karmada's own Deployments, with the flags that enable failover. */
export function componentDeployments(since: string): KubernetesObject[] {
  const flags: Record<string, string[]> = {
    'karmada-controller-manager': [
      '--feature-gates=Failover=true',
      '--enable-no-execute-taint-eviction=true',
    ],
    'karmada-scheduler': ['--feature-gates=Failover=true'],
    'karmada-webhook': ['--allow-no-execute-taint-policy=true'],
  };
  return Object.entries(flags).map(([name, own]) => {
    const command = [`/bin/${name}`, '--kubeconfig=/etc/karmada/config/karmada.config', ...own, '--v=2'];
    const labels = { app: name };
    const containers = [{ command, image: `docker.io/karmada/${name}:v1.18.2`, name }];
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { creationTimestamp: since, generation: 1, labels, name, namespace: 'karmada-system' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
      status: {
        availableReplicas: 2,
        observedGeneration: 1,
        readyReplicas: 2,
        replicas: 2,
        updatedReplicas: 2,
      },
    };
    return deployment;
  });
}

/** What makes a cluster that is not ready evict: a NoExecute taint while it is not ready. */
export function taintPolicies(since: string): ClusterTaintPolicy[] {
  return [
    ['not-ready', 'False'],
    ['unreachable', 'Unknown'],
  ].map(([key, status]) => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { creationTimestamp: since, generation: 1, name: `evict-when-${key}` },
    spec: {
      addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: [status!] }],
      removeOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: [status!] }],
      taints: [{ effect: 'NoExecute' as const, key: `cluster.karmada.io/${key}` }],
    },
  }));
}
