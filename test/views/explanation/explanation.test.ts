import { describe, expect, test } from '@jest/globals';
import type { WorkloadExplanation } from '../../../src/analysis/explanation/workloadExplanation.ts';
import { MAX_INT32 } from '../../../src/karmada/scheduling/capacity/replicaEstimate.ts';
import type { CuredFinding } from '../../../src/analysis/findings/state/diagnose.ts';
import { explanationAnswer } from '../../../src/views/explanation/explanation.ts';
import { breaches } from '../../commands/schema.ts';
import { explain } from '../../analysis/explanation/explain.ts';
import { cluster, deployment, START, world } from '../../simulator/simulation/controlPlane.ts';
import { answerText } from '../shownText.ts';

const aggregated = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
const placement = { clusterAffinity: { clusterNames: ['east-1', 'east-2'] }, replicaScheduling: aggregated };
const clusters = [cluster('east-1'), cluster('east-2'), cluster('north-1')];
const cart = deployment('cart', { placement, replicas: 3, clusters: [{ name: 'east-1', replicas: 3 }] });
const calm = explain(world(clusters, [cart]));
const failing = explain(world(clusters, [cart]), { ifFails: ['east-1'], clusters: ['north-1'] });
const pinned = deployment('pinned', {
  placement: { clusterAffinity: { clusterNames: ['east-1'] } },
  replicas: 2,
  clusters: [{ name: 'east-1', replicas: 2 }],
});
const lost = explain(world(clusters, [pinned]), { ifFails: ['east-1'] });

const assumption = { name: 'Failover', value: false, source: 'a default', assumed: true };
const answer = (explanation: WorkloadExplanation, brokenLinks: readonly CuredFinding[] = []) =>
  explanationAnswer({
    explanation,
    brokenLinks,
    now: START,
    karmadaVersion: 'v1.18',
    assumptions: [assumption, { ...assumption, name: 'now' }],
  });
const show = (explanation: WorkloadExplanation, options: Parameters<typeof answerText>[1] = {}) =>
  answerText(answer(explanation), { width: 80, ...options });

const gateOff: CuredFinding = {
  check: 'failover-gate-off',
  severity: 'error',
  theme: 'chain',
  message: 'failover is off: gate Failover=false',
  objects: [],
  evidence: [],
  unsimulated: false,
  remedy: { text: 'start it with the gate', commands: [['kubectl', 'patch']] },
};

describe('an explanation', () => {
  test('starts with the first broken link, in the words of doctor, its fix, and the other links', () => {
    const late: CuredFinding = { ...gateOff, check: 'detection-slow', severity: 'warning' };
    const text = answerText(answer(calm, [gateOff, late]), { width: 80 });
    expect(text.split('\n').slice(0, 7)).toEqual([
      'Deployment shop/cart, with no further failures: stays on east-1×3. All 3',
      'replicas keep running. But failover is off: gate Failover=false',
      '[failover-gate-off].',
      '',
      'to do: start it with the gate',
      'kubectl patch',
      'warning failover is off: gate Failover=false [detection-slow]',
    ]);
  });

  test('names the first broken link as the reason that a workload does not move', () => {
    const noHome: CuredFinding = { ...gateOff, message: 'Deployment shop/pinned: nothing else takes it' };
    const text = answerText(answer(lost, [noHome]), { width: 300 });
    expect(text.split('\n')[0]).toMatch(
      /: lost, nothing replaces east-1×2.*: nothing else takes it \[failover-gate-off\]\. /,
    );
  });

  test('replaces the name of the workload in findings by "it"', () => {
    const said = (message: string) =>
      answerText(answer(calm, [{ ...gateOff, message }]), { width: 300 }).split('\n')[0];
    expect(said('no cluster takes Deployment shop/cart')).toMatch(/\. But no cluster takes it \[/);
    expect(said('v1.17.0 has a bug: a task gets lost (Deployment shop/cart, Service shop/cart)')).toMatch(
      /\. But v1\.17\.0 has a bug: a task gets lost \[/,
    );
  });

  test('does not name a broken link as the reason if the workload is not on the failed cluster', () => {
    const elsewhere = explain(world(clusters, [pinned]), { ifFails: ['east-2'] });
    const text = answerText(answer(elsewhere, [gateOff]), { width: 300 });
    expect(text.split('\n')[0]).toMatch(/: stays on east-1×2\. .*But failover is off/);
  });

  test('shows the answer about a cluster, the verdict, the steps, and the uncertainties in this order', () => {
    const text = show(failing);
    const order = [
      'Why not north-1?',
      'Deployment shop/cart',
      ': moves from east-1×3 to east-2×3',
      'Clusters as the scheduler sees them at T+35.1s',
      'If east-1 fails now:',
      'Estimate: ',
      'Failover',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  test('shows verdict, clusters and placement of a workload that stays', () => {
    const text = show({ ...calm, links: [], doubts: [] });
    expect(text.split('\n\n').slice(0, 3)).toEqual([
      [
        'Deployment shop/cart, with no further failures: stays on east-1×3. All 3',
        'replicas keep running.',
      ].join('\n'),
      [
        'Clusters as the scheduler would see them now (no reschedule is pending):',
        '  CLUSTER  API  AFFINITY        EVICTION  SPREAD  TAINTS  CAPACITY  REPLICAS',
        '  east-1   ✓    ✓               ✓         ✓       ✓       993       3',
        '  east-2   ✓    ✓               ✓         ✓       ✓       990       -',
        '  north-1  ✓    ✗ clusterNames  ✓         ✓       ✓       990       -',
        '  filters    2 of 3 clusters pass',
        '  spread     no constraints, all of them are taken',
        '  division   keeps east-1×3: as many replicas as wanted',
      ].join('\n'),
      [
        'Deployment shop/cart',
        '  ResourceBinding shop/cart-deployment',
        '  3 replicas on as few clusters as possible (Divided, Aggregated)',
        '  on   east-1×3',
      ].join('\n'),
    ]);
  });

  test('fits the width of the screen, except for commands to paste', () => {
    for (const explanation of [calm, failing, lost])
      for (const wide of [false, true]) {
        const long = show(explanation, { wide })
          .split('\n')
          .filter((line) => line.length > 80 && !line.trim().startsWith('kubectl '));
        expect(long).toEqual([]);
      }
  });

  test('shows only the clusters with --no-headers', () => {
    const lines = answerText(answer(failing), { noHeaders: true }).split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['east-1', 'east-2', 'north-1']);
  });

  test('reports that a dependent follows other objects, and shows no clusters', () => {
    const text = show({ ...calm, attached: true });
    expect(text).toContain(
      '\n  It follows the objects that require it, at once and without an eviction of its\n  own.',
    );
    expect(text).not.toContain('Clusters as the scheduler');
  });

  test('lists dependents, missing dependencies, and the objects that require it', () => {
    const workload = (name: string) => ({ kind: 'ConfigMap', namespace: 'shop', name });
    const dependencies = {
      propagateDeps: true,
      follow: [
        { workload: workload('settings'), ownClusters: [] },
        { workload: workload('shared'), ownClusters: [{ name: 'north-1' }] },
      ],
      missing: [workload('gone')],
      requiredBy: [workload('parent')],
    };
    const text = show({ ...calm, dependencies } as unknown as WorkloadExplanation).replaceAll(/\s+/g, ' ');
    for (const sentence of [
      'Follow it at once, without an eviction task: ConfigMap shop/settings, ConfigMap shop/shared.',
      'ConfigMap shop/shared stays on north-1 too, by its own policy.',
      'Dependencies without a binding in the state: ConfigMap shop/gone.',
      'It follows these objects: ConfigMap shop/parent.',
    ])
      expect(text).toContain(sentence);
    expect(show(calm)).not.toContain('Nothing follows it');
    expect(show(calm, { wide: true })).toContain('Nothing follows it: propagateDeps is not set');
  });

  test('lists uncertainties; the missing input only if they are unknown, or with -o wide', () => {
    const doubts = [
      { certainty: 'unknown' as const, what: 'whether it runs', missing: 'the flag' },
      { certainty: 'estimate' as const, what: 'when', missing: 'a clock' },
    ];
    const text = show({ ...calm, doubts });
    expect(text).toContain('Unknown: whether it runs (the flag)\nEstimate: when\n');
    expect(show({ ...calm, doubts }, { wide: true })).toContain('Estimate: when (a clock)');
  });

  test('names the workload as kubectl does', () => {
    expect(answer(calm).names()).toEqual(['deployment/cart']);
  });
});

describe('the document of an explanation', () => {
  const documentOf = (explanation: WorkloadExplanation) =>
    JSON.parse(JSON.stringify(answer(explanation).document)) as Record<string, never>;

  test.each([
    ['stays', calm],
    ['moves', failing],
    ['is lost', lost],
    ['follows other objects', { ...calm, attached: true }],
  ])('matches its schema for a workload that %s', (_, explanation) => {
    expect(breaches('explanation', documentOf(explanation))).toBe('');
  });

  test('has absolute times and offsets', () => {
    const { now, failures, decision, verdict } = documentOf(failing) as Record<string, object>;
    expect(now).toBe('2026-09-01T08:00:00Z');
    expect(failures).toEqual([{ cluster: 'east-1', time: '2026-09-01T08:00:00.000Z', offsetSeconds: 0 }]);
    expect(decision).toMatchObject({ offsetSeconds: 35.125 });
    expect(verdict).toMatchObject({ outcome: 'moves', settled: { offsetSeconds: 57.41 } });
  });

  test('has null for missing changes and unknown limits, and the result of each filter', () => {
    expect(documentOf(calm)).toMatchObject({ changes: null });
    const [group] = calm.decision.groups;
    const [first, second] = group!.clusters;
    const unlimited = { ...first!, allocatableReplicas: MAX_INT32 };
    const deleting = { ...second!, deleting: true };
    const groups = [{ ...group!, clusters: [unlimited, deleting, group!.clusters[2]!] }];
    const document = documentOf({ ...calm, decision: { ...calm.decision, groups } }) as unknown as {
      decision: { groups: { clusters: { filters: object[] }[] }[] };
    };
    const [one, two, three] = document.decision.groups[0]!.clusters;
    expect(one).toMatchObject({ allocatableReplicas: null, availableReplicas: null });
    expect(two).not.toHaveProperty('allocatableReplicas');
    expect(three!.filters).toContainEqual({
      plugin: 'ClusterAffinity',
      passes: false,
      reason: 'cluster(s) did not match the placement cluster affinity constraint',
      evidence: [expect.objectContaining({ rule: 'not named in clusterNames' })],
    });
    expect(three!.filters).toContainEqual({ plugin: 'TaintToleration', passes: true });
  });

  test('has the outcome of losing each cluster only if it was forecast', () => {
    expect(documentOf(calm)).not.toHaveProperty('ifItFails');
    const loss = { cluster: 'east-1', outcome: 'stays', after: [], certainty: 'certain' };
    const forecast = { ...calm, ifItFails: [loss] } as unknown as WorkloadExplanation;
    expect(documentOf(forecast)).toMatchObject({ ifItFails: [{ cluster: 'east-1', dependsOn: [] }] });
  });
});
