import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import { emptyWorld, type World } from '../../src/karmada/world.ts';
import type { Cluster } from '../../src/karmada/api/cluster.ts';
import type { Condition, KubernetesObject, Taint } from '../../src/karmada/api/meta.ts';
import type { ClusterTaintPolicy, ClusterTaintPolicySpec } from '../../src/karmada/api/policy.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { defaultOptions, up, type Bed } from './controlPlane/bed.ts';
import { eventually } from './controlPlane/processes.ts';
import { enact, pathOf, type Happening } from './happening.ts';

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
const POLICIES = '/apis/policy.karmada.io/v1alpha1/clustertaintpolicies';

let bed: Bed;

beforeAll(async () => {
  bed = await up(defaultOptions);
}, 600_000);

afterAll(() => bed?.down());

/** An event in the words of scenarios, and its real cause. */
interface Step {
  says: string;
  action: ScenarioAction;
  really: () => unknown;
  /** the taints of member1 then, as key=value:effect; other taints are unchanged */
  taints: string[];
}

const key = (name: string) => `e2e.karmada-failover/${name}`;
const net = (status: string) => ({ conditionType: 'Net', operator: 'In', statusValues: [status] });
const taint = (name: string, effect: string, value?: string) =>
  ({ key: key(name), ...(value && { value }), effect }) as Taint;
const only = { targetClusters: { clusterNames: ['member1'] } };

const policyNamed = (name: string, spec: ClusterTaintPolicySpec): KubernetesObject =>
  ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name },
    spec: { ...only, ...spec },
  }) as KubernetesObject;

const happens = (says: string, happening: Happening, action: ScenarioAction, taints: string[]): Step => ({
  says,
  action,
  really: () => enact(bed.api(), happening),
  taints,
});
const created = (says: string, name: string, spec: ClusterTaintPolicySpec, taints: string[]): Step => {
  const objects = [policyNamed(name, spec)];
  return happens(says, { apply: objects }, { type: 'apply', objects }, taints);
};
const edited = (says: string, name: string, merge: { spec: object }, taints: string[]): Step => {
  const target = { kind: 'ClusterTaintPolicy', name };
  return happens(says, { patch: { ...target, merge } }, { type: 'patch', target, merge }, taints);
};
const deleted = (says: string, name: string, taints: string[]): Step => {
  const target = { kind: 'ClusterTaintPolicy', name };
  return happens(says, { delete: target }, { type: 'delete', target }, taints);
};
const untainted = (says: string, { key: name, effect }: Taint, taints: string[]): Step => {
  const one = { cluster: 'member1', key: name, effect };
  return happens(says, { untaint: one }, { type: 'untaint', ...one }, taints);
};
const tainted = (says: string, { key: name, effect }: Taint, taints: string[]): Step => {
  const one = { cluster: 'member1', key: name, effect };
  return happens(
    says,
    { taint: one },
    { type: 'taint', cluster: 'member1', taint: { key: name, effect } },
    taints,
  );
};
/** Custom conditions are written into the status; all others are kept. */
const turned = (says: string, type: string, status: string, message: string, taints: string[]): Step => ({
  says,
  action: {
    type: 'condition',
    cluster: 'member1',
    condition: { type, status: status as 'True', reason: 'Tried', message },
  },
  async really() {
    const path = pathOf({ kind: 'Cluster', name: 'member1' });
    const { status: before } = await bed.api().get<Cluster>(path);
    const others = (before?.conditions ?? []).filter((one) => one.type !== type);
    const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '');
    const own: Condition = { type, status: status as 'True', reason: 'Tried', message, lastTransitionTime };
    await bed.api().merge(`${path}/status`, { status: { conditions: [...others, own] } });
  },
  taints,
});

const hard = taint('hard', 'NoSchedule');
const steps: Step[] = [
  turned('a condition of one’s own persists', 'Net', 'False', 'down', []),
  tainted('an operator taints', hard, ['hard:NoSchedule']),
  created(
    'a policy adds at once what its conditions ask for',
    'net',
    { addOnConditions: [net('False')], taints: [taint('net', 'NoSchedule')] },
    ['hard:NoSchedule', 'net:NoSchedule'],
  ),
  created(
    'removal takes the taint of an operator',
    'usual',
    { removeOnConditions: [net('False')], taints: [hard] },
    ['net:NoSchedule'],
  ),
  untainted('a taint taken away by hand stays away', taint('net', 'NoSchedule'), []),
  turned('until any condition changes, were it a message', 'Power', 'True', 'hello', ['net:NoSchedule']),
  edited(
    'an edit adds, and keeps what was wanted before',
    'net',
    { spec: { taints: [taint('other', 'NoExecute', 'x')] } },
    ['net:NoSchedule', 'other=x:NoExecute'],
  ),
  edited('another value is not corrected', 'net', { spec: { taints: [taint('other', 'NoExecute', 'y')] } }, [
    'net:NoSchedule',
    'other=x:NoExecute',
  ]),
  created(
    'a taint that the Cluster API refuses comes not',
    'soft',
    { addOnConditions: [net('False')], taints: [taint('soft', 'PreferNoSchedule')] },
    ['net:NoSchedule', 'other=x:NoExecute'],
  ),
  created(
    'and other policies do nothing either',
    'stopped',
    { addOnConditions: [net('False')], taints: [taint('stopped', 'NoSchedule')] },
    ['net:NoSchedule', 'other=x:NoExecute'],
  ),
  edited('until it is wanted no longer', 'soft', { spec: { taints: [taint('soft', 'NoSchedule')] } }, [
    'net:NoSchedule',
    'other=x:NoExecute',
    'soft:NoSchedule',
    'stopped:NoSchedule',
  ]),
  deleted('deletion keeps taints', 'stopped', [
    'net:NoSchedule',
    'other=x:NoExecute',
    'soft:NoSchedule',
    'stopped:NoSchedule',
  ]),
  created(
    'the newest has the last word',
    'newest',
    {
      removeOnConditions: [net('False')],
      taints: [taint('soft', 'NoSchedule'), taint('stopped', 'NoSchedule')],
    },
    ['net:NoSchedule', 'other=x:NoExecute'],
  ),
  created(
    'not-ready of a policy vanishes again',
    'own',
    {
      addOnConditions: [net('False')],
      taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' }],
    },
    ['net:NoSchedule', 'other=x:NoExecute'],
  ),
];

const reported = (taints: readonly Taint[] = []) =>
  taints
    .map(
      ({ key: name, value, effect }) =>
        `${name.replace('e2e.karmada-failover/', '')}${value ? `=${value}` : ''}:${effect}`,
    )
    .sort();

async function worldNow(): Promise<World> {
  const [clusters, policies] = await Promise.all([bed.api().list(CLUSTERS), bed.api().list(POLICIES)]);
  return {
    ...emptyWorld(),
    clusters: clusters.items as unknown as Cluster[],
    taintPolicies: policies.items as unknown as ClusterTaintPolicy[],
  };
}

function configuration(): Configuration {
  const { rules, defaults } = dialectOf(bed.file.karmada).dialect;
  return {
    ...defaults,
    rules,
    featureGates: { ...defaults.featureGates, Failover: true },
    webhook: { ...defaults.webhook, 'allow-no-execute-taint-policy': true },
  };
}

/** The taints of member1 this many seconds after a step, according to the simulator. */
function simulated(world: World, action: ScenarioAction): string[] {
  const start = Math.floor(Date.now() / 1000) * 1000;
  let ended = world;
  simulate(
    world,
    {
      start,
      until: start + 15_000,
      members: { workloadReadyAfter: 8000, neverReady: [] },
      events: [{ at: start + 5000, action }],
    },
    configuration(),
    { save: (saved) => void (ended = saved) },
  );
  return reported(ended.clusters.find(({ metadata }) => metadata.name === 'member1')?.spec?.taints);
}

test('policies change taints in the simulated steps', async () => {
  for (const { says, action, really, taints } of steps) {
    // Policies created in the same second act in no fixed order, so earlier steps must be over.
    await sleep(3000);
    const expected = [...taints].sort();
    expect({ says, simulated: simulated(await worldNow(), action) }).toEqual({ says, simulated: expected });
    await really();
    const seen = async () =>
      reported((await bed.api().get<Cluster>(pathOf({ kind: 'Cluster', name: 'member1' }))).spec?.taints);
    await sleep(2000);
    await eventually(`${says}: ${expected.join(', ')}`, async () => {
      const now = await seen();
      if (now.join() === expected.join()) return true;
      throw new Error(`there are ${now.join(', ')}`);
    });
    // It stays so.
    await sleep(1500);
    expect({ says, seen: await seen() }).toEqual({ says, seen: expected });
  }
}, 600_000);

test('a restart of the controller manager restores manually removed taints', async () => {
  await enact(bed.api(), { untaint: { cluster: 'member1', key: key('other'), effect: 'NoExecute' } });
  const world = await worldNow();
  const action = { type: 'restart', component: 'karmada-controller-manager' } as const;
  expect(simulated(world, action)).toContain('other=y:NoExecute');
  await bed.kill('karmada-controller-manager');
  bed.restart('karmada-controller-manager');
  await eventually('the taint of the policy', async () =>
    reported(
      (await worldNow()).clusters.find(({ metadata }) => metadata.name === 'member1')?.spec?.taints,
    ).includes('other=y:NoExecute'),
  );
}, 300_000);
