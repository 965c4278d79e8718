import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import { ScenarioError } from '../../src/simulator/simulation/scenarioWrites.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { resolveConfiguration } from '../../src/karmada/configuration/resolveConfiguration.ts';
import { problemOfPatch } from '../../src/state/world/patchedObject.ts';
import { defaultMembers } from '../../src/karmada/members/memberAssumptions.ts';
import { validateObject } from '../../src/state/world/validateObject.ts';
import { WorldBuilder } from '../../src/state/world/worldBuilder.ts';
import { brokenFields } from './brokenFields.ts';

const { items } = JSON.parse(readFileSync('examples/shop/control-plane.json', 'utf8')) as {
  items: (KubernetesObject & { spec?: { resource?: { kind: string; name: string } } })[];
};
const MADE_BY_KARMADA = ['ResourceBinding', 'ClusterResourceBinding', 'Work'];
/** One of each kind that people write. */
const written = [
  ...new Map(
    items.filter(({ kind }) => !MADE_BY_KARMADA.includes(kind)).map((object) => [object.kind, object]),
  ).values(),
];
const isWritten = (kind?: string, name?: string) =>
  written.some((one) => one.kind === kind && one.metadata.name === name);

/** A small world: all clusters, and the objects that the manifests concern. */
const builder = new WorldBuilder();
for (const object of items)
  if (
    object.kind === 'Cluster' ||
    isWritten(object.kind, object.metadata.name) ||
    isWritten(object.spec?.resource?.kind, object.spec?.resource?.name)
  )
    builder.add(structuredClone(object), { file: 'shop', line: 0 });
const { world } = builder;
const start = Date.parse('2026-09-01T09:30:00Z');
const { configuration } = resolveConfiguration(dialectOf('v1.18.2').dialect, [], []);

const RECORD = /(labels|annotations|matchLabels|requests|limits|allocatable|allocated|allocating|data)$/;
const broken = brokenFields(
  written.map((object) => ({ [object.kind]: object })),
  (one) => one,
  (pattern) => RECORD.test(pattern),
).filter(({ pattern }) => pattern.includes('.'));

/** The result: refused at the border or by the control plane, or simulated without NaN. */
function outcomeOf(action: ScenarioAction): 'refused' | 'simulated' {
  try {
    const events = [
      { at: start, action },
      { at: start + 1000, action: { type: 'fail', cluster: 'frankfurt' } as const },
    ];
    const simulation = simulate(world, { start, members: defaultMembers, events }, configuration);
    const odd = JSON.stringify(simulation, (_, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : Number.isNaN(value) ? 'not a number' : value,
    );
    expect(odd).not.toContain('not a number');
    return 'simulated';
  } catch (error) {
    if (error instanceof ScenarioError) return 'refused';
    throw error;
  }
}

/** The merge patch that makes one value of another. */
function patchOf(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  return Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, key in after ? patchOf(before[key], after[key]) : null]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('a manifest with one invalid field', () => {
  test('is refused or simulated when applied', () => {
    const outcomes = broken.map(({ value }) => {
      const verdict = validateObject(structuredClone(Object.values(value as object)[0]));
      return 'problem' in verdict ? 'refused' : outcomeOf({ type: 'apply', objects: [verdict.object] });
    });
    expect(new Set(outcomes)).toEqual(new Set(['refused', 'simulated']));
    expect(outcomes.length).toBeGreaterThan(800);
  });

  test('is refused or simulated when applied as a patch', () => {
    const outcomes = broken.map(({ of, value }) => {
      const before = Object.values(of)[0]!;
      const { kind, metadata } = before;
      const target = {
        kind,
        ...(metadata.namespace && { namespace: metadata.namespace }),
        name: metadata.name,
      };
      const merge = patchOf(before, Object.values(value as object)[0]) as Record<string, unknown>;
      return problemOfPatch(world, target, merge) === undefined
        ? outcomeOf({ type: 'patch', target, merge })
        : 'refused';
    });
    expect(new Set(outcomes)).toEqual(new Set(['refused', 'simulated']));
    expect(outcomes.length).toBeGreaterThan(800);
  });
});

describe('a template that the API server would refuse', () => {
  const [deployment] = written.filter(({ kind }) => kind === 'Deployment') as unknown as [
    { metadata: { name: string }; spec: { template: { spec: { containers: object[] } } } },
  ];
  const withContainer = (container: unknown) => ({
    ...deployment,
    spec: { ...deployment.spec, template: { spec: { containers: [container] } } },
  });

  test.each([
    [
      'a fraction as replicas',
      { ...deployment, spec: { ...deployment.spec, replicas: 0.5 } },
      'spec.replicas: 0.5 is a fraction, expected an integer',
    ],
    [
      'negative replicas',
      { ...deployment, spec: { ...deployment.spec, replicas: -1 } },
      'spec.replicas: -1 is less than 0, which API servers refuse',
    ],
    [
      'a negative quantity',
      withContainer({ resources: { requests: { cpu: '-100m' } } }),
      'spec.template.spec.containers[0].resources.requests.cpu: "-100m" is less than 0, which API servers refuse',
    ],
    [
      'an invalid quantity',
      withContainer({ resources: { requests: { cpu: 'much' } } }),
      'spec.template.spec.containers[0].resources.requests.cpu: "much" is not a quantity such as "500m" or "2Gi"',
    ],
    [
      'a quantity that is too large',
      withContainer({ resources: { requests: { cpu: '1e9999' } } }),
      'spec.template.spec.containers[0].resources.requests.cpu: "1e9999" is not a quantity such as "500m" or "2Gi"',
    ],
    [
      'null in place of a container',
      withContainer(null),
      'spec.template.spec.containers[0]: is null, expected an object',
    ],
  ])('is refused with the field name if it has %s', (_, object, problem) => {
    expect(validateObject(structuredClone(object))).toEqual({
      path: `.${problem.slice(0, problem.indexOf(': '))}`,
      problem: `Deployment data/${deployment.metadata.name}: ${problem}`,
    });
  });
});
