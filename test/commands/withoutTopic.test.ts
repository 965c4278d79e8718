import { describe, expect, test } from '@jest/globals';
import { WITHOUT_TOPIC, withTopic } from '../../src/cli/withoutTopic.ts';
import { commands } from '../../src/commands/index.ts';
import { run } from './cli.ts';

describe('commands without the topic failover', () => {
  test('exist for all commands of the topic', () => {
    const ofTopic = Object.keys(commands).filter((id) => id.startsWith('failover:'));
    expect(ofTopic.map((id) => id.split(':')[1])).toEqual(WITHOUT_TOPIC);
  });

  test.each([
    [['status', '-n', 'shop'], 'failover status -n shop'],
    [['help', 'explain'], 'help failover explain'],
    [['drain', 'status'], 'drain status'],
    [[], ''],
  ])('resolve %j to "%s"', (argv, whole) => {
    expect(withTopic(argv).join(' ')).toBe(whole);
  });

  test('run the same as with it, including help and completion', () => {
    for (const argv of [
      ['explain', 'deploy/cart', '-n', 'shop', '--state', 'examples/shop'],
      ['diff', '--help'],
    ])
      expect(run(argv)).toEqual(run(['failover', ...argv]));
    const completed = run(['__complete', 'status', '--state', 'examples/shop', 'to']);
    expect(completed.stdout).toBe('tokyo\n:4\n');
    expect(run(['__complete', 'expl']).stdout).toMatch(/^explain\tExplain /);
  });
});

describe('failover simulate --fail-on', () => {
  const simulate = (...argv: string[]) =>
    run(['simulate', '--state', 'examples/shop', '--fail', 'frankfurt', ...argv]);

  test.each([
    ['lost', 1],
    ['flaps,blocked', 1],
    ['down', 1],
    ['flaps', 0],
  ])('%s exits with %i, and prints the same output', (outcomes, code) => {
    expect(simulate('--fail-on', outcomes)).toEqual({ ...simulate(), code });
  });

  test('counts only the selected workloads', () => {
    expect(simulate('--fail-on', 'blocked', '-n', 'data').code).toBe(0);
  });

  test('accepts only outcomes that are failures', () => {
    expect(simulate('--fail-on', 'moves')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--fail-on "moves" is not known'),
    });
  });
});
