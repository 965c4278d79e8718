import { describe, expect, test } from '@jest/globals';
import { clusterController } from '../../../src/karmada/detection/clusterController.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { ConditionStatus } from '../../../src/karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { dialectOf } from '../../../src/karmada/dialects/dialects.ts';
import { v1_18 } from '../../dialects.ts';
import { Bench, type Contents } from '../controllers/bench.ts';

const binding: ResourceBinding = {
  kind: 'ResourceBinding',
  metadata: { namespace: 'shop', name: 'web-deployment' },
  spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, clusters: [{ name: 'm1' }] },
};
const work: Work = { metadata: { namespace: 'karmada-es-m1', name: 'web-1' } };

function deleted(
  syncMode: 'Push' | 'Pull' = 'Push',
  status: ConditionStatus = 'True',
  deletionTimestamp = '2026-03-14T09:59:00Z',
): Cluster {
  return {
    metadata: { name: 'm1', deletionTimestamp },
    spec: { syncMode },
    status: { conditions: [{ type: 'Ready', status }] },
  };
}

const look = (contents: Contents, configuration: Configuration = v1_18.defaults) => {
  const bench = new Bench({ clusters: [deleted()], ...contents }, configuration);
  const step = bench.reconcile(clusterController, 'm1');
  return { step, verbs: (step.writes ?? []).map(({ verb, kind }) => `${verb} ${kind}`), bench };
};
const versioned = (version: string, taintManager = true): Configuration => {
  const { defaults } = dialectOf(version).dialect;
  const flags = { ...defaults.controllerManager, 'enable-taint-manager': taintManager };
  return { ...defaults, controllerManager: flags };
};

describe('a Cluster that is being deleted', () => {
  test('loses its Works after 5 s, with a check every 8 s until they are deleted', () => {
    const bench = new Bench(
      { clusters: [deleted('Push', 'True', '2026-03-14T10:00:00Z')], works: [work] },
      v1_18.defaults,
    );
    expect(bench.reconcile(clusterController, 'm1')).toMatchObject({ writes: [], requeue: { after: 5000 } });
    bench.now += 5000;
    const { writes, requeue } = bench.reconcile(clusterController, 'm1');
    expect(writes).toMatchObject([{ verb: 'delete', kind: 'Work' }]);
    expect(requeue).toEqual({ after: 8000, unless: [{ kind: 'Work' }] });
  });

  test('is released at the first reconcile after its namespace is deleted', () => {
    const bench = new Bench({ clusters: [deleted('Push', 'True', '2026-03-14T10:00:00Z')] }, v1_18.defaults);
    bench.reconcile(clusterController, 'm1');
    bench.now += 5000;
    expect(bench.reconcile(clusterController, 'm1')).toMatchObject({ writes: [], requeue: { after: 5000 } });
    bench.now += 5000;
    expect(bench.reconcile(clusterController, 'm1').writes).toMatchObject([
      { verb: 'release', kind: 'Cluster' },
    ]);
  });

  test('continues its captured deletion at the next check of its namespace', () => {
    expect(look({ works: [work] }).step).toMatchObject({ writes: [], requeue: { after: 1000 } });
  });

  test('has its Works released if it is a Pull cluster with an unknown status', () => {
    expect(look({ clusters: [deleted('Pull', 'Unknown')], works: [work] }).verbs).toEqual(['release Work']);
    expect(look({ clusters: [deleted('Pull')], works: [work] }).verbs).toEqual([]);
  });

  test('is released once no binding has it as a target', () => {
    const waiting = look({ bindings: [binding] });
    expect(waiting.verbs).toEqual([]);
    expect(waiting.step.requeue).toEqual({ after: 10_000, unless: [{ kind: 'Binding', off: 'm1' }] });
    expect(look({}).verbs).toEqual(['release Cluster']);
  });

  test('waits for bindings up to v1.13 only with the taint manager, and waits permanently in v1.14.0', () => {
    expect(look({ bindings: [binding] }, versioned('v1.13.10', false)).verbs).toContain('release Cluster');
    expect(look({ bindings: [binding] }, versioned('v1.13.10')).verbs).not.toContain('release Cluster');
    expect(look({}, versioned('v1.14.0')).verbs).toEqual([]);
    expect(look({}, versioned('v1.14.1')).verbs).toEqual(['release Cluster']);
  });

  test('gets a NoExecute taint up to v1.13', () => {
    const { bench } = look({ works: [work] }, versioned('v1.13.10'));
    expect(bench.get('Cluster', 'm1')?.spec?.taints).toMatchObject([
      { key: 'cluster.karmada.io/terminating', effect: 'NoExecute', timeAdded: '2026-03-14T10:00:00Z' },
    ]);
    expect(
      look({ works: [work] }, versioned('v1.14.0')).bench.get('Cluster', 'm1')?.spec?.taints,
    ).toBeUndefined();
  });
});
