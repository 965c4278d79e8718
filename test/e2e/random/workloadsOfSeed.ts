import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationSpec } from '../../../src/karmada/api/policy.ts';
import { widget } from '../members/playedKinds.ts';
import { deployment, policyFor } from '../workloads.ts';
import type { Chance } from './chance.ts';
import { placementOfSeed } from './placementOfSeed.ts';

export const NAMESPACE = 'shop';

/** A workload with the policy that propagates it. */
export interface Propagated {
  object: KubernetesObject;
  policy: KubernetesObject;
}

/** ConfigMaps that workloads refer to, which follow them if their policies say so. */
export const dependents: KubernetesObject[] = ['settings', 'features'].map(
  (name) =>
    ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: NAMESPACE },
      data: { of: name },
    }) as KubernetesObject,
);

type Make = (chance: Chance, name: string) => KubernetesObject;

const kinds: [weight: number, make: Make][] = [
  [8, (chance, name) => withDependents(chance, deployment(NAMESPACE, name, chance.between(1, 6)))],
  [
    3,
    (chance, name) =>
      ofApps('StatefulSet', deployment(NAMESPACE, name, chance.between(1, 4)), { serviceName: name }),
  ],
  [2, (_, name) => daemonSet(deployment(NAMESPACE, name, 1))],
  [2, (chance, name) => job(deployment(NAMESPACE, name, 1), chance.between(1, 3))],
  [2, (_, name) => configMap(name)],
  [3, (chance, name) => customResource(name, chance.between(1, 4))],
];

/** A random workload of that name and a policy for it. */
export function workloadOfSeed(chance: Chance, name: string, members: readonly string[]): Propagated {
  const object = chance.weighted(kinds)(chance, name);
  return {
    object,
    policy: policyFor(object, placementOfSeed(chance, members), policyExtras(chance, object)),
  };
}

function policyExtras(chance: Chance, { kind }: KubernetesObject): Partial<PropagationSpec> {
  const hasHealth = !['Job', 'ConfigMap'].includes(kind);
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
  const volumes = chance.someOf(dependents).map(({ metadata: { name } }) => ({ name, configMap: { name } }));
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

function configMap(name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: NAMESPACE },
    data: { name },
  } as KubernetesObject;
}

function customResource(name: string, replicas: number): KubernetesObject {
  return {
    apiVersion: widget.group.replace('/apis/', ''),
    kind: widget.kind,
    metadata: { name, namespace: NAMESPACE },
    spec: { replicas },
  } as KubernetesObject;
}
