import { describe, expect, test } from '@jest/globals';
import { bindingController } from '../../../src/karmada/works/bindingController.ts';
import { detector } from '../../../src/karmada/propagation/detector.ts';
import { garbageCollector } from '../../../src/karmada/propagation/garbageCollector.ts';
import type { PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import { Bench } from '../controllers/bench.ts';
import { binding, cluster, failoverOn, template, WEB, webOn, work } from '../controllers/objects.ts';

const TEMPLATE = 'Deployment/shop/web';
const POLICY = 'PropagationPolicy/shop/web';
const claim = {
  labels: { 'propagationpolicy.karmada.io/permanent-id': 'policy-1' },
  annotations: {
    'propagationpolicy.karmada.io/namespace': 'shop',
    'propagationpolicy.karmada.io/name': 'web',
  },
};
const owned = {
  ...claim,
  labels: { ...claim.labels, 'resourcebinding.karmada.io/permanent-id': 'id-web' },
};

function policy(spec: Partial<PropagationPolicy['spec']> = {}): PropagationPolicy {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: {
      name: 'web',
      namespace: 'shop',
      labels: { 'propagationpolicy.karmada.io/permanent-id': 'policy-1' },
    },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }],
      placement: { clusterAffinity: { clusterNames: ['m1'] } },
      ...spec,
    },
  };
}

describe('the detector', () => {
  test('creates the missing binding of a captured template', () => {
    const bench = new Bench({ objects: [template()], policies: [policy()] }, failoverOn);
    expect(bench.resumes(detector)).toEqual([`template ${TEMPLATE}`]);
    bench.reconcile(detector, `template ${TEMPLATE}`);
    expect(bench.get('Binding', WEB)).toMatchObject({
      metadata: { labels: { 'propagationpolicy.karmada.io/permanent-id': 'policy-1' } },
      spec: {
        resource: { kind: 'Deployment', name: 'web' },
        replicas: 3,
        placement: policy().spec.placement,
      },
    });
    expect(bench.get('Object', TEMPLATE)!.metadata.labels).toMatchObject(claim.labels);
  });

  test('does not resume with a template that a lazy policy has claimed', () => {
    const resumed = (activationPreference?: string) =>
      new Bench(
        {
          objects: [template({}, { metadata: claim })],
          policies: [policy(activationPreference ? { activationPreference } : {})],
        },
        failoverOn,
      ).resumes(detector);
    expect(resumed()).toEqual([`template ${TEMPLATE}`]);
    expect(resumed('Lazy')).toEqual([]);
  });

  test('does not recreate a deleted binding, unless the template or policy is recent or the process restarts', () => {
    const made = (creationTimestamp: string) => ({ ...claim, creationTimestamp });
    const resumed = (madeAt: string, policyMadeAt: string, running = true) => {
      const owner = policy();
      owner.metadata.creationTimestamp = policyMadeAt;
      const objects = [template({}, { metadata: made(madeAt) })];
      const { view, configuration, now } = new Bench({ objects, policies: [owner] }, failoverOn);
      const context = { configuration, now, ...(running && { unseen: () => undefined }) };
      return Array.from(detector.resumes!(view, context), ({ key }) => key);
    };
    const [longAgo, justNow] = ['2026-03-14T09:00:00Z', '2026-03-14T09:59:59Z'];
    expect(resumed(longAgo, longAgo)).toEqual([]);
    expect(resumed(justNow, longAgo)).toEqual([`template ${TEMPLATE}`]);
    expect(resumed(longAgo, justNow)).toEqual([`template ${TEMPLATE}`]);
    expect(resumed(longAgo, longAgo, false)).toEqual([`template ${TEMPLATE}`]);
  });

  test('retries a template whose binding could not be created, whatever its age', () => {
    const waiting = policy({
      schedulePriority: { priorityClassSource: 'KubePriorityClass', priorityClassName: 'high' },
    });
    waiting.metadata.creationTimestamp = '2026-03-14T09:00:00Z';
    const metadata = { ...claim, creationTimestamp: '2026-03-14T09:00:00Z' };
    const bench = new Bench(
      { objects: [template({}, { metadata })], policies: [waiting] },
      { ...failoverOn, featureGates: { ...failoverOn.featureGates, PriorityBasedScheduling: true } },
    );
    const { view, configuration, now } = bench;
    const context = { configuration, now, unseen: () => undefined };
    expect(Array.from(detector.resumes!(view, context), ({ key }) => key)).toEqual([`template ${TEMPLATE}`]);
  });

  test('resumes with a captured template that differs from its binding, and with no other', () => {
    const claimed = template({ replicas: 5 }, { metadata: claim });
    const scaled = new Bench(
      {
        objects: [claimed],
        policies: [policy()],
        bindings: [binding({ clusters: [] }, { metadata: owned })],
      },
      failoverOn,
    );
    expect(scaled.resumes(detector)).toEqual([`template ${TEMPLATE}`]);
    scaled.reconcile(detector, `template ${TEMPLATE}`);
    expect(scaled.get('Binding', WEB)!.spec.replicas).toBe(5);
    expect(scaled.resumes(detector)).toEqual([]);
  });

  test('updates the bindings of a changed policy, even if their templates are missing', () => {
    const bench = new Bench(
      { policies: [policy()], bindings: [binding({ clusters: [] }, { metadata: owned })] },
      failoverOn,
    );
    const base = bench.get('Policy', POLICY)!;
    const object = policy({ placement: { clusterAffinity: { clusterNames: ['m2'] } } });
    const wakes = bench.wakes(detector, {
      verb: 'update',
      kind: 'Policy',
      key: POLICY,
      part: 'object',
      lock: false,
      base,
      object,
    });
    expect(wakes).toEqual([{ key: `policy ${POLICY}` }]);
    bench.reconcile(detector, wakes[0]!.key);
    expect(bench.get('Binding', WEB)!.spec).toMatchObject({
      placement: { clusterAffinity: { clusterNames: ['m2'] } },
      replicas: 3,
    });
  });

  test('removes the labels of a deleted policy from its bindings and templates', () => {
    const bench = new Bench(
      {
        objects: [template({ replicas: 3 }, { metadata: claim })],
        policies: [policy()],
        bindings: [binding({ clusters: [] }, { metadata: owned })],
      },
      failoverOn,
    );
    const base = bench.get('Policy', POLICY)!;
    const wakes = bench.wakes(detector, { verb: 'delete', kind: 'Policy', key: POLICY, base });
    bench.reconcile(detector, wakes[0]!.key);
    expect(bench.get('Binding', WEB)!.metadata.labels).toEqual({
      'resourcebinding.karmada.io/permanent-id': 'id-web',
    });
    expect(bench.get('Object', TEMPLATE)!.metadata.labels).toEqual({});
  });

  test('records the earlier priority of a policy whose priority is lowered', () => {
    const bench = new Bench({ policies: [policy({ priority: 7 })] }, failoverOn);
    const base = bench.get('Policy', POLICY)!;
    const object = policy({ priority: 2 });
    expect(
      bench.wakes(detector, {
        verb: 'update',
        kind: 'Policy',
        key: POLICY,
        part: 'object',
        lock: false,
        base,
        object,
      }),
    ).toEqual([{ key: `policy ${POLICY} below 7` }]);
  });

  test('retries while the binding of an earlier template with the same name exists', () => {
    const old = binding(
      { clusters: [] },
      {
        metadata: {
          ...owned,
          ownerReferences: [
            { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-old', controller: true },
          ],
        },
      },
    );
    const bench = new Bench({ objects: [template()], policies: [policy()], bindings: [old] }, failoverOn);
    expect(bench.reconcile(detector, `template ${TEMPLATE}`).failure).toMatchObject({
      reason: 'OwnerReplaced',
      unless: [{ kind: 'Binding', key: WEB }],
    });
  });
});

describe('the garbage collector', () => {
  const given = () =>
    new Bench(
      {
        clusters: [cluster('m1')],
        objects: [template()],
        bindings: [binding({ clusters: [{ name: 'm1', replicas: 3 }] })],
        works: [work('m1')],
      },
      failoverOn,
    );

  test('deletes the binding of a deleted template, and then its Works', () => {
    const bench = given();
    const base = bench.get('Object', TEMPLATE)!;
    const wakes = bench.wakes(garbageCollector, { verb: 'delete', kind: 'Object', key: TEMPLATE, base });
    expect(wakes).toEqual([{ key: WEB }]);
    bench.reconcile(garbageCollector, WEB);
    expect(bench.get('Binding', WEB)!.metadata.deletionTimestamp).toBeDefined();
    bench.reconcile(bindingController, WEB);
    expect(bench.get('Binding', WEB)).toBeUndefined();
    expect(bench.get('Work', webOn('m1'))!.metadata.deletionTimestamp).toBeDefined();
  });

  test('keeps the binding of an existing template', () => {
    const bench = given();
    expect(bench.reconcile(garbageCollector, WEB)).toEqual({});
    const labelled = template({ replicas: 3 }, { metadata: { labels: { app: 'web' } } });
    const base = bench.get('Object', TEMPLATE)!;
    expect(
      bench.wakes(garbageCollector, {
        verb: 'update',
        kind: 'Object',
        key: TEMPLATE,
        part: 'object',
        lock: false,
        base,
        object: labelled,
      }),
    ).toEqual([]);
  });
});
