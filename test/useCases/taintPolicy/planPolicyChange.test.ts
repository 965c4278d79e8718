import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ClusterTaintPolicy } from '../../../src/karmada/api/policy.ts';
import { type Manifest, readManifests } from '../../../src/state/manifests/readManifests.ts';
import { type OpenedState, openState } from '../../../src/useCases/state/openState.ts';
import {
  explainPolicies,
  knownPolicy,
  listPolicies,
} from '../../../src/useCases/taintPolicy/explainPolicies.ts';
import { planPolicyChange, stateAfterChange } from '../../../src/useCases/taintPolicy/planPolicyChange.ts';
import { givenPolicies, mergedPolicy } from '../../../src/useCases/taintPolicy/readTaintPolicies.ts';
import { tryPolicies } from '../../../src/useCases/taintPolicy/writePolicyChange.ts';
import { servingObjects } from '../../state/live/servingObjects.ts';
import { problemOf, quietPorts } from '../quietPorts.ts';

const AT = { time: Date.parse('2026-09-01T10:00:00Z'), text: 'ten' };
const four = {
  source: { files: ['test/fixtures/taint-policy-world.yaml'] },
  at: AT,
  version: 'v1.18',
  assume: ['Failover=true', 'enable-no-execute-taint-eviction=true'],
};
const shop = { ...four, source: { files: ['examples/shop'] }, at: undefined };
let state: OpenedState;
beforeAll(async () => {
  state = await openState(four, quietPorts());
});
const manifestsOf = async (...files: string[]): Promise<Manifest[]> =>
  (await readManifests({ files }, () => [])).manifests;
const network = (): ClusterTaintPolicy =>
  state.world.taintPolicies.find(({ metadata }) => metadata.name === 'network')!;
const plan = (change: Parameters<typeof planPolicyChange>[1], { world, configuration, now } = state) =>
  planPolicyChange(world, change, configuration, now);

describe('listing and explaining policies', () => {
  test('lists policies with their target clusters and the clusters with their taints', async () => {
    const { list, assumptions } = await listPolicies(four, quietPorts());
    expect(list.policies.map(({ name, everywhere }) => [name, everywhere])).toEqual([
      ['optimist', false],
      ['network', true],
    ]);
    expect(list.policies[1]!.taints[0]!.inForce.map(({ cluster }) => cluster)).toEqual(['alpha']);
    expect(list.orphans.map(({ cluster, taint }) => [cluster, taint.key])).toEqual([
      ['beta', 'example.com/forgotten'],
    ]);
    expect(assumptions.map(({ name }) => name)).toEqual(['now', 'karmadaVersion', 'Failover']);
  });

  test('explains one policy for one cluster, also by the name that kubectl prints', async () => {
    const { explanation, policy } = await explainPolicies(
      { state: four, policy: 'clustertaintpolicy.policy.karmada.io/network', cluster: 'alpha' },
      quietPorts(),
    );
    expect(policy).toBe('network');
    expect(explanation.clusters.map(({ cluster }) => cluster)).toEqual(['alpha']);
  });

  test('refuses an unknown policy or cluster', async () => {
    expect(await problemOf(() => explainPolicies({ state: four, policy: 'netwrok' }, quietPorts()))).toEqual({
      code: 'unknown-taint-policy',
      policy: 'netwrok',
      known: ['network', 'optimist'],
    });
    expect(
      await problemOf(() => explainPolicies({ state: four, cluster: 'mars' }, quietPorts())),
    ).toMatchObject({
      code: 'unknown-cluster',
      input: 'cluster',
    });
    expect(knownPolicy('clustertaintpolicies/optimist', state.world)).toBe('optimist');
  });
});

describe('policies read from manifests', () => {
  test('omit other kinds and the fields that only the API server writes', async () => {
    const [own] = await manifestsOf('test/fixtures/taint-policies/network.yaml');
    const served = {
      ...own!,
      object: {
        ...own!.object,
        metadata: { name: 'network', namespace: 'default', uid: 'u', resourceVersion: '7' },
      },
    };
    const config: Manifest = {
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } },
      source: 'config.yaml',
      at: () => ({ line: 1, column: 1 }),
    };
    const { policies, others, refused } = givenPolicies([served, config], state.configuration);
    expect({ others, refused }).toEqual({ others: ['ConfigMap settings'], refused: [] });
    expect(policies[0]!.policy.metadata).toEqual({ name: 'network' });
  });

  test('are all refused if one is invalid', async () => {
    const manifests = await manifestsOf('test/fixtures/taint-policies');
    const { policies, refused } = givenPolicies(manifests, state.configuration);
    expect(policies).toEqual([]);
    expect(new Set(refused.map(({ object }) => object!.name))).toEqual(
      new Set(['Not_A_Name', 'without-taints', 'of-tomorrow']),
    );
  });

  test('have unique names', async () => {
    const [own] = await manifestsOf('test/fixtures/taint-policies/network.yaml');
    expect(() => givenPolicies([own!, { ...own!, source: 'other.yaml' }], state.configuration)).toThrow(
      /^other\.yaml:\d+:\d+: ClusterTaintPolicy network is also in test\/fixtures\S+; keep one$/,
    );
  });

  test('keep metadata of the server that the manifests omit', () => {
    const merged = mergedPolicy({ ...network(), metadata: { name: 'network' } }, state.world.taintPolicies);
    expect(merged.metadata.labels).toEqual({ team: 'platform' });
    const fresh = { ...network(), metadata: { name: 'fresh' } };
    expect(mergedPolicy(fresh, state.world.taintPolicies)).toBe(fresh);
  });
});

describe('a policy change', () => {
  test('that deletes policies leaves their taints, and lists the steps to remove them', () => {
    const { effect } = plan({ deleted: ['network', 'optimist'] });
    expect(effect.policies.map(({ name, verb }) => `${name} ${verb}`).sort()).toEqual([
      'network deleted',
      'optimist deleted',
    ]);
    expect(effect.leftBehind.length).toBeGreaterThan(0);
    expect(effect.removal.steps).toMatchObject([
      { cluster: 'alpha', taints: [{ key: 'example.com/network' }] },
    ]);
  });

  test('reports only risks that it introduces', () => {
    const never: ClusterTaintPolicy = {
      ...network(),
      metadata: { name: 'never' },
      spec: { ...network().spec, removeOnConditions: [], taints: [{ key: 'x', effect: 'NoSchedule' }] },
    };
    expect(plan({ applied: [never] }).risks.map(({ code }) => code)).toContain('never-removed');
    const before = {
      ...state,
      world: { ...state.world, taintPolicies: [...state.world.taintPolicies, never] },
    };
    const edited = { ...never, metadata: { ...never.metadata, labels: { team: 'a' } } };
    expect(plan({ applied: [edited] }, before).risks.map(({ code }) => code)).not.toContain('never-removed');
    expect(plan({ applied: [network()] }).effect.policies).toMatchObject([{ verb: 'unchanged' }]);
  });

  test('that evicts has a risk with the lost or blocked workloads', async () => {
    const [manifest] = await manifestsOf('test/fixtures/evicts.yaml');
    const opened = await openState(shop, quietPorts());
    const evicts = manifest!.object as unknown as ClusterTaintPolicy;
    const { risks, effect } = plan({ applied: [evicts] }, opened);
    const risky = risks.filter(({ code }) => code === 'workloads-lost' || code === 'workloads-blocked');
    expect(risky.length).toBeGreaterThan(0);
    for (const risk of risky) {
      const outcome = risk.code === 'workloads-lost' ? 'lost' : 'blocked';
      const turned = effect.workloads.filter(
        ({ from, to }) => to?.outcome === outcome && from?.outcome !== outcome,
      );
      expect('workloads' in risk && risk.workloads).toEqual(turned.map(({ workload }) => workload));
    }
  });
});

describe('a server dry run of policies', () => {
  const applying = { fieldManager: 'karmada-failover', force: false, dryRun: true } as const;
  const fresh: ClusterTaintPolicy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'fresh' },
    spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] },
  };

  test('returns the resulting policies, and stores nothing', async () => {
    const server = servingObjects([]);
    const { objects, refusals } = await tryPolicies(server, [fresh], applying);
    expect(refusals).toEqual([]);
    expect(objects.get('fresh')).toMatchObject({ spec: fresh.spec });
    expect(server.store.all()).toEqual([]);
    expect(server.writes.every((write) => write.endsWith('(dry run)'))).toBe(true);
  });
});

const request = {
  at: { time: Date.parse('2026-09-01T10:00:00Z'), text: 'ten' },
  version: 'v1.18',
  assume: ['Failover=true', 'enable-no-execute-taint-eviction=true'],
};
let before: OpenedState;
beforeAll(async () => {
  const source = { files: ['test/fixtures/taint-policy-world.yaml'] };
  before = await openState({ ...request, source }, quietPorts());
});

/** A saved state after a change: its policies, and the taint keys of each cluster. */
async function after(change: Parameters<typeof stateAfterChange>[1], withTaints: boolean) {
  const { world, configuration, now } = before;
  const { removal } = planPolicyChange(world, change, configuration, now).effect;
  const text = stateAfterChange(before, change, withTaints ? removal : undefined, quietPorts());
  const directory = mkdtempSync(join(tmpdir(), 'state-after-change-'));
  try {
    const file = join(directory, 'state.json');
    writeFileSync(file, [...text].join(''));
    const opened = await openState({ source: { files: [file] } }, quietPorts());
    return {
      policies: opened.world.taintPolicies.map(({ metadata }) => metadata.name).sort(),
      taints: Object.fromEntries(
        opened.world.clusters.map(({ metadata, spec }) => [
          metadata.name,
          (spec?.taints ?? []).map(({ key }) => key),
        ]),
      ),
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('the state after a policy is deleted still contains its taints', async () => {
  const { policies, taints } = await after({ deleted: ['network'] }, false);
  expect(policies).toEqual(['optimist']);
  expect(taints['alpha']).toContain('example.com/network');
});

test('the state after a policy is deleted with its taints still contains orphaned taints', async () => {
  const { policies, taints } = await after({ deleted: ['network', 'optimist'] }, true);
  expect(policies).toEqual([]);
  expect(taints['alpha']).not.toContain('example.com/network');
  expect(taints['beta']).toContain('example.com/forgotten');
});

test('the state after a policy is applied contains the taints that it adds at once', async () => {
  const applied = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'ready' },
    spec: {
      targetClusters: { clusterNames: ['alpha'] },
      addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn' as const, statusValues: ['Never'] }],
      taints: [{ key: 'example.com/ready', effect: 'NoSchedule' as const }],
    },
  };
  const { policies, taints } = await after({ applied: [applied] }, false);
  expect(policies).toEqual(['network', 'optimist', 'ready']);
  expect(taints['alpha']).toContain('example.com/ready');
});
