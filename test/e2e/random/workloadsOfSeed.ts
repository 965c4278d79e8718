import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationSpec } from '../../../src/karmada/api/policy.ts';
import { widget } from '../members/playedKinds.ts';
import { deployment, policyFor } from '../workloads.ts';
import type { Chance } from './chance.ts';
import { placementOfSeed } from './placementOfSeed.ts';

/** Namespaces of workloads. */
export const NAMESPACES = ['shop', 'desk'] as const;

/** The condition for which a ClusterTaintPolicy taints clusters, in addition to Ready. */
export const PRESSURE = 'DiskPressure';

/** The label by which workloads are placed together or apart, if the gate WorkloadAffinity is on. */
const TEAM = 'team';

/** A workload with the policy that propagates it. */
export interface Propagated {
  object: KubernetesObject;
  policy: KubernetesObject;
}

const DEPENDENTS = ['settings', 'features'] as const;

/** ConfigMaps that workloads refer to, which follow them if their policies say so. */
export function dependentsIn(namespace: string): KubernetesObject[] {
  return DEPENDENTS.map((name) => configMap(namespace, name));
}

type Make = (chance: Chance, namespace: string, name: string) => KubernetesObject;

const kinds = (wide: boolean): [weight: number, make: Make][] => [
  [8, (chance, ns, name) => withDependents(chance, deployment(ns, name, chance.between(1, 6)))],
  [
    3,
    (chance, ns, name) =>
      ofApps('StatefulSet', deployment(ns, name, chance.between(1, 4)), { serviceName: name }),
  ],
  [2, (_, ns, name) => daemonSet(deployment(ns, name, 1))],
  [2, (chance, ns, name) => job(deployment(ns, name, 1), chance.between(1, 3))],
  [2, (_, ns, name) => configMap(ns, name)],
  [wide ? 1 : 0, (_, ns, name) => secret(ns, name)],
  [wide ? 1 : 0, (_, ns, name) => service(ns, name)],
  [3, (chance, ns, name) => customResource(ns, name, chance.between(1, 4))],
];

/**
 * A random workload with this name and a policy for it.
 * @param wide whether it may be of any kind and in any namespace that incidents on real Karmada have. Generated worlds exclude them, so
 * that seeds that once broke a property keep their worlds.
 */
export function workloadOfSeed(
  chance: Chance,
  name: string,
  members: readonly string[],
  wide = false,
): Propagated {
  const namespace = wide && chance.happens(0.25) ? NAMESPACES[1] : NAMESPACES[0];
  const made = chance.weighted(kinds(wide))(chance, namespace, name);
  const object = wide ? labelled(made, { [TEAM]: chance.oneOf(['red', 'blue']) }) : made;
  return {
    object,
    policy: policyFor(object, placementOfSeed(chance, members, wide), policyExtras(chance, object)),
  };
}

/** Deployments of one label, which one policy propagates. */
export function batchOfSeed(chance: Chance, members: readonly string[]): Propagated[] {
  const label = { batch: 'night' };
  const [namespace] = NAMESPACES;
  const objects = Array.from({ length: chance.between(3, 4) }, (_, i) =>
    labelled(deployment(namespace, `batch${i + 1}`, chance.between(1, 4)), label),
  );
  const [first] = objects;
  const { metadata, spec, ...policy } = policyFor(
    first!,
    placementOfSeed(chance, members, true),
    policyExtras(chance, first!),
  ) as KubernetesObject & { spec: PropagationSpec };
  const resourceSelectors = [
    { apiVersion: 'apps/v1', kind: 'Deployment', labelSelector: { matchLabels: label } },
  ];
  const ofLabel = {
    ...policy,
    metadata: { ...metadata, name: 'batch' },
    spec: { ...spec, resourceSelectors },
  } as KubernetesObject;
  return objects.map((object) => ({ object, policy: ofLabel }));
}

function labelled(object: KubernetesObject, labels: Record<string, string>): KubernetesObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
}

function policyExtras(chance: Chance, { kind }: KubernetesObject): Partial<PropagationSpec> {
  const hasHealth = !['Job', 'ConfigMap', 'Secret', 'Service'].includes(kind);
  const failover = {
    ...(hasHealth && chance.happens(0.25) ? { application: applicationFailover(chance) } : {}),
    ...(chance.happens(0.2)
      ? { cluster: { purgeMode: chance.oneOf(['Directly', 'Gracefully'] as const) } }
      : {}),
  };
  return {
    ...(Object.keys(failover).length > 0 ? { failover } : {}),
    ...(failover.application || chance.happens(0.5) ? { propagateDeps: true } : {}),
    ...(chance.happens(0.15) ? { preserveResourcesOnDeletion: true } : {}),
    ...(chance.happens(0.3) ? { conflictResolution: chance.oneOf(['Abort', 'Overwrite']) } : {}),
    ...(chance.happens(0.2) ? { priority: chance.between(1, 9) } : {}),
  };
}

function applicationFailover(chance: Chance) {
  const purgeMode = chance.oneOf(['Directly', 'Gracefully', 'Never'] as const);
  return {
    decisionConditions: { tolerationSeconds: chance.between(4, 20) },
    purgeMode,
    ...(purgeMode === 'Gracefully' ? { gracePeriodSeconds: chance.between(10, 40) } : {}),
  };
}

type WithSpec = KubernetesObject & { spec: { template: { spec: Record<string, unknown> } } };

function withDependents(chance: Chance, object: KubernetesObject): KubernetesObject {
  if (!chance.happens(0.5)) return object;
  const volumes = chance.someOf(DEPENDENTS).map((name) => ({ name, configMap: { name } }));
  const { spec, ...rest } = object as WithSpec;
  const { template } = spec;
  return {
    ...rest,
    spec: { ...spec, template: { ...template, spec: { ...template.spec, volumes } } },
  } as KubernetesObject;
}

function ofApps(kind: string, object: KubernetesObject, more: object): KubernetesObject {
  return { ...object, kind, spec: { ...(object as WithSpec).spec, ...more } } as KubernetesObject;
}

function daemonSet(object: KubernetesObject): KubernetesObject {
  const { replicas: _, ...spec } = (object as WithSpec).spec as WithSpec['spec'] & { replicas?: number };
  return { ...object, kind: 'DaemonSet', spec } as KubernetesObject;
}

function job(object: KubernetesObject, parallelism: number): KubernetesObject {
  const { template } = (object as WithSpec).spec;
  return {
    ...object,
    apiVersion: 'batch/v1',
    kind: 'Job',
    spec: {
      parallelism,
      completions: parallelism,
      template: { metadata: {}, spec: { ...template.spec, restartPolicy: 'Never' } },
    },
  } as KubernetesObject;
}

function configMap(namespace: string, name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: { of: name },
  } as KubernetesObject;
}

function secret(namespace: string, name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
  } as KubernetesObject;
}

function service(namespace: string, name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { app: name }, ports: [{ port: 80 }] },
  } as KubernetesObject;
}

function customResource(namespace: string, name: string, replicas: number): KubernetesObject {
  return {
    apiVersion: widget.group.replace('/apis/', ''),
    kind: widget.kind,
    metadata: { name, namespace },
    spec: { replicas },
  } as KubernetesObject;
}
