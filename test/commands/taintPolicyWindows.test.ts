import { describe, expect, test } from '@jest/globals';
import { json, run } from './cli.ts';
import { breaches } from './schema.ts';

const WORLD = 'test/fixtures/taint-windows-world.yaml';
const state = [
  ...['--state', WORLD, '--at', '2025-01-17T02:38:00Z'],
  ...['--karmada-version', 'proposal', '--assume', 'Failover=true'],
];
const policy = (command: string, ...argv: string[]) => run(['taint-policy', command, ...argv, ...state]);
const lines = (text: string) => text.split('\n').map((line) => line.trim());

describe('taint-policy of the proposal', () => {
  test('list shows when a window adds or removes a taint, and reports converted policies of the other form', () => {
    const { code, stdout, stderr } = policy('list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('ClusterTaintPolicies=converted');
    expect(stdout).toContain('member2 38m, member1 added in 3m26s, member2 removed in 2m20s');
    const document = json(['taint-policy', 'list', ...state]) as unknown as { items: { name: string }[] };
    expect(breaches('taint-policy-list', document)).toBe('');
    expect(document.items.filter(({ name }) => name !== 'old-form')).toMatchObject([
      {
        name: 'detect-cluster-not-ready',
        everywhere: false,
        taints: [
          {
            effect: 'PreferNoExecute',
            windows: {
              addOnMatchSeconds: 300,
              removeOnMismatchSeconds: 180,
              coming: [
                { cluster: 'member1', verb: 'adds', ends: '2025-01-17T02:41:26Z' },
                { cluster: 'member2', verb: 'removes', ends: '2025-01-17T02:40:20Z' },
              ],
            },
          },
        ],
      },
    ]);
  });

  test('explain lists running windows with their ends', () => {
    const { stdout } = policy('explain');
    expect(lines(stdout)).toEqual(
      expect.arrayContaining([
        'detect-cluster-not-ready (Ready In [False Unknown]) matches for 1m34s: adds it in 3m26s, at 2025-01-17T02:41:26Z',
        'detect-cluster-not-ready (Ready In [False Unknown]) does not match for 40s (Ready=True for 40s): removes it in 2m20s, at 2025-01-17T02:40:20Z',
        'if its conditions stay as they are: gains cluster.karmada.io/not-ready:PreferNoExecute in 3m26s (detect-cluster-not-ready)',
      ]),
    );
    const document = json(['taint-policy', 'explain', '--cluster', 'member1', ...state]) as unknown as {
      clusters: object[];
    };
    expect(breaches('taint-policy-explanation', document)).toBe('');
    expect(document.clusters).toMatchObject([
      {
        taints: [
          {
            isThere: false,
            decides: 'detect-cluster-not-ready',
            policies: [
              {
                match: { holds: true, since: '2025-01-17T02:36:26Z' },
                window: {
                  verb: 'adds',
                  since: '2025-01-17T02:36:26Z',
                  seconds: 300,
                  ends: '2025-01-17T02:41:26Z',
                  runs: true,
                  certainty: 'estimate',
                },
                wants: 'adds',
              },
            ],
          },
        ],
        nextLook: { gains: [{ afterSeconds: 206 }] },
      },
    ]);
  });

  test('explain --if shows when the taint is added, and continues a window with another matching status', () => {
    const goesOn = policy('explain', '--cluster', 'member1', '--if', 'Ready=Unknown').stdout;
    expect(goesOn).toContain('if Ready=Unknown: gains cluster.karmada.io/not-ready:PreferNoExecute in 3m26s');
    const begins = policy('explain', '--cluster', 'member2', '--if', 'Ready=False').stdout;
    expect(begins).toContain('if Ready=False: nothing changes');
  });

  test('apply lists effects at once, effects at the end of windows, and their risks', () => {
    const file = 'test/fixtures/taint-windows-policy.yaml';
    const { code, stdout } = policy('apply', '-f', file);
    expect(code).toBe(1);
    expect(stdout).toMatch(/At once\n +member1 +gains example.com\/hard:NoExecute \(hard\)\n/);
    expect(stdout).toMatch(
      /At the end of a window, if conditions stay as they are\n +member1 +gains example.com\/soft:NoSchedule in 3m26s \(hard\)\n/,
    );
    expect(stdout).toContain(
      `${file}:13:7: hard: addOnMatchSeconds=5 of example.com/hard:NoExecute only delays: its conditions do not change back within 30s (cluster-success-threshold)`,
    );
    const accepted = ['--accept', 'every-cluster-tainted'];
    const document = json(['taint-policy', 'apply', '-f', file, ...accepted, ...state]);
    expect(breaches('taint-policy-change', document)).toBe('');
  });

  test('delete lists the windows that it cancels', () => {
    const { stdout } = policy('delete', 'detect-cluster-not-ready');
    expect(stdout).toMatch(
      /At the end of a window, if conditions stay as they are\n +member1 +no longer gains \S+:PreferNoExecute in 3m26s \(detect-cluster-not-ready\)\n +member2 +no longer loses \S+ in 2m20s/,
    );
    const document = json(['taint-policy', 'delete', 'detect-cluster-not-ready', ...state]);
    expect(breaches('taint-policy-change', document)).toBe('');
    expect(document).toMatchObject({
      clusters: [
        { name: 'member1', calledOff: { gains: [{ afterSeconds: 206 }], loses: [] } },
        { name: 'member2', calledOff: { gains: [], loses: [{ afterSeconds: 140 }] } },
      ],
    });
  });

  test('validate accepts only policies in the form of the version', () => {
    const of = (file: string, version: string) => {
      const { code, stdout } = run([
        ...['taint-policy', 'validate', '-f', `test/fixtures/${file}.yaml`],
        ...['--karmada-version', version],
      ]);
      return { code, rules: [...stdout.matchAll(/\[([a-z-]+)\]$/gm)].map(([, rule]) => rule) };
    };
    expect(of('taint-windows-policy', 'proposal')).toEqual({
      code: 0,
      rules: ['no-execute-dead', 'window-shorter-than-probe'],
    });
    expect(of('taint-windows-policy', 'v1.18')).toEqual({ code: 1, rules: ['other-form'] });
    expect(of('taint-policies/network', 'proposal')).toEqual({ code: 1, rules: ['other-form'] });
  });
});
