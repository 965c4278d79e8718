import { describe, expect, test } from '@jest/globals';
import type { ProposedChange } from '../../../src/analysis/explanation/changes/change.ts';
import type { ChangeSearch } from '../../../src/analysis/explanation/smallestChange.ts';
import { lossRows } from '../../../src/views/explanation/verdict.ts';
import type {
  ClusterLoss,
  WorkloadExplanation,
} from '../../../src/analysis/explanation/workloadExplanation.ts';
import { changesBlocks, lossChangesBlocks } from '../../../src/views/explanation/changes.ts';
import { blocksText } from '../shownText.ts';

const change = (more: Partial<ProposedChange> = {}): ProposedChange => ({
  kinds: [],
  text: 'tolerate the taint of dublin',
  size: 1,
  patches: [],
  gives: [{ name: 'dublin', replicas: 3 }],
  alternatives: [],
  ...more,
});
const show = (changes: Partial<ChangeSearch> | undefined, more: object = {}) =>
  blocksText(
    changesBlocks({
      changes: changes && { items: [], pairs: false, tried: 12, ...changes },
      sharedPolicy: 0,
      policy: { kind: 'PropagationPolicy', namespace: 'shop', name: 'web' },
      decision: { failure: { reason: 'NoClusterFit', message: '' } },
      ...more,
    } as unknown as WorkloadExplanation),
    80,
  );
const patch = (kind: string, merge: unknown, namespace: string | undefined = 'shop') => ({
  target: { apiVersion: 'policy.karmada.io/v1alpha1', kind, namespace, name: 'web' },
  merge,
});

describe('the section "What would help"', () => {
  test('is omitted if no help is needed, or if one copy less is intended', () => {
    expect(show(undefined)).toBe('');
    expect(show({ items: [] }, { decision: {} })).toBe('');
  });

  test('reports that no tested change works, or that Karmada refuses the changes', () => {
    expect(show({ items: [] })).toBe(
      'What would help: none of the 12 tried changes, alone or in pairs, helps without\nharm to other workloads.',
    );
    expect(show({ items: [], refused: 'Karmada refuses it.' })).toContain(
      'the changes that were found cannot be made as they are.',
    );
  });

  test('lists each change with its destination and alternatives', () => {
    const items = [
      change({ alternatives: ['oregon', 'tokyo'] }),
      change({ text: 'cancel the eviction task', leadsTo: 'stays' }),
    ];
    expect(show({ items })).toBe(
      [
        'What would help: any one of these',
        '  - tolerate the taint of dublin (or oregon, tokyo): it moves to dublin×3',
        '  - cancel the eviction task: it stays on dublin×3',
      ].join('\n'),
    );
    expect(show({ items: items.slice(0, 1) }).split('\n')[0]).toBe('What would help:');
    const gap = { replicas: 2, seconds: 60, open: true, permanent: true as const };
    expect(show({ items: [change({ text: 'tolerate it', leadsTo: 'tolerates', gap })] })).toContain(
      'tolerate it: it stays on dublin×3 (2 replicas down permanently)',
    );
    expect(show({ items, pairs: true })).toContain('no single change; any one of these pairs');
  });

  test('has a title about the number of copies, if the workload is placed', () => {
    expect(show({ items: [change()] }, { decision: {} }).split('\n')[0]).toBe('To keep all copies:');
  });

  test('prints a command that can be pasted, on an unwrapped line', () => {
    const merge = {
      spec: { note: "it's", placement: { clusterAffinity: { clusterNames: ['a'.repeat(80)] } } },
    };
    const text = show({ items: [change({ patches: [patch('PropagationPolicy', merge)] })] });
    expect(text.split('\n').at(-1)).toBe(
      `      kubectl patch propagationpolicy web -n shop --type merge -p '{"spec":{"note":"it'\\''s","placement":{"clusterAffinity":{"clusterNames":["${'a'.repeat(80)}"]}}}}'`,
    );
    const clusterWide = show({
      items: [
        change({
          patches: [
            {
              ...patch('ClusterPropagationPolicy', {}),
              target: { apiVersion: '', kind: 'ClusterPropagationPolicy', name: 'web' },
            },
          ],
        }),
      ],
    });
    expect(clusterWide).toContain("kubectl patch clusterpropagationpolicy web --type merge -p '{}'");
  });

  test('warns of side effects: an immediate move, the end of the old copy, and other workloads', () => {
    const movesToday = change({ movesToday: [{ name: 'dublin', replicas: 1 }] });
    expect(show({ items: [movesToday] }).replaceAll(/\s+/g, ' ')).toContain('; moves today to dublin×1');
    const ended = change({
      kinds: ['end-eviction'],
      patches: [patch('ResourceBinding', { spec: { gracefulEvictionTasks: [] } })],
    });
    expect(show({ items: [ended] }).replaceAll(/\s+/g, ' ')).toContain(
      '; this deletes the copy that the task keeps there',
    );
    const back = change({
      kinds: ['end-eviction'],
      patches: [patch('ResourceBinding', { spec: { clusters: [] } })],
    });
    expect(show({ items: [back] })).not.toContain('goes with it');
    const shared = { items: [change({ patches: [patch('PropagationPolicy', {})] })] };
    expect(show(shared, { sharedPolicy: 2 })).toContain(
      'PropagationPolicy web places 2 other workloads too.',
    );
    expect(show(shared, { sharedPolicy: 1 })).toContain('places 1 other workload too.');
    expect(show(shared)).not.toContain('places');
    expect(show({ items: [change({ patches: [patch('Cluster', {})] })] }, { sharedPolicy: 2 })).not.toContain(
      'places',
    );
  });
});

/** The text for one change that patches an object with this name. */
const commandFor = (name: string, namespace?: string) => {
  const target = { kind: 'PropagationPolicy', name, ...(namespace === undefined ? {} : { namespace }) };
  const item = {
    kinds: ['toleration'],
    text: 'tolerate it',
    gives: [{ name: 'dublin', replicas: 1 }],
    alternatives: [],
    patches: [{ target, merge: { spec: { note: "it's" } } }],
  };
  const explanation = {
    changes: { items: [item], pairs: false, tried: 1 },
    sharedPolicy: 0,
    decision: { failure: {} },
  };
  return blocksText(changesBlocks(explanation as unknown as WorkloadExplanation))
    .split('\n')
    .find((line) => line.includes('kubectl patch'))
    ?.trim();
};

test('a change is printed with its kubectl command', () => {
  expect(commandFor('cart', 'shop')).toBe(
    `kubectl patch propagationpolicy cart -n shop --type merge -p '{"spec":{"note":"it'\\''s"}}'`,
  );
});

test('object names are quoted for the shell', () => {
  expect(commandFor('$(reboot)', "a'; reboot; '")).toBe(
    `kubectl patch propagationpolicy '$(reboot)' -n 'a'\\''; reboot; '\\''' --type merge -p '{"spec":{"note":"it'\\''s"}}'`,
  );
});

test('a failure that leaves no replica ready is called down, whatever its outcome, and comes first', () => {
  const losses = [
    { cluster: 'dublin', outcome: 'moves', after: [{ name: 'tokyo', replicas: 2 }], certainty: 'certain' },
    { cluster: 'tokyo', outcome: 'tolerates', after: [{ name: 'tokyo' }], certainty: 'certain', down: true },
  ] satisfies ClusterLoss[];
  const [first, second] = blocksText(lossRows(losses), 120).split('\n');
  expect(first).toMatch(/^If tokyo fails: +down: tolerates, so Karmada will not move it; then on tokyo\.$/);
  expect(second).toMatch(/^If dublin fails: +moves; then on tokyo×2\.$/);
});

describe('the section "What would help" for the failure of a cluster', () => {
  const loss = (cluster: string, outcome: string, more: object = {}) => ({ cluster, outcome, ...more });
  const showLosses = (ifItFails: object[]) =>
    blocksText(
      lossChangesBlocks({
        workload: { kind: 'Deployment', namespace: 'shop', name: 'web' },
        ifItFails,
      } as unknown as WorkloadExplanation),
      80,
    );

  test('is omitted if the workload survives each failure', () => {
    expect(showLosses([loss('dublin', 'moves'), loss('oregon', 'stays')])).toBe('');
  });

  test('lists the changes found', () => {
    const changes = { items: [change()], pairs: false, tried: 12 };
    expect(showLosses([loss('tokyo', 'lost', { changes })])).toBe(
      ['What would help if tokyo fails:', '  - tolerate the taint of dublin: it moves to dublin×3'].join(
        '\n',
      ),
    );
  });
});
