import { describe, expect, test } from '@jest/globals';
import { parseArguments } from '../../../src/karmada/configuration/commandLine.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { plainNames } from '../../../src/karmada/configuration/inputNames.ts';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { LeaseRecord } from '../../../src/state/live/typedObjects.ts';
import { refusals } from '../../../src/useCases/controller/refusals.ts';
import { readSettings } from '../../../src/useCases/controller/settings.ts';
import { servingObjects } from '../../state/live/servingObjects.ts';
import { problemOf } from '../quietPorts.ts';
import { cluster } from '../../simulator/simulation/controlPlane.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { bindingSchema, openApi, taintPolicySchema } from './openApi.ts';

const NOW = Date.parse('2026-09-01T10:00:00Z');
const ON = ['Failover=true', 'enable-no-execute-taint-eviction=true'];
const ALL_ON = '--feature-gates=Failover=true --enable-no-execute-taint-eviction=true';

interface Given {
  /** the flags of karmada-controller-manager; undefined: unknown */
  started?: string;
  said?: string[];
  lease?: Partial<LeaseRecord> | 'forbidden';
  controllers?: string;
  settings?: string[];
  documents?: Record<string, unknown>;
  version?: string;
  objects?: KubernetesObject[];
  /** what happens while it waits */
  pause?: () => void;
  /** the API of Clusters refuses unknown effects */
  refuses?: boolean;
  /** the response to each dry run on a Cluster, until none is left */
  trying?: ApiError[];
  /** the response to requests for schemas */
  failing?: ApiError;
}

function server({
  lease,
  documents = openApi(),
  objects = [],
  refuses = false,
  trying = [],
  failing,
}: Given): ApiServer {
  const serving = servingObjects(objects, { now: NOW, documents });
  return {
    ...serving,
    get: <T>(path: string) =>
      failing && path.startsWith('/openapi') ? Promise.reject(failing) : serving.get<T>(path),
    patch: (path, patch, options) => {
      const next = trying.shift();
      return next ? Promise.reject(next) : serving.patch(path, patch, options);
    },
    ...(refuses && {
      patch: () =>
        Promise.reject(
          new ApiError('spec.taints[0].effect: Unsupported value', { status: 422, reason: 'Invalid' }),
        ),
    }),
    typed: () =>
      Promise.resolve({
        leases: () => ({
          read: () => {
            if (lease === 'forbidden')
              return Promise.reject(
                new ApiError('leases is forbidden', { status: 403, reason: 'Forbidden' }),
              );
            const record = { leaseDurationSeconds: 15, acquireTime: 0, leaseTransitions: 0, ...lease };
            return Promise.resolve(
              lease && { record: { holderIdentity: 'manager-1', renewTime: NOW, ...record }, stored: 1 },
            );
          },
          create: () => Promise.reject(new Error('nothing is written')),
          replace: () => Promise.reject(new Error('nothing is written')),
        }),
        events: {
          create: () => Promise.reject(new Error('nothing is written')),
          patch: () => Promise.reject(new Error('nothing is written')),
        },
      }),
  };
}

function found(given: Given) {
  const { started, said = [], controllers = '*', settings = ON, version = 'v1.18' } = given;
  const { dialect } = dialectOf(version);
  const asFlags = [...settings, `controllers=${controllers}`].map((text) => {
    const [name, value] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
    const isGate = /^[A-Z]/.test(name);
    return { name: isGate ? 'feature-gates' : name, value: isGate ? text : value, place: `--${name}` };
  });
  const line = {
    component: 'controllerManager' as const,
    flags: parseArguments((started ?? '').split(' ')),
    source: 'Deployment karmada-system/karmada-controller-manager',
  };
  return refusals(server(given), {
    settings: readSettings(asFlags, dialect, plainNames),
    host: started === undefined ? undefined : { commandLines: [line], versions: [], warnings: [] },
    running: dialectOf('v1.18').dialect,
    said,
    observe: false,
    names: plainNames,
    pause: () => Promise.resolve(given.pause?.()),
  });
}

describe('the refusal of controllers that Karmada already runs', () => {
  test('covers all four controllers with every flag on, each with the flag that turns it off', async () => {
    const all = await found({ started: ALL_ON });
    expect(all).toEqual([
      {
        code: 'same-job',
        controller: 'cluster-taint-policy',
        karmadas: 'clustertaintpolicy',
        found: `Deployment karmada-system/karmada-controller-manager starts it (${ALL_ON})`,
        off: '--controllers=*,-clustertaintpolicy',
      },
      expect.objectContaining({ controller: 'taint-manager', off: '--enable-taint-manager=false' }),
      expect.objectContaining({ controller: 'graceful-eviction' }),
      expect.objectContaining({ controller: 'application-failover' }),
    ]);
  });

  test.each([
    [
      'the feature gate Failover',
      '--enable-no-execute-taint-eviction=true',
      ['graceful-eviction', 'application-failover'],
    ],
    [
      'a flag that turns evictions off',
      '--feature-gates=Failover=true',
      ['cluster-taint-policy', 'graceful-eviction', 'application-failover'],
    ],
    [
      'flags that turn all controllers off',
      `${ALL_ON} --enable-taint-manager=false --controllers=*,-clustertaintpolicy,-gracefulEviction,-applicationFailover`,
      [],
    ],
    [
      'a list of controllers without *',
      `${ALL_ON} --controllers=binding,gracefulEviction`,
      ['graceful-eviction'],
    ],
    [
      'two lists of controllers, which are combined',
      `${ALL_ON} --controllers=binding,gracefulEviction --controllers=applicationFailover`,
      ['graceful-eviction', 'application-failover'],
    ],
    [
      'only the first of two entries for a controller',
      `${ALL_ON} --controllers=*,cluster,-cluster`,
      ['cluster-taint-policy', 'taint-manager', 'graceful-eviction', 'application-failover'],
    ],
    [
      'that the cluster controller runs the taint manager',
      `${ALL_ON} --controllers=*,-cluster`,
      ['cluster-taint-policy', 'graceful-eviction', 'application-failover'],
    ],
  ])('considers %s', async (_, started, same) => {
    const all = await found({ started });
    expect(all.map((one) => one.code === 'same-job' && one.controller)).toEqual(same);
  });

  test('covers only the chosen controllers', async () => {
    expect(await found({ started: '', controllers: 'taint-manager' })).toEqual([]);
    expect(await found({ started: ALL_ON, controllers: 'taint-manager' })).toHaveLength(1);
  });

  test('follows flags given by the user, also beside flags read from the Deployment', async () => {
    const off = [
      'controllers=*,-clustertaintpolicy,-gracefulEviction,-applicationFailover',
      'enable-taint-manager=false',
    ];
    expect(await found({ said: [...off, 'Failover=true'] })).toEqual([]);
    expect(await found({ started: ALL_ON, said: off })).toEqual([]);
    const lists = `${ALL_ON} --controllers=*,gracefulEviction`;
    expect(await found({ started: lists, said: off })).toEqual([]);
    expect(
      await found({ said: ['feature-gates=Failover=true'], controllers: 'cluster-taint-policy' }),
    ).toHaveLength(1);
    expect(await problemOf(() => found({ said: ['nonsense'] }))).toMatchObject({ code: 'settings' });
  });
});

describe('a controller with unknown flags of karmada-controller-manager', () => {
  test('is refused if a renewed Lease shows that the manager runs', async () => {
    expect(await found({ lease: { renewTime: NOW - 20_000 } })).toEqual([
      {
        code: 'unknown-flags',
        controllers: ['cluster-taint-policy', 'taint-manager', 'graceful-eviction', 'application-failover'],
        lease: 'karmada-system/karmada-controller-manager',
        holder: 'manager-1',
        renewed: NOW - 20_000,
      },
    ]);
  });

  test('is accepted if the Lease is expired or has no holder', async () => {
    expect(await found({ lease: { renewTime: NOW - 31_000 } })).toEqual([]);
    expect(await found({ lease: { holderIdentity: '' } })).toEqual([]);
  });

  test('is refused if the Lease is missing or forbidden', async () => {
    expect(await found({})).toMatchObject([
      { code: 'unknown-manager', why: expect.stringMatching(/no Lease/) },
    ]);
    expect(await found({ lease: 'forbidden' })).toMatchObject([
      { code: 'unknown-manager', why: 'leases is forbidden' },
    ]);
  });
});

describe('an API that drops written fields', () => {
  const off = { started: '--controllers=none' };

  test('is refused if its eviction tasks have no purge mode', async () => {
    const old = openApi({ binding: bindingSchema({ fromCluster: {} }) });
    expect(await found({ ...off, documents: old })).toEqual([
      {
        code: 'not-kept',
        kind: 'ResourceBinding',
        field: 'spec.gracefulEvictionTasks.purgeMode',
        controllers: ['taint-manager', 'graceful-eviction', 'application-failover'],
      },
      expect.objectContaining({ kind: 'ClusterResourceBinding' }),
    ]);
  });

  test('is refused if its ClusterTaintPolicies have other fields', async () => {
    const other = openApi({ policy: taintPolicySchema({ matchConditions: {} }) });
    expect(await found({ ...off, documents: other })).toEqual([
      expect.objectContaining({ field: 'spec.addOnConditions', controllers: ['cluster-taint-policy'] }),
    ]);
  });

  test('is refused if it has no ClusterTaintPolicies', async () => {
    const { '/openapi/v3/apis/policy.karmada.io/v1alpha1': _none, ...rest } = openApi();
    expect(await found({ ...off, documents: rest })).toHaveLength(1);
    expect(await found({ ...off, documents: rest, controllers: 'graceful-eviction' })).toEqual([]);
  });

  describe('a starting API server without schemas', () => {
    const serving = (...kinds: string[]) => ({
      resources: kinds.map((kind) => ({ kind, name: kind.toLowerCase(), verbs: ['list'] })),
    });
    const served = {
      '/apis/policy.karmada.io/v1alpha1': serving('ClusterTaintPolicy'),
      '/apis/work.karmada.io/v1alpha2': serving('ResourceBinding', 'ClusterResourceBinding'),
    };

    test('is asked again until it publishes them', async () => {
      const documents: Record<string, unknown> = { '/openapi/v3': { paths: {} }, ...served };
      let pauses = 0;
      const pause = () => {
        if (++pauses === 3) Object.assign(documents, openApi());
      };
      expect(await found({ ...off, documents, pause })).toEqual([]);
      expect(pauses).toBe(3);
    });

    test('is refused after all attempts', async () => {
      let pauses = 0;
      const pause = () => void pauses++;
      const lacks = await found({ ...off, documents: { '/openapi/v3': { paths: {} }, ...served }, pause });
      expect(lacks).toContainEqual(expect.objectContaining({ field: 'spec.addOnConditions' }));
      expect(pauses).toBe(19);
    });
  });

  describe('an API server that publishes no schemas', () => {
    const unknown = { code: 'unknown-fields', controllers: expect.arrayContaining(['taint-manager']) };

    test('is refused at once if it has no OpenAPI documents', async () => {
      let pauses = 0;
      const pause = () => void pauses++;
      expect(await found({ ...off, documents: {}, pause })).toMatchObject([unknown]);
      expect(pauses).toBe(0);
    });

    test('is asked again while it fails, and then refused with its error', async () => {
      let pauses = 0;
      const pause = () => void pauses++;
      const failing = new ApiError('the server is starting', { status: 503, reason: 'ServiceUnavailable' });
      expect(await found({ ...off, documents: openApi(), failing, pause })).toMatchObject([
        { ...unknown, why: 'the server is starting' },
      ]);
      expect(pauses).toBe(19);
    });
  });
});

describe('a controller of the proposal', () => {
  const off = { started: '--controllers=none', version: 'proposal', settings: ['Failover=true'] };
  const objects = [cluster('east-1') as KubernetesObject];
  const its = openApi({
    policy: taintPolicySchema({
      matchConditions: {},
      taintsToAdd: { items: { properties: { addOnMatchSeconds: {}, removeOnMismatchSeconds: {} } } },
    }),
    binding: bindingSchema(
      { fromCluster: {}, purgeMode: {} },
      { failover: { properties: { cluster: { properties: { tolerationSeconds: {} } } } } },
    ),
  });

  test('is refused for the shipped CRDs, which lack its fields and PreferNoExecute', async () => {
    const lacks = await found({ ...off, objects, refuses: true });
    expect(
      lacks.map((one) => one.code === 'not-kept' && [one.kind, one.field, one.value].join(' ').trim()).sort(),
    ).toEqual(
      [
        'ResourceBinding spec.failover.cluster.tolerationSeconds',
        'ClusterResourceBinding spec.failover.cluster.tolerationSeconds',
        'ClusterTaintPolicy spec.matchConditions',
        'ClusterTaintPolicy spec.taintsToAdd.addOnMatchSeconds',
        'ClusterTaintPolicy spec.taintsToAdd.removeOnMismatchSeconds',
        'Cluster spec.taints.effect PreferNoExecute',
      ].sort(),
    );
  });

  test('is accepted for CRDs with its fields and PreferNoExecute', async () => {
    expect(await found({ ...off, documents: its, objects })).toEqual([]);
  });

  const answer = (status: number) => new ApiError(`answered ${status}`, { status, reason: '' });

  test('retries a Cluster API that fails temporarily', async () => {
    let pauses = 0;
    const trying = [answer(503), answer(409), answer(0)];
    expect(await found({ ...off, documents: its, objects, trying, pause: () => void pauses++ })).toEqual([]);
    expect(pauses).toBe(3);
  });

  test('is refused with the error if the Cluster API continues to fail', async () => {
    const trying = Array.from({ length: 20 }, () => answer(500));
    expect(await found({ ...off, documents: its, objects, trying })).toEqual([
      {
        code: 'unknown-effect',
        kind: 'Cluster',
        value: 'PreferNoExecute',
        controllers: ['cluster-taint-policy', 'taint-manager'],
        why: 'answered 500',
      },
    ]);
    expect(trying).toEqual([]);
  });

  test('is accepted without the right to test PreferNoExecute', async () => {
    const trying = [answer(403)];
    expect(await found({ ...off, documents: its, objects, trying })).toEqual([]);
    expect(trying).toEqual([]);
  });
});

test('controllers without an effect are refused, with the flags that each needs', async () => {
  expect(
    await found({ started: '', settings: [], controllers: 'cluster-taint-policy,taint-manager' }),
  ).toEqual([
    {
      code: 'nothing-runs',
      controllers: [
        { controller: 'cluster-taint-policy', needs: ['Failover=true'] },
        { controller: 'taint-manager', needs: ['Failover=true', 'enable-no-execute-taint-eviction=true'] },
      ],
    },
  ]);
});
