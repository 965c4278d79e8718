import type { KubernetesObject, Taint } from '../../src/karmada/api/meta.ts';
import type { Api } from './controlPlane/api.ts';
import { collectionOf, createAll } from './workloads.ts';

export interface Target {
  kind: string;
  namespace?: string;
  name: string;
}

/** An event of scenario files; `health`, which members report, is caused elsewhere. */
export type Happening =
  | { taint: { cluster: string; key: string; effect: Taint['effect'] } }
  | { untaint: { cluster: string; key: string; effect: Taint['effect'] } }
  | { patch: Target & { merge: object } }
  | { apply: KubernetesObject[] }
  | { delete: Target }
  | { condition: { cluster: string; type: string; status: string; reason: string } }
  | { health: Target & { cluster: string; status: 'Healthy' | 'Unhealthy' } };

/** API versions of objects that events change, by kind; created objects contain theirs. */
const versions: Record<string, string> = {
  Cluster: 'cluster.karmada.io/v1alpha1',
  ClusterPropagationPolicy: 'policy.karmada.io/v1alpha1',
  ClusterTaintPolicy: 'policy.karmada.io/v1alpha1',
  ConfigMap: 'v1',
  DaemonSet: 'apps/v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  Namespace: 'v1',
  PropagationPolicy: 'policy.karmada.io/v1alpha1',
  ResourceBinding: 'work.karmada.io/v1alpha2',
  Secret: 'v1',
  Service: 'v1',
  StatefulSet: 'apps/v1',
  Widget: 'e2e.karmada-failover/v1',
  Work: 'work.karmada.io/v1alpha1',
};

/** The path of an object in the API. Throws for kinds without events. */
export function pathOf({ kind, namespace, name }: Target): string {
  const apiVersion = versions[kind];
  if (!apiVersion) throw new Error(`where the API keeps a ${kind} is not known here`);
  return `${collectionOf(apiVersion, kind, namespace)}/${name}`;
}

/** Carries out a real event. Throws the API server's refusal. */
export async function enact(api: Api, happening: Happening): Promise<void> {
  if ('patch' in happening) await api.merge(pathOf(happening.patch), happening.patch.merge);
  else if ('apply' in happening) await createAll(api, happening.apply);
  else if ('delete' in happening)
    await api.remove(`${pathOf(happening.delete)}?propagationPolicy=Background`);
  else if ('taint' in happening) await writeTaint(api, happening.taint, true);
  else if ('untaint' in happening) await writeTaint(api, happening.untaint, false);
  else if ('condition' in happening) await writeCondition(api, happening.condition);
}

async function writeCondition(
  api: Api,
  { cluster, ...condition }: { cluster: string; type: string; status: string; reason: string },
): Promise<void> {
  const path = pathOf({ kind: 'Cluster', name: cluster });
  const { status } = await api.get<{ status?: { conditions?: { type: string }[] } }>(path);
  const others = (status?.conditions ?? []).filter(({ type }) => type !== condition.type);
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = [...others, { ...condition, message: '', lastTransitionTime }];
  await api.merge(`${path}/status`, { status: { conditions } });
}

async function writeTaint(
  api: Api,
  { cluster, key, effect }: { cluster: string } & Pick<Taint, 'key' | 'effect'>,
  wanted: boolean,
): Promise<void> {
  const path = pathOf({ kind: 'Cluster', name: cluster });
  const { spec } = await api.get<{ spec?: { taints?: Taint[] } }>(path);
  const others = (spec?.taints ?? []).filter((taint) => taint.key !== key || taint.effect !== effect);
  const taints = wanted ? [{ key, effect }, ...others] : others;
  await api.merge(path, { spec: { taints } });
}
