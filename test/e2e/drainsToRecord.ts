import type { DrainOptions } from '../../src/analysis/drain/drainOptions.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import type { Placement } from '../../src/karmada/api/policy.ts';
import { drainOf } from '../analysis/drain/drainOf.ts';
import type { RecordedFlags } from '../operations/recordedPlane.ts';
import { byWeight, groups, on } from './placements.ts';
import { deployment, policyFor } from './workloads.ts';

/** What is done while recording Karmada, one step after another. */
export type TurnToRecord =
  | { drain: DrainOptions; /** milliseconds after which the run ends by itself */ timeout?: number }
  | { cancel: string[] }
  | { kill: string }
  | { restart: string };

export interface DrainToRecord {
  flags: RecordedFlags;
  /** in the namespace shop */
  objects: KubernetesObject[];
  turns: TurnToRecord[];
}

const asInstalled: RecordedFlags = {
  featureGates: {},
  controllerManager: { 'graceful-eviction-timeout': 30_000 },
};
const failover: RecordedFlags = {
  featureGates: { Failover: true },
  controllerManager: { ...asInstalled.controllerManager, 'enable-no-execute-taint-eviction': true },
};

function configMap(name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop' },
    data: { a: 'b' },
  } as KubernetesObject;
}

function placed(object: KubernetesObject, placement: Placement, more: object = {}): KubernetesObject[] {
  return [object, policyFor(object, placement, more)];
}

const shop = (name: string, replicas: number, placement: Placement, readyAfter?: string) =>
  placed(deployment('shop', name, replicas, readyAfter), placement);

/** A Deployment with the ConfigMap that follows it. */
function withNeeds(placement: Placement, readyAfter?: string): KubernetesObject[] {
  const needing = deployment('shop', 'needing', 2, readyAfter) as KubernetesObject & {
    spec: { template: { spec: { containers: object[] } } };
  };
  needing.spec.template.spec.containers = needing.spec.template.spec.containers.map((one) => ({
    ...one,
    envFrom: [{ configMapRef: { name: 'needed' } }],
  }));
  return [configMap('needed'), ...placed(needing, placement, { propagateDeps: true })];
}

const accepting = (risk: 'blocked' | 'loss') => ({ ...drainOf([]).accept, [risk]: true });
const halves = { replicaScheduling: byWeight({ member1: 1, member2: 1 }) };
const slowElsewhere = (seconds: number) => `member1=1s, member2=1s, ${seconds}s`;

/** By the names of their files in test/operations/drain/data. */
export const drainsToRecord: Record<string, DrainToRecord> = {
  plain: {
    flags: asInstalled,
    objects: [
      ...shop('api', 4, halves),
      ...shop('copied', 2, on('member1', 'member2')),
      ...shop('elsewhere', 2, on('member2')),
      ...shop('grouped', 2, groups('member1', 'member2')),
      ...shop('web', 2, groups('member1', 'member3')),
    ],
    turns: [{ drain: drainOf(['member1']) }, { drain: drainOf(['member1']) }],
  },
  unheld: {
    flags: asInstalled,
    objects: shop('web', 2, groups('member1', 'member3')),
    turns: [{ drain: drainOf(['member1'], { hold: false }) }],
  },
  whole: {
    flags: asInstalled,
    objects: [
      ...shop('web', 2, groups('member1', 'member3')),
      ...shop('halves', 4, halves),
      ...shop('copied', 2, on('member1', 'member2')),
      ...shop('pinned', 2, on('member1')),
      ...withNeeds(groups('member1', 'member2')),
      ...placed(configMap('settings'), groups('member1', 'member2')),
    ],
    turns: [{ drain: drainOf(['member1'], { accept: accepting('blocked') }) }],
  },
  // one eviction each eleven seconds: the scheduler counts as silent after 30 s, with three workloads left
  silentScheduler: {
    flags: asInstalled,
    objects: ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => shop(name, 2, groups('member1', 'member3'))),
    turns: [
      { kill: 'karmada-scheduler' },
      {
        drain: drainOf(['member1'], { pace: { ...drainOf([]).pace, evictionRate: 0.09 } }),
        timeout: 55_000,
      },
      { restart: 'karmada-scheduler' },
      { drain: drainOf(['member1'], { pace: { ...drainOf([]).pace, evictionRate: 2 } }) },
    ],
  },
  cancelled: {
    flags: asInstalled,
    objects: [
      ...shop('quick', 2, groups('member1', 'member2'), '1s'),
      ...shop('web', 2, groups('member1', 'member3'), slowElsewhere(120)),
      ...shop('halves', 4, { replicaScheduling: byWeight({ member1: 1, member3: 1 }) }, slowElsewhere(20)),
      ...withNeeds(groups('member1', 'member3'), slowElsewhere(120)),
    ],
    turns: [{ drain: drainOf(['member1']), timeout: 15_000 }, { cancel: ['member1'] }],
  },
  partlyCancelled: {
    flags: asInstalled,
    objects: [
      ...shop('first', 2, groups('member1', 'member3'), slowElsewhere(40)),
      ...shop('second', 2, groups('member2', 'member3'), slowElsewhere(40)),
      ...shop(
        'both',
        4,
        {
          replicaScheduling: byWeight({ member1: 1, member2: 1, member3: 1 }),
        },
        slowElsewhere(40),
      ),
      ...withNeeds(groups('member1', 'member3'), slowElsewhere(40)),
    ],
    turns: [
      { drain: drainOf(['member1', 'member2']), timeout: 15_000 },
      { cancel: ['member1'] },
      { drain: drainOf(['member2']) },
    ],
  },
  byTaint: {
    flags: failover,
    objects: [
      ...shop('web', 2, groups('member1', 'member2')),
      ...shop('copied', 2, on('member1', 'member3')),
      ...shop('stays', 2, {
        ...on('member1'),
        clusterTolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
      }),
    ],
    turns: [{ drain: drainOf(['member1'], { method: 'taint', hold: false }) }],
  },
  byTaintCancelled: {
    flags: failover,
    objects: [
      ...shop('quick', 2, groups('member1', 'member2'), '1s'),
      ...shop('web', 2, groups('member1', 'member3'), slowElsewhere(120)),
      ...shop('halves', 4, { replicaScheduling: byWeight({ member1: 1, member3: 1 }) }, slowElsewhere(20)),
    ],
    turns: [
      { drain: drainOf(['member1'], { method: 'taint', hold: false }), timeout: 15_000 },
      { cancel: ['member1'] },
    ],
  },
};
