import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { policyFor, taintWhileReadyIs } from '../workloads.ts';
import type { Chance } from './chance.ts';
import { placementOfSeed, taintKeys } from './placementOfSeed.ts';
import {
  nameOf,
  patched,
  policyOf,
  takeCluster,
  takeWorkload,
  targetOf,
  type Act,
  type Plan,
  type Stage,
} from './stage.ts';
import { themes } from './themes.ts';
import { workloadOfSeed } from './workloadsOfSeed.ts';

const acts: [weight: number, act: Act][] = [
  [5, taintAndUntaint],
  [4, killApiServer],
  [2, killAgent],
  [3, changePlacement],
  [2, changeTolerations],
  [2, scale],
  [2, rebalance],
  [2, breakDown],
  [1, label],
  [1, deletePolicy],
  [1, deleteTemplate],
  [1, unjoin],
  [1, createTaintPolicy],
  [1, changeTaintPolicy],
  [2, suppressDeletion],
  [1, suspend],
  [1, addWorkload],
  [1, claim],
];

/**
 * Four to eight random actions on clusters, policies and workloads within a minute; wide ones also have a theme.
 * @param chapter part of the names of created objects
 */
export function storyOfSeed(
  chance: Chance,
  there: Omit<Stage, 'chance' | 'chapter' | 'at' | 'taken'>,
  chapter: string,
): Plan {
  const taken = new Set<string>();
  const count = chance.between(4, 8);
  const theme = there.wide ? chance.oneOf(themes) : undefined;
  const plan: Plan = theme?.({ ...there, chapter, chance, at: 0, taken }) ?? [];
  for (let done = 0, tries = 0, at = 0; done < count && tries < 50; tries++) {
    const act = chance.weighted(acts);
    const steps = act({ ...there, chapter, chance, at, taken });
    if (steps.length === 0) continue;
    plan.push(...steps);
    done++;
    at += chance.between(1, 8);
  }
  return plan.sort((a, b) => a.after - b.after);
}

function taintAndUntaint(stage: Stage): Plan {
  const { chance, at } = stage;
  const taint = {
    cluster: chance.oneOf(stage.members).name,
    key: chance.oneOf(taintKeys.slice(0, 2)),
    effect: chance.weighted([
      [3, 'NoExecute'],
      [1, 'NoSchedule'],
    ] as const),
  };
  if (stage.taken.has(`taint ${taint.cluster} ${taint.key}`)) return [];
  stage.taken.add(`taint ${taint.cluster} ${taint.key}`);
  return [
    { after: at, deed: { taint } },
    ...(chance.happens(0.7) ? [{ after: at + chance.between(5, 45), deed: { untaint: taint } }] : []),
  ];
}

function killApiServer(stage: Stage): Plan {
  const cluster = takeCluster(stage, 'Push');
  return cluster ? killed(stage, `${cluster}-apiserver`, cluster) : [];
}

function killAgent(stage: Stage): Plan {
  const cluster = takeCluster(stage, 'Pull');
  return cluster ? killed(stage, `${cluster}-agent`, cluster) : [];
}

/** Killed briefly, for long enough to be noticed, or permanently. */
function killed({ chance, at }: Stage, process: string, cluster: string): Plan {
  const away = chance.weighted([
    [1, chance.between(2, 5)],
    [4, chance.between(22, 45)],
    [2, undefined],
  ]);
  return [
    { after: at, deed: { kill: process, cluster } },
    ...(away ? [{ after: at + away, deed: { restart: process, cluster } }] : []),
  ];
}

const noPlacement: Record<keyof Placement, null> = {
  clusterAffinity: null,
  clusterAffinities: null,
  clusterTolerations: null,
  spreadConstraints: null,
  replicaScheduling: null,
  workloadAffinity: null,
};

function changePlacement(stage: Stage): Plan {
  const { chance, at, members, wide } = stage;
  const workload = takeWorkload(stage);
  if (!workload) return [];
  const placement = { ...noPlacement, ...placementOfSeed(chance, members.map(nameOf), wide) };
  return [{ after: at, deed: patched(policyOf(workload), { spec: { placement } }) }];
}

function changeTolerations(stage: Stage): Plan {
  const { chance, at } = stage;
  const workload = takeWorkload(stage);
  if (!workload) return [];
  const toleration = {
    operator: 'Exists',
    effect: 'NoExecute',
    ...(chance.happens(0.5) ? { tolerationSeconds: chance.between(3, 40) } : {}),
  };
  const clusterTolerations = chance.happens(0.7) ? [toleration] : null;
  return [{ after: at, deed: patched(policyOf(workload), { spec: { placement: { clusterTolerations } } }) }];
}

function scale(stage: Stage): Plan {
  const workload = takeWorkload(stage, ['Deployment', 'StatefulSet', 'Widget']);
  if (!workload) return [];
  const merge = { spec: { replicas: stage.chance.between(1, 9) } };
  return [{ after: stage.at, deed: patched(targetOf(workload.object), merge) }];
}

function rebalance({ chance, at, workloads, taken, chapter }: Stage): Plan {
  const name = `again-${chapter}-${[...taken].filter((entry) => entry.startsWith('rebalance')).length + 1}`;
  taken.add(`rebalance ${name}`);
  const listed = chance.someOf(workloads, chance.between(2, 4)).map(({ object }) => ({
    apiVersion: object.apiVersion,
    ...targetOf(object),
  }));
  const rebalancer = {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: { workloads: listed },
  } as KubernetesObject;
  return [{ after: at + chance.between(0, 30), deed: { apply: [rebalancer] } }];
}

function breakDown(stage: Stage): Plan {
  const { chance, at } = stage;
  const workload = takeWorkload(stage, ['Deployment', 'StatefulSet', 'Widget', 'DaemonSet']);
  if (!workload) return [];
  const target = targetOf(workload.object);
  return [
    { after: at, deed: { breakDown: target } },
    ...(chance.happens(0.4) ? [{ after: at + chance.between(4, 40), deed: { repair: target } }] : []),
  ];
}

function label({ chance, at, members }: Stage): Plan {
  const target = { kind: 'Cluster', name: chance.oneOf(members).name };
  return [
    {
      after: at,
      deed: patched(target, { metadata: { labels: { tier: chance.oneOf(['gold', 'silver']) } } }),
    },
  ];
}

function deletePolicy(stage: Stage): Plan {
  const workload = takeWorkload(stage);
  return workload ? [{ after: stage.at, deed: { delete: policyOf(workload) } }] : [];
}

function deleteTemplate(stage: Stage): Plan {
  const workload = takeWorkload(stage);
  return workload ? [{ after: stage.at, deed: { delete: targetOf(workload.object) } }] : [];
}

function unjoin(stage: Stage): Plan {
  if (stage.taken.has('unjoin')) return [];
  stage.taken.add('unjoin');
  const name = takeCluster(stage, 'Push');
  return name
    ? [{ after: stage.at + stage.chance.between(0, 20), deed: { delete: { kind: 'Cluster', name } } }]
    : [];
}

function createTaintPolicy({ chance, at, taken, chapter }: Stage): Plan {
  if (taken.has('taint policy')) return [];
  taken.add('taint policy');
  const policy = taintWhileReadyIs(
    `late-${chapter}`,
    chance.oneOf(['False', 'Unknown'] as const),
    chance.oneOf(taintKeys),
  );
  return [{ after: at, deed: { apply: [policy] } }];
}

function changeTaintPolicy({ chance, at, taken, taintPolicies }: Stage): Plan {
  const name = chance.oneOf(['not-ready', 'unreachable']);
  if (!taintPolicies || taken.has(`taint policy ${name}`)) return [];
  taken.add(`taint policy ${name}`);
  const target = { kind: 'ClusterTaintPolicy', name };
  const taints = [{ key: chance.oneOf(taintKeys), effect: chance.oneOf(['NoExecute', 'NoSchedule']) }];
  return [
    { after: at, deed: chance.happens(0.3) ? { delete: target } : patched(target, { spec: { taints } }) },
  ];
}

function suppressDeletion({ chance, at }: Stage): Plan {
  const from = at + chance.between(8, 25);
  return [
    { after: from, deed: { suppressDeletion: true } },
    ...(chance.happens(0.6)
      ? [{ after: from + chance.between(5, 30), deed: { suppressDeletion: false } }]
      : []),
  ];
}

function suspend(stage: Stage): Plan {
  const { chance, at, members } = stage;
  const workload = takeWorkload(stage);
  if (!workload) return [];
  const suspension = chance.happens(0.5)
    ? { dispatching: true }
    : { dispatchingOnClusters: { clusterNames: [chance.oneOf(members).name] } };
  return [
    { after: at, deed: patched(policyOf(workload), { spec: { suspension } }) },
    ...(chance.happens(0.6)
      ? [
          {
            after: at + chance.between(5, 40),
            deed: patched(policyOf(workload), { spec: { suspension: null } }),
          },
        ]
      : []),
  ];
}

function addWorkload({ chance, at, members, taken, chapter, wide }: Stage): Plan {
  const name = `late-${chapter}-${[...taken].filter((entry) => entry.startsWith('late')).length + 1}`;
  taken.add(`late ${name}`);
  const { object, policy } = workloadOfSeed(chance, name, members.map(nameOf), wide);
  return [{ after: at, deed: { apply: chance.happens(0.5) ? [object, policy] : [policy, object] } }];
}

/** A policy of higher priority that takes a workload over from its own. */
function claim(stage: Stage): Plan {
  const workload = takeWorkload(stage);
  if (!workload) return [];
  const { chance, at, members, chapter } = stage;
  const policy = policyFor(workload.object, placementOfSeed(chance, members.map(nameOf)), {
    priority: 20,
    preemption: chance.oneOf(['Always', 'Always', 'Never']),
  });
  const metadata = {
    name: `claim-${chapter}-${workload.object.metadata.name}`,
    namespace: workload.object.metadata.namespace!,
  };
  return [{ after: at, deed: { apply: [{ ...policy, metadata } as KubernetesObject] } }];
}
