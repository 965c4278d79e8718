import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Deed } from './stage.ts';
import {
  nameOf,
  patched,
  policyOf,
  take,
  takeCluster,
  takeWorkload,
  targetOf,
  type Act,
  type Plan,
  type Stage,
} from './stage.ts';
import { taintKeys } from './placementOfSeed.ts';
import { PRESSURE } from './workloadsOfSeed.ts';

/** The theme of a story: several events that belong together, as operators experience them. */
export const themes: readonly Act[] = [
  twoFailures,
  flapping,
  storm,
  groupsAndReturn,
  conditions,
  failing,
  unjoinStuck,
  editsByHand,
  namespaceDeleted,
  labelsChange,
  dependents,
  componentsRestart,
  preempted,
];

/** A second cluster fails 20 to 60 s after the first. */
function twoFailures(stage: Stage): Plan {
  const { chance } = stage;
  const [first, second] = [takeCluster(stage, 'Push'), takeCluster(stage, 'Push')];
  if (!first || !second) return [];
  const gap = chance.between(20, 60);
  return [
    ...outage(first, 0, chance.happens(0.5) ? gap + chance.between(-10, 40) : undefined),
    ...outage(second, gap, chance.happens(0.4) ? gap + chance.between(20, 40) : undefined),
  ];
}

/** A cluster that comes and goes repeatedly, each time for about as long as Karmada takes to notice. */
function flapping(stage: Stage): Plan {
  const { chance } = stage;
  const cluster = takeCluster(stage, 'Push');
  if (!cluster) return [];
  const plan: Plan = [];
  for (let at = 0, turn = chance.between(2, 4); turn > 0; turn--) {
    const back = at + chance.between(8, 30);
    plan.push(...outage(cluster, at, back));
    at = back + chance.between(5, 25);
  }
  return plan;
}

/** Several clusters are tainted, or fail, at about the same time. */
function storm(stage: Stage): Plan {
  const { chance, members, taken } = stage;
  if (chance.happens(0.5)) {
    const key = chance.oneOf(taintKeys.slice(0, 2));
    return chance.someOf(members, chance.between(2, members.length)).flatMap(({ name: cluster }) => {
      const taint = { cluster, key, effect: 'NoExecute' as const };
      taken.add(`taint ${cluster} ${key}`);
      const at = chance.between(0, 3);
      return [
        { after: at, deed: { taint } },
        ...(chance.happens(0.5) ? [{ after: at + chance.between(10, 60), deed: { untaint: taint } }] : []),
      ];
    });
  }
  const away = Array.from({ length: 2 }, () => takeCluster(stage, 'Push')).filter(
    (name) => name !== undefined,
  );
  const back = chance.happens(0.6) ? chance.between(25, 60) : undefined;
  return away.flatMap((cluster) => outage(cluster, chance.between(0, 2), back));
}

/** A cluster fails, comes back, and workloads are rebalanced, so that those of groups could return. */
function groupsAndReturn(stage: Stage): Plan {
  const { chance, workloads, chapter } = stage;
  const cluster = takeCluster(stage, 'Push');
  if (!cluster) return [];
  const back = chance.between(30, 50);
  const rebalancer = {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name: `return-${chapter}` },
    spec: {
      workloads: workloads.map(({ object }) => ({ apiVersion: object.apiVersion, ...targetOf(object) })),
    },
  } as KubernetesObject;
  return [
    ...outage(cluster, 0, back),
    { after: back + chance.between(10, 40), deed: { apply: [rebalancer] } },
  ];
}

/** Conditions other than Ready change, for which a ClusterTaintPolicy taints clusters. */
function conditions(stage: Stage): Plan {
  const { chance, members } = stage;
  return chance.someOf(members, 2).flatMap(({ name: cluster }) => {
    const turn = (after: number, status: string) => ({
      after,
      deed: { condition: { cluster, type: PRESSURE, status, reason: 'Seen' } },
    });
    const at = chance.between(0, 10);
    return [turn(at, 'True'), ...(chance.happens(0.7) ? [turn(at + chance.between(4, 40), 'False')] : [])];
  });
}

/** Several workloads become unhealthy, and some are repaired. */
function failing(stage: Stage): Plan {
  const { chance } = stage;
  return Array.from({ length: chance.between(3, 5) }).flatMap((): Plan => {
    const workload = takeWorkload(stage, ['Deployment', 'StatefulSet', 'Widget', 'DaemonSet']);
    if (!workload) return [];
    const target = targetOf(workload.object);
    const at = chance.between(0, 15);
    return [
      { after: at, deed: { breakDown: target } },
      ...(chance.happens(0.5) ? [{ after: at + chance.between(4, 50), deed: { repair: target } }] : []),
    ];
  });
}

/** A cluster is unjoined but unreachable, or a foreign finalizer holds a Work of it. */
function unjoinStuck(stage: Stage): Plan {
  const { chance, taken } = stage;
  const name = takeCluster(stage, 'Push');
  if (!name) return [];
  taken.add('unjoin');
  const at = chance.between(3, 25);
  const unjoin = { after: at, deed: { delete: { kind: 'Cluster', name } } };
  if (chance.happens(0.5))
    return [...outage(name, 0, chance.happens(0.5) ? at + chance.between(10, 40) : undefined), unjoin];
  return [
    { after: 0, deed: { holdWork: name, held: true } },
    unjoin,
    ...(chance.happens(0.7)
      ? [{ after: at + chance.between(15, 45), deed: { holdWork: name, held: false } }]
      : []),
  ];
}

/** Karmada's objects of workloads are edited, also during evictions. */
function editsByHand(stage: Stage): Plan {
  const { chance, members } = stage;
  const taint = { cluster: chance.oneOf(members).name, key: taintKeys[0], effect: 'NoExecute' as const };
  const plan: Plan = chance.happens(0.5) ? [{ after: 0, deed: { taint } }] : [];
  for (let left = chance.between(2, 4); left > 0; left--) {
    const workload = takeWorkload(stage);
    if (!workload) break;
    const how = chance.oneOf([
      'remove cluster',
      'evict',
      'evict',
      'cancel evictions',
      'delete binding',
      'delete Work',
    ] as const);
    const edit = targetOf(workload.object);
    const at = chance.between(1, 25);
    plan.push({ after: at, deed: { edit, how } });
    if (how === 'evict' && chance.happens(0.4))
      plan.push({ after: at + chance.between(5, 20), deed: { edit, how: 'cancel evictions' } });
  }
  return plan;
}

function namespaceDeleted({ chance, workloads, endsNamespaces, taken }: Stage): Plan {
  const names = [...new Set(workloads.map(({ object }) => object.metadata.namespace!))];
  if (!endsNamespaces || names.length < 2) return [];
  const name = names.at(-1)!;
  for (const { object } of workloads)
    if (object.metadata.namespace === name) taken.add(`workload ${object.metadata.name}`);
  return [{ after: chance.between(3, 30), deed: { delete: { kind: 'Namespace', name } } }];
}

/** Labels change that policies use to select workloads and clusters. */
function labelsChange(stage: Stage): Plan {
  const { chance, members, workloads } = stage;
  const labelled = workloads.filter(({ object }) => object.metadata.labels?.batch);
  return [
    ...chance.someOf(members, 2).map(({ name }) => ({
      after: chance.between(0, 20),
      deed: patched(
        { kind: 'Cluster', name },
        { metadata: { labels: { tier: chance.oneOf(['gold', 'silver']) } } },
      ),
    })),
    ...labelled.slice(0, 2).map(({ object }) => ({
      after: chance.between(0, 30),
      deed: patched(targetOf(object), {
        metadata: { labels: { batch: chance.oneOf([null, 'night', 'day']) } },
      }),
    })),
  ];
}

/** Dependencies of workloads are deleted, or no longer referred to, while their cluster is tainted. */
function dependents(stage: Stage): Plan {
  const { chance, members } = stage;
  const taint = { cluster: chance.oneOf(members).name, key: taintKeys[1], effect: 'NoExecute' as const };
  const plan: Plan = [{ after: 0, deed: { taint } }];
  const referring = stage.workloads.filter(({ object }) => JSON.stringify(object).includes('"volumes"'));
  for (let left = 3; left > 0; left--) {
    const workload = take(stage, referring, ({ object }) => `workload ${object.metadata.name}`);
    if (!workload) break;
    const [target, at] = [targetOf(workload.object), chance.between(2, 30)];
    const deed = chance.weighted<Deed>([
      [1, patched(policyOf(workload), { spec: { propagateDeps: chance.happens(0.5) } })],
      [1, patched(target, { spec: { template: { spec: { volumes: null } } } })],
      [1, { delete: target }],
    ]);
    plan.push({ after: at, deed });
  }
  return plan;
}

/** A component of Karmada is killed and comes back, while a cluster is tainted or fails. */
function componentsRestart(stage: Stage): Plan {
  const { chance, members } = stage;
  const component = chance.oneOf(['karmada-controller-manager', 'karmada-scheduler'] as const);
  const at = chance.between(5, 35);
  const cluster = takeCluster(stage, 'Push');
  const taint = { cluster: chance.oneOf(members).name, key: taintKeys[0], effect: 'NoExecute' as const };
  return [
    ...(cluster && chance.happens(0.5) ? outage(cluster, 0, undefined) : [{ after: 0, deed: { taint } }]),
    { after: at, deed: { stop: component } },
    { after: at + chance.between(1, 20), deed: { start: component } },
  ];
}

/** Policies of a higher priority take workloads over, and are deleted again. */
function preempted(stage: Stage): Plan {
  const { chance, members, chapter } = stage;
  return Array.from({ length: 3 }).flatMap((): Plan => {
    const workload = takeWorkload(stage);
    if (!workload) return [];
    const { name, namespace } = workload.object.metadata;
    const metadata = { name: `over-${chapter}-${name}`, namespace: namespace! };
    const spec = {
      ...(workload.policy as KubernetesObject & { spec: object }).spec,
      placement: { clusterAffinity: { clusterNames: chance.someOf(members.map(nameOf), 2) } },
      priority: 30,
      preemption: 'Always',
    };
    const at = chance.between(0, 20);
    const policy = { ...workload.policy, kind: 'PropagationPolicy', metadata, spec } as KubernetesObject;
    return [
      { after: at, deed: { apply: [policy] } },
      ...(chance.happens(0.5)
        ? [{ after: at + chance.between(10, 30), deed: { delete: targetOf(policy) } }]
        : []),
    ];
  });
}

/** A Push member's API server is away for a period, or permanently. */
function outage(cluster: string, from: number, to: number | undefined): Plan {
  const process = `${cluster}-apiserver`;
  return [
    { after: from, deed: { kill: process, cluster } },
    ...(to === undefined ? [] : [{ after: to, deed: { restart: process, cluster } }]),
  ];
}
