import { describe, expect, test } from '@jest/globals';
import { bindingController } from '../../../src/karmada/works/bindingController.ts';
import { dependenciesDistributor } from '../../../src/karmada/propagation/dependenciesDistributor.ts';
import { templateDependencies } from '../../../src/karmada/propagation/templateDependencies.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import { isStarted } from '../../../src/karmada/controllers/registry.ts';
import { Bench } from '../controllers/bench.ts';
import { binding, cluster, failoverOn, template, WEB } from '../controllers/objects.ts';

const CONFIG = 'shop/settings-configmap';
const m1 = { name: 'm1', replicas: 3 };
const m2 = { name: 'm2', replicas: 3 };

const settings: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop', uid: 'uid-settings' },
};
const mounting = template({
  replicas: 3,
  template: { spec: { containers: [{ name: 'web' }], volumes: [{ configMap: { name: 'settings' } }] } },
});
const parent = (spec: Partial<ResourceBinding['spec']> = {}, metadata: object = {}) =>
  binding({ clusters: [m1], propagateDeps: true, ...spec }, { metadata });

function attached(requiredBy: ResourceBinding['spec']['requiredBy']): ResourceBinding {
  return {
    kind: 'ResourceBinding',
    metadata: {
      name: 'settings-configmap',
      namespace: 'shop',
      generation: 1,
      labels: { 'resourcebinding.karmada.io/permanent-id': 'id-settings' },
    },
    spec: {
      resource: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace: 'shop',
        name: 'settings',
        uid: 'uid-settings',
      },
      ...(requiredBy && { requiredBy }),
    },
  };
}
const byWeb = { namespace: 'shop', name: 'web-deployment', clusters: [m1] };

describe('the dependencies distributor', () => {
  test.each([true, false])('runs by the gate PropagateDeps: %s', (PropagateDeps) => {
    const featureGates = { ...failoverOn.featureGates, PropagateDeps };
    expect(isStarted('dependencies-distributor', { ...failoverOn, featureGates })).toBe(PropagateDeps);
  });

  test('attaches the dependencies of a template once they exist', () => {
    const bench = new Bench({ objects: [mounting], bindings: [parent()] }, failoverOn);
    bench.reconcile(dependenciesDistributor, WEB);
    expect(bench.get('Binding', CONFIG)).toBeUndefined();
    const wakes = bench.wakes(dependenciesDistributor, {
      verb: 'create',
      kind: 'Object',
      key: 'ConfigMap/shop/settings',
      object: settings,
    });
    expect(wakes).toEqual([{ key: WEB }]);
    bench.reconcile(dependenciesDistributor, WEB);
    expect(bench.get('Binding', CONFIG)).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'ConfigMap', name: 'settings', uid: 'uid-settings' }] },
      spec: { resource: { kind: 'ConfigMap', name: 'settings' }, requiredBy: [byWeb] },
    });
    expect(bench.get('Binding', CONFIG)!.spec.clusters).toBeUndefined();
    expect(bench.get('Binding', WEB)!.metadata.annotations).toHaveProperty([
      'resourcebinding.karmada.io/dependencies',
    ]);
  });

  test('copies the clusters of a parent to its dependents, even if its template is missing', () => {
    const bench = new Bench({ bindings: [parent({ clusters: [m2] }), attached([byWeb])] }, failoverOn);
    expect(bench.resumes(dependenciesDistributor)).toEqual([WEB]);
    bench.reconcile(dependenciesDistributor, WEB);
    expect(bench.get('Binding', CONFIG)!.spec.requiredBy).toEqual([{ ...byWeb, clusters: [m2] }]);
    expect(bench.resumes(dependenciesDistributor)).toEqual([]);
    expect(bench.reconcile(dependenciesDistributor, WEB).writes).toEqual([]);
  });

  test('removes a deleted parent from its dependents, whose Works are then deleted', () => {
    const other = { namespace: 'shop', name: 'api-deployment', clusters: [m2] };
    const bench = new Bench(
      { clusters: [cluster('m1'), cluster('m2')], bindings: [parent(), attached([byWeb, other])] },
      failoverOn,
    );
    bench.reconcile(bindingController, CONFIG);
    bench.write({ verb: 'release', kind: 'Binding', key: WEB, base: bench.get('Binding', WEB)! });
    bench.reconcile(dependenciesDistributor, WEB);
    expect(bench.get('Binding', CONFIG)!.spec.requiredBy).toEqual([other]);
    bench.reconcile(bindingController, CONFIG);
    const works = bench.view.worksOf(bench.get('Binding', CONFIG)!);
    expect(works.get('m1')!.metadata.deletionTimestamp).toBeDefined();
    expect(works.get('m2')!.metadata.deletionTimestamp).toBeUndefined();
  });

  test('detaches dependencies that the template no longer has, and all of them without propagateDeps', () => {
    const without = new Bench(
      { objects: [template(), settings], bindings: [parent(), attached([byWeb])] },
      failoverOn,
    );
    without.reconcile(dependenciesDistributor, WEB);
    expect(without.get('Binding', CONFIG)!.spec).not.toHaveProperty('requiredBy');

    const stopped = new Bench(
      { objects: [mounting, settings], bindings: [parent({ propagateDeps: false }), attached([byWeb])] },
      failoverOn,
    );
    stopped.reconcile(dependenciesDistributor, WEB);
    expect(stopped.get('Binding', CONFIG)!.spec).not.toHaveProperty('requiredBy');
  });

  test('reconciles when the clusters of a binding change and when the binding is deleted', () => {
    const bench = new Bench({ bindings: [parent()] }, failoverOn);
    const base = bench.get('Binding', WEB)!;
    const object = { ...base, spec: { ...base.spec, clusters: [m2] } };
    const update = { verb: 'update', kind: 'Binding', key: WEB, lock: false, base, object } as const;
    expect(bench.wakes(dependenciesDistributor, { ...update, part: 'object' })).toEqual([{ key: WEB }]);
    expect(
      bench.wakes(dependenciesDistributor, { verb: 'release', kind: 'Binding', key: WEB, base }),
    ).toEqual([{ key: WEB }]);
  });
});

describe('the dependencies of a template', () => {
  test('are the objects that its pods reference', () => {
    const pod = {
      serviceAccountName: 'runner',
      imagePullSecrets: [{ name: 'registry' }],
      initContainers: [{ envFrom: [{ secretRef: { name: 'init' } }] }],
      containers: [
        { env: [{ valueFrom: { configMapKeyRef: { name: 'flags', key: 'x' } } }, { name: 'plain' }] },
      ],
      volumes: [
        { secret: { secretName: 'tls' } },
        { persistentVolumeClaim: { claimName: 'data' } },
        { projected: { sources: [{ configMap: { name: 'extra' } }] } },
      ],
    };
    expect(
      templateDependencies(template({ template: { spec: pod } }))!.map(({ kind, name }) => `${kind} ${name}`),
    ).toEqual([
      'ConfigMap extra',
      'ConfigMap flags',
      'Secret init',
      'Secret registry',
      'Secret tls',
      'ServiceAccount runner',
      'PersistentVolumeClaim data',
    ]);
  });

  test('exclude the claims that a StatefulSet creates from its own templates', () => {
    const claims = [
      { persistentVolumeClaim: { claimName: 'own' } },
      { persistentVolumeClaim: { claimName: 'shared' } },
    ];
    const set = template(
      { template: { spec: { volumes: claims } }, volumeClaimTemplates: [{ metadata: { name: 'own' } }] },
      { kind: 'StatefulSet' },
    );
    expect(templateDependencies(set)!.map(({ name }) => name)).toEqual(['shared']);
  });
});
