import { describe, expect, test } from '@jest/globals';
import {
  servedVersion,
  versionOf,
  type OpenApiSchema,
} from '../../../../src/state/live/served/servedVersion.ts';
import { fakeTiming } from '../fakeTiming.ts';
import { servingObjects } from '../servingObjects.ts';

const never = new AbortController().signal;
const struct = (properties: Record<string, OpenApiSchema>): OpenApiSchema => ({ properties });
const purgeMode = (...names: string[]) => struct({ purgeMode: { enum: names } });
/** PropagationPolicy in each later version, the newest first. */
const policies = {
  overflow: struct({
    failover: struct({ cluster: struct({}), application: purgeMode('Directly', 'Immediately') }),
    placement: struct({
      workloadAffinity: {},
      clusterAffinities: { items: struct({ overflowAffinities: {} }) },
    }),
  }),
  affinity: struct({
    failover: struct({ cluster: struct({}) }),
    placement: struct({ workloadAffinity: {}, clusterAffinities: { items: struct({}) } }),
  }),
  cluster: struct({ failover: struct({ cluster: struct({}) }), placement: struct({}) }),
  plain: struct({ failover: struct({}), placement: struct({}) }),
};
const api = (spec: OpenApiSchema, taintPolicies = true): Record<string, OpenApiSchema> => ({
  'io.karmada.policy.v1alpha1.PropagationPolicy': struct({ spec }),
  'io.karmada.policy.v1alpha1.PropagationPolicyList': struct({}),
  ...(taintPolicies ? { 'io.karmada.policy.v1alpha1.ClusterTaintPolicy': struct({}) } : {}),
});

describe('the detected version of Karmada', () => {
  test.each([
    ['v1.18', api(policies.overflow)],
    ['v1.17', api(policies.affinity)],
    ['v1.16', api(policies.cluster)],
    ['v1.14', api(policies.plain)],
    ['v1.13', api(struct({ suspension: {}, preserveResourcesOnDeletion: {}, schedulePriority: {} }), false)],
    ['v1.12', api(struct({ suspension: {}, preserveResourcesOnDeletion: {} }), false)],
    ['v1.11', api(struct({ suspension: {} }), false)],
    ['v1.10', api(policies.plain, false)],
  ])('is %s given its policy schema', (version, schemas) => {
    expect(versionOf(schemas)?.version).toBe(version);
  });

  test('is newer than v1.18 if the old purge modes are absent', () => {
    const placement = policies.overflow.properties!['placement']!;
    const failover = struct({ cluster: struct({}), application: purgeMode('Directly') });
    expect(versionOf(api(struct({ failover, placement })))).toEqual({
      version: 'v1.19',
      source: 'the API has no purge mode Immediately, as from v1.19 on',
    });
  });

  test('is the proposal if ClusterTaintPolicies have taintsToAdd', () => {
    const schemas = {
      ...api(policies.overflow),
      'io.karmada.policy.v1alpha1.ClusterTaintPolicy': struct({ spec: struct({ taintsToAdd: {} }) }),
    };
    expect(versionOf(schemas)?.version).toBe('proposal');
  });

  test('is unknown if the server serves no OpenAPI schema', async () => {
    expect(await servedVersion(servingObjects([]), never)).toBeUndefined();
    expect(versionOf({})).toBeUndefined();
  });

  const path = '/openapi/v3/apis/policy.karmada.io/v1alpha1';
  const discovery = '/apis/policy.karmada.io/v1alpha1';
  /** A server that serves these kinds, and returns different schemas with each request for them. */
  const starting = (kinds: string[], ...shown: Record<string, OpenApiSchema>[]) => {
    let asked = 0;
    const served = { resources: kinds.map((kind) => ({ kind, name: kind.toLowerCase(), verbs: ['list'] })) };
    return servingObjects([], {
      documents: {
        [discovery]: served,
        get [path]() {
          return { components: { schemas: shown[Math.min(asked++, shown.length - 1)] } };
        },
      },
    });
  };
  const BOTH = ['PropagationPolicy', 'ClusterTaintPolicy'];

  test('is read again while a starting server serves incomplete schemas', async () => {
    const server = starting(BOTH, {}, api(policies.overflow, false), api(policies.overflow));
    const timing = fakeTiming({ jumps: true });
    expect((await servedVersion(server, never, timing))?.version).toBe('v1.18');
    expect(timing.pauses).toEqual([500, 500]);
  });

  test('is unknown if the schemas remain incomplete', async () => {
    const server = starting(BOTH, api(policies.overflow, false));
    expect(await servedVersion(server, never, fakeTiming({ jumps: true }))).toBeUndefined();
  });

  test('is an earlier version if the server lacks later kinds', async () => {
    const server = starting(['PropagationPolicy'], api(struct({ suspension: {} }), false));
    const timing = fakeTiming({ jumps: true });
    expect((await servedVersion(server, never, timing))?.version).toBe('v1.11');
    expect(timing.pauses).toEqual([]);
  });

  test('is read from the policy schema with one request', async () => {
    const server = servingObjects([], {
      documents: { [path]: { components: { schemas: api(policies.overflow) } } },
    });
    expect(await servedVersion(server, never)).toEqual({
      version: 'v1.18',
      source: 'the API has overflowAffinities, as in v1.18',
    });
    expect(server.requests).toEqual([path]);
  });
});
