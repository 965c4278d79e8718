import { describe, expect, test } from '@jest/globals';
import { json, run } from './cli.ts';

const incident = ['--state', 'examples/incident', '--dry-run'];

describe('cordon and uncordon of a captured control plane', () => {
  test('print the effect in one line for each cluster', () => {
    expect(run(['cordon', 'oregon', 'dublin', ...incident])).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'cluster.cluster.karmada.io/oregon cordoned (dry run)\ncluster.cluster.karmada.io/dublin cordoned (dry run)\n\nkubectl karmada-failover drain oregon dublin --dry-run --state=examples/incident\n',
    });
    expect(run(['uncordon', 'oregon', ...incident]).stdout).toBe(
      'cluster.cluster.karmada.io/oregon already uncordoned\n\nkubectl karmada-failover status oregon --state=examples/incident\n',
    );
  });

  test('print a document with the resulting taints of each cluster', () => {
    expect(json(['cordon', 'oregon', ...incident])).toMatchObject({
      kind: 'CordonList',
      dryRun: 'client',
      items: [{ name: 'oregon', changed: true, taints: ['cluster.karmada.io/unschedulable:NoSchedule'] }],
    });
  });

  test('refuse to write to files', () => {
    for (const more of [[], ['--dry-run=server']])
      expect(run(['cordon', 'oregon', '--state', 'examples/incident', ...more])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('give --dry-run=client to see what it would do'),
      });
  });
});
