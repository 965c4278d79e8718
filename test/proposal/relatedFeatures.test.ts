import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { referenceTo } from '../../src/karmada/objects/identities.ts';
import { reconcile } from '../../src/karmada/propagation/followTemplate.ts';
import { createPropagation } from '../../src/karmada/propagation/propagation.ts';
import type { PropagationPolicy } from '../../src/karmada/api/policy.ts';
import { parseAssumption } from '../../src/karmada/configuration/assumptions.ts';
import { admitObject } from '../../src/karmada/defaults/admitObject.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { controllersFor } from '../../src/karmada/running/karmadaControllers.ts';
import { chosenJobs } from '../../src/useCases/controller/settings.ts';
import { seen } from '../karmada/propagation/seen.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { cluster, deployment, outcomeOf, run, START, story } from '../simulator/simulation/controlPlane.ts';
import { NGINX_PROPAGATION, proposal } from './documents.ts';
import { evicting, FAULT, onOneOf, plainWorld } from './underDesign.ts';

const configuration = evicting('proposal');
const example = parse(NGINX_PROPAGATION) as PropagationPolicy;

describe('001 other optimization points', () => {
  const admitted = (version: string) =>
    admitObject({
      kind: 'PropagationPolicy',
      operation: 'CREATE',
      namespace: 'default',
      permanentId: 'uuid',
      object: { ...example, spec: { ...example.spec, failover: undefined } },
      rules: dialectOf(version).dialect.rules,
    }) as unknown as { object: PropagationPolicy };

  test('001 optimization point 2: the webhook adds no tolerations to a policy, where v1.13 adds two of 300 s', () => {
    expect(admitted('proposal').object.spec.placement!.clusterTolerations).toBeUndefined();
    expect(admitted('v1.13.10').object.spec.placement!.clusterTolerations).toMatchObject([
      { key: 'cluster.karmada.io/not-ready', tolerationSeconds: 300 },
      { key: 'cluster.karmada.io/unreachable', tolerationSeconds: 300 },
    ]);
  });

  test('001 optimization point 2: a NoExecute taint evicts a workload without tolerations at once', () => {
    const nginx = deployment('nginx', {
      placement: onOneOf('member1', 'member2'),
      clusters: [{ name: 'member1', replicas: 2 }],
      replicas: 2,
    });
    const simulation = run(plainWorld([cluster('member1'), cluster('member2')], [nginx]), {
      configuration,
      events: [
        [7, { type: 'taint', cluster: 'member1', taint: { ...FAULT, key: 'cluster.karmada.io/not-ready' } }],
      ],
    });
    // one of two clusters is faulty, which is less than 55%
    expect(story(simulation, 'nginx')[0]).toBe('7s Evicted member1');
  });

  test('001 optimization point 3: the parameter controllers enables the taint manager with its queue; enable-taint-manager is removed', () => {
    const names = (...list: string[]) => controllersFor(chosenJobs(list)).map(({ name }) => name as string);
    expect(names('*')).toEqual(expect.arrayContaining(['taint-manager', 'eviction-queue']));
    expect(names('*', '-taint-manager')).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/taint-manager|eviction-queue|binding-eviction/)]),
    );
    expect(parseAssumption('enable-taint-manager=true', 'a test', proposal)).toHaveProperty('message');
  });
});

describe('001 taint types and behaviors 2: bindings inherit failover.cluster', () => {
  test.each([
    ['ResourceBinding', 'default'],
    ['ClusterResourceBinding', undefined],
  ])('001 failover.cluster of a policy is copied to the %s', (kind, namespace) => {
    const policy: PropagationPolicy = {
      ...example,
      ...(namespace ? {} : { kind: 'ClusterPropagationPolicy' }),
      metadata: {
        ...example.metadata,
        ...(namespace && { namespace }),
        labels: {
          [`${namespace ? '' : 'cluster'}propagationpolicy.karmada.io/permanent-id`]: 'id',
        },
      },
      spec: {
        ...example.spec,
        resourceSelectors: [
          { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx', ...(namespace && { namespace }) },
        ],
      },
    };
    const template = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'nginx', uid: '1', ...(namespace && { namespace }) },
      spec: { replicas: 2 },
    };
    const view = seen({ policies: [policy], bindings: [], templates: [template] });
    const propagation = createPropagation({ view, featureGates: {}, rules: proposal.rules });
    reconcile(propagation, referenceTo(template), false);
    const [binding] = propagation.changes.flatMap((one) => (one.type === 'binding' ? [one.after!] : []));
    expect(binding).toMatchObject({
      kind,
      spec: { failover: { cluster: { purgeMode: 'Directly', tolerationSeconds: 100 } } },
    });
  });
});

describe('001 analysis of the impacts on related features', () => {
  test('001 karmadactl unjoin: a cluster in deletion gets no terminating taint, and keeps its workloads', () => {
    const nginx = deployment('nginx', {
      placement: onOneOf('member1', 'member2'),
      clusters: [{ name: 'member1', replicas: 2 }],
      replicas: 2,
    });
    const member1 = cluster('member1');
    const going = { ...member1, metadata: { ...member1.metadata, deletionTimestamp: rfc3339(START) } };
    const reported = (version: string) =>
      run(plainWorld([going, cluster('member2')], [nginx]), { configuration: evicting(version) })
        .events.map(({ type }) => type)
        .filter((type) => /Taint|Evicted/.test(type));
    expect(reported('proposal')).toEqual([]);
    expect(reported('v1.13.10')).toEqual(['TaintAdded', 'Evicted']);
  });
});

describe('001 user stories', () => {
  const members = ['member1', 'member2', 'member3'].map((name) => cluster(name));
  const workload = (name: string, spec: object = {}) =>
    deployment(name, {
      placement: onOneOf('member1', 'member2', 'member3'),
      clusters: [{ name: 'member1', replicas: 1 }],
      replicas: 1,
      spec,
    });
  const active = { failover: { cluster: { tolerationSeconds: 0 } } };
  const moved = (effect: 'NoExecute' | 'PreferNoExecute', names: string[], spec: (at: number) => object) => {
    const bindings = names.map((name, at) => workload(name, spec(at)));
    const simulation = run(plainWorld(members, bindings), {
      configuration,
      events: [[0, { type: 'taint', cluster: 'member1', taint: { key: 'fault', effect } }]],
    });
    return names.filter((name) => outcomeOf(simulation, name).outcome === 'moves');
  };

  test('001 story 2: a full failure moves all workloads, a partial one those with failover.cluster', () => {
    const names = ['web', 'api', 'training'];
    const spec = (at: number) => (at === 2 ? active : {});
    expect(moved('NoExecute', names, spec)).toEqual(names);
    expect(moved('PreferNoExecute', names, spec)).toEqual(['training']);
  });

  test('001 story 3: by default nothing moves; only the few workloads with failover.cluster move, without any toleration', () => {
    const names = Array.from({ length: 10 }, (_, at) => `w${at}`);
    expect(moved('PreferNoExecute', names, (at) => (at === 4 ? active : {}))).toEqual(['w4']);
  });
});
