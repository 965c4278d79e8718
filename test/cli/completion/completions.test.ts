import { describe, expect, test } from '@jest/globals';
import { completions, type NameKind } from '../../../src/cli/completion/completions.ts';
import {
  type ManifestCommand,
  type ManifestFlag,
  type TypedLine,
  typedLine,
} from '../../../src/cli/completion/typedLine.ts';

const flag = (name: string, more: Partial<ManifestFlag> = {}): ManifestFlag => ({
  name,
  type: 'option',
  summary: `about ${name}`,
  ...more,
});
const flags = (...all: ManifestFlag[]) => Object.fromEntries(all.map((one) => [one.name, one]));
const command = (id: string, more: Partial<ManifestCommand>): ManifestCommand => ({
  id,
  summary: `${id} does this`,
  args: {},
  flags: {},
  ...more,
});

const commands = [
  command('drain', {
    strict: false,
    args: { cluster: { name: 'cluster' } },
    flags: flags(
      flag('namespace', { char: 'n', helpValue: 'NAMESPACE' }),
      flag('all-namespaces', { char: 'A', type: 'boolean', exclusive: ['namespace'] }),
      flag('output', { char: 'o', helpValue: 'FORMAT' }),
      flag('method', { helpValue: 'evict|taint' }),
      flag('until', { helpValue: 'TIME|DURATION' }),
      flag('policy', { helpValue: 'POLICY' }),
      flag('skip', { helpValue: 'WORKLOAD', multiple: true }),
      flag('hold', { type: 'boolean', allowNo: true }),
      flag('out', { helpValue: 'FILE' }),
      flag('secret', { hidden: true }),
      flag('mode', { options: ['one', 'two'] }),
      flag('context', { helpValue: 'NAME' }),
      flag('cluster', { helpValue: 'NAME' }),
      flag('fail', { helpValue: 'CLUSTER[@DURATION]' }),
      flag('recover', { helpValue: 'CLUSTER@DURATION' }),
      flag('taint', { helpValue: 'CLUSTER:KEY[=VALUE]:EFFECT' }),
    ),
  }),
  command('eviction:inspect', {
    args: { 'kind/name': { name: 'kind/name' } },
    flags: flags(flag('cluster', { helpValue: 'CLUSTER' })),
  }),
  command('eviction:hold', {}),
  command('cordon', { args: { cluster: { name: 'cluster', multiple: true } } }),
  command('internal', { hidden: true }),
  command('timeline', { hidden: true, args: { target: { name: 'target', multiple: true } } }),
  command('explain', { hidden: true, args: { 'kind/name': { name: 'kind/name', multiple: true } } }),
];
const topics = { eviction: { description: 'Handle evictions.' } };
const words: Partial<Record<NameKind, string[]>> = {
  clusters: ['member1', 'member2', 'other'],
  namespaces: ['shop', 'data'],
  workloads: ['deployment/cart', 'statefulset/ledger'],
  policies: ['shop/cart', 'everywhere'],
  contexts: ['karmada', 'host'],
  kubeconfigClusters: ['control-plane'],
};

async function complete(...typed: string[]) {
  const names = (kind: NameKind) => Promise.resolve((words[kind] ?? []).map((word) => ({ word })));
  const { candidates, directive } = await completions(typed, { commands, topics, names });
  return { words: candidates.map(({ word }) => word), directive };
}

describe('completion of commands', () => {
  test('lists each command with its description, without hidden commands', async () => {
    const names = () => Promise.resolve([]);
    expect(await completions([''], { commands, topics, names })).toEqual({
      candidates: [
        { word: 'cordon', description: 'cordon does this' },
        { word: 'drain', description: 'drain does this' },
        { word: 'eviction', description: 'Handle evictions.' },
        { word: 'help', description: 'Print help for a command.' },
      ],
      directive: 4,
    });
  });

  test.each([
    [['dr'], ['drain']],
    [
      ['eviction', ''],
      ['hold', 'inspect'],
    ],
    [['eviction', 'i'], ['inspect']],
    [['nonsense', ''], []],
    [['eviction', 'nonsense', ''], []],
    [['-'], ['--help', '--version']],
    [['eviction', '--'], ['--help']],
  ])('completes %j', async (typed, expected) => {
    expect(await complete(...typed)).toEqual({ words: expected, directive: 4 });
  });
});

describe('completion of arguments', () => {
  test.each([
    [
      ['drain', ''],
      ['member1', 'member2', 'other'],
    ],
    [
      ['drain', 'mem'],
      ['member1', 'member2'],
    ],
    [
      ['drain', 'member1', ''],
      ['member2', 'other'],
    ],
    [
      ['drain', '-n', 'shop', '--hold', 'm'],
      ['member1', 'member2'],
    ],
    [['drain', '--namespace=shop', '--', 'o'], ['other']],
    [
      ['eviction', 'inspect', ''],
      ['deployment/cart', 'statefulset/ledger'],
    ],
    [['eviction', 'inspect', 'state'], ['statefulset/ledger']],
    [['eviction', 'inspect', 'deployment/cart', ''], []],
    [['eviction', 'hold', ''], []],
    // KIND NAME
    [
      ['timeline', ''],
      ['member1', 'member2', 'other', 'deployment/cart', 'statefulset/ledger'],
    ],
    [['timeline', 'member1', ''], []],
    [['timeline', 'deployment', 'c'], ['cart']],
    [['explain', 'deployment', ''], ['cart']],
    [['explain', 'deployment', 'x'], []],
    [['explain', 'statefulset', 'other', 'l'], ['ledger']],
    [['explain', 'deployment', 'cart', ''], []],
    [['explain', 'deployment/cart', 's'], ['statefulset/ledger']],
  ])('completes %j', async (typed, expected) => {
    expect(await complete(...typed)).toEqual({ words: expected, directive: 4 });
  });

  test('offers kinds if no workload is known', async () => {
    const names = () => Promise.resolve([]);
    const { candidates, directive } = await completions(['eviction', 'inspect', 'd'], {
      commands,
      topics,
      names,
    });
    expect(candidates.map(({ word }) => word)).toEqual(['deployment/', 'daemonset/']);
    expect(directive).toBe(4 + 2);
  });
});

describe('completion of flags', () => {
  test('offers only flags that the command line can still take', async () => {
    expect(await complete('drain', '-n', 'shop', '--skip', 'x', '--o')).toEqual({
      words: ['--output', '--out'],
      directive: 4,
    });
    const { words: left } = await complete('drain', '-n', 'shop', '--skip', 'x', '-');
    expect(left).not.toContain('--namespace');
    expect(left).not.toContain('--all-namespaces');
    expect(left).not.toContain('--secret');
    expect(left).toEqual(expect.arrayContaining(['--skip', '--hold', '--no-hold', '--help']));
  });

  test.each([
    [['-n', ''], ['shop', 'data'], 4],
    [['--namespace', 's'], ['shop'], 4],
    [['--namespace=s'], ['shop'], 4],
    [['-ns'], ['shop'], 4],
    [
      ['-o', ''],
      [
        'json',
        'yaml',
        'wide',
        'name',
        'jsonpath=',
        'jsonpath-as-json=',
        'jsonpath-file=',
        'custom-columns=',
        'custom-columns-file=',
      ],
      4,
    ],
    [['-o', 'y'], ['yaml'], 4],
    [['-o', 'jsonpath-a'], ['jsonpath-as-json='], 4 + 2],
    [['-o', 'jsonpath-file='], ['jsonpath-file='], 0],
    [['--method', ''], ['evict', 'taint'], 4],
    [['--until', ''], [], 4],
    [['--mode', 't'], ['two'], 4],
    [['--policy', 's'], ['shop/cart'], 4],
    [['--skip', 'dep'], ['deployment/cart'], 4],
    [['--out', ''], [], 0],
    [['--context', 'k'], ['karmada'], 4],
    [['--cluster', ''], ['control-plane'], 4],
    [['--fail', 'member'], ['member1', 'member2'], 4],
    [['--recover', 'o'], ['other@'], 4 + 2],
    [['--taint', 'o'], ['other:'], 4 + 2],
    [['--unknown', ''], ['member1', 'member2', 'other'], 4],
  ])('completes drain %j', async (typed, expected, directive) => {
    expect(await complete('drain', ...typed)).toEqual({ words: expected, directive });
  });

  test('completes the same flag differently for another command', async () => {
    expect((await complete('eviction', 'inspect', '--cluster', 'm')).words).toEqual(['member1', 'member2']);
  });
});

test('completion looks up names with the namespace, context and flags typed so far', async () => {
  let seen: TypedLine | undefined;
  const names = (_: NameKind, line: TypedLine) => {
    seen = line;
    return Promise.resolve([]);
  };
  const typed = ['drain', '-nshop', '--context', 'karmada', '--skip=a', '--skip', 'b', 'member1', 'm'];
  await completions(typed, { commands, topics, names });
  expect(seen).toEqual(typedLine(typed, commands));
  expect([...seen!.given]).toEqual([
    ['namespace', ['shop']],
    ['context', ['karmada']],
    ['skip', ['a', 'b']],
  ]);
  expect(seen!.args).toEqual(['member1']);
});
