import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './cli.ts';
import { breaches } from './schema.ts';

const diff = ['failover', 'diff', '--state', 'examples/shop'];

interface Document {
  differs: boolean;
  items: { scenario: string; workload: { name: string }; kinds: string[]; from: never; to: never }[];
  settings: { name: string; from: unknown; to: unknown }[];
  defaultTolerations?: string;
}

function document(...more: string[]): { code: number | null; answer: Document } {
  const { code, stdout, stderr } = run([...diff, ...more, '-o', 'json']);
  if (stdout === '') throw new Error(stderr);
  return { code, answer: JSON.parse(stdout) as Document };
}

describe('failover diff', () => {
  test('of the same thing twice finds nothing, and ends with 0', () => {
    const { code, answer } = document();
    expect({ code, differs: answer.differs, items: answer.items }).toEqual({
      code: 0,
      differs: false,
      items: [],
    });
    expect(breaches('failover-diff', answer)).toBe('');
  });

  test('of an upgrade tells what leaves sooner, which tolerations are no longer added and what is no longer known', () => {
    const { code, answer } = document('--from', 'v1.13', '--to', 'v1.18');
    expect(code).toBe(1);
    expect(breaches('failover-diff', answer)).toBe('');
    expect(
      answer.items.find(
        ({ scenario, workload }) => scenario === 'frankfurt fails' && workload.name === 'search',
      ),
    ).toMatchObject({
      kinds: ['sooner', 'misses less'],
      from: { outcome: 'moves' },
      to: { outcome: 'moves' },
    });
    expect(answer.defaultTolerations).toBe('no longer added');
    expect(answer.settings).toContainEqual(
      expect.objectContaining({ name: 'failover-eviction-timeout', from: '5m0s', to: null }),
    );
  });

  test('of another flag concerns what waits for it alone, and says how to keep what is', () => {
    const { code, answer } = document('--assume-to', 'graceful-eviction-timeout=3m', '--fail', 'frankfurt');
    expect(code).toBe(1);
    expect(answer.items.map(({ workload, kinds }) => [workload.name, kinds])).toEqual([
      ['session-cache', ['misses less']],
    ]);
    expect(answer.settings).toEqual([
      {
        name: 'graceful-eviction-timeout',
        component: 'karmada-controller-manager',
        from: '10m0s',
        to: '3m0s',
      },
    ]);
  });

  test('takes a patch as failover explain prints it', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'diff-')), 'patch.json');
    const target = { kind: 'PropagationPolicy', namespace: 'shop', name: 'search' };
    const merge = { spec: { placement: { clusterTolerations: [{ operator: 'Exists' }] } } };
    writeFileSync(file, JSON.stringify([{ target, merge }]));
    const { answer } = document('--apply-to', file, '--fail', 'frankfurt');
    expect(answer.items).toContainEqual(
      expect.objectContaining({
        workload: { kind: 'Deployment', namespace: 'shop', name: 'search' },
        to: expect.objectContaining({ outcome: 'tolerates' }),
      }),
    );
  });

  test.each([
    [['--to', 'banana'], '--to banana is no version'],
    [['--assume-to', 'NoSuchGate=true'], 'NoSuchGate'],
    [['--apply-to', 'no-such-file.yaml'], '--apply-to no-such-file.yaml'],
    [['--from', 'v1.13', '--karmada-version', 'v1.14'], '--from and --karmada-version'],
    [['--fail', 'nowhere'], 'nowhere'],
  ])('refuses %j in one line', (more, words) => {
    const { code, stdout, stderr } = run([...diff, ...more]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(words);
  });
});
