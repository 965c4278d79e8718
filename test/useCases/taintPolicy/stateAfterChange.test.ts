import { beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openState, type OpenedState } from '../../../src/useCases/state/openState.ts';
import { planPolicyChange } from '../../../src/useCases/taintPolicy/planPolicyChange.ts';
import { stateAfterChange } from '../../../src/useCases/taintPolicy/stateAfterChange.ts';
import { quietPorts } from '../quietPorts.ts';

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

/** What a saved state has after a change: its policies, and the keys of the taints of each cluster. */
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

test('a deleted policy is gone, and its taints stay', async () => {
  const { policies, taints } = await after({ deleted: ['network'] }, false);
  expect(policies).toEqual(['optimist']);
  expect(taints['alpha']).toContain('example.com/network');
});

test('its taints go if that is asked for, and those of nobody stay', async () => {
  const { policies, taints } = await after({ deleted: ['network', 'optimist'] }, true);
  expect(policies).toEqual([]);
  expect(taints['alpha']).not.toContain('example.com/network');
  expect(taints['beta']).toContain('example.com/forgotten');
});

test('a policy that is applied is there, with what it adds at once', async () => {
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
