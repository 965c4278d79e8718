import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { run } from './cli.ts';
import { liveServer, runLive, type LiveServer } from './liveServer.ts';

/*
 * The commands of kubectl that answers print, as a shell reads them: they name an object of the state, and their patches are JSON of the
 * type that they say.
 */
const STATES = ['examples/shop', 'examples/incident'] as const;

/** Answers with helpful changes. */
const ANSWERS = [
  ...['deploy/pricing', 'deploy/recommendations', 'deploy/cart', 'deploy/search'].flatMap((name) => [
    ['explain', name, '-n', 'shop'],
    ['explain', name, '-n', 'shop', '--if-fails', 'frankfurt'],
  ]),
  ...['sts/ledger', 'sts/session-cache', 'deploy/archive', 'cj/reports'].map((name) => [
    'explain',
    name,
    '-n',
    'data',
  ]),
  ['doctor'],
  ['audit'],
];

const COMMAND = /^ *((?:kubectl (?!karmada-failover)|karmadactl |echo ).*)$/gm;

const commandsOf = (text: string) => [...text.matchAll(COMMAND)].map(([, line]) => line!);

/** The arguments that programs get from a shell, each a list beginning with the program's name. */
function calls(line: string): string[][] {
  const stub = (name: string) => `${name}() { cat >/dev/null; printf '%s\\0' ${name} "$@"; printf '\\n'; }`;
  const script = `${stub('kubectl')}\n${stub('karmadactl')}\n${line} </dev/null`;
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', line.startsWith('echo ') ? script.replace(/ <\/dev\/null$/, '') : script],
    {
      encoding: 'utf8',
    },
  );
  expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((one) => one.split('\0').slice(0, -1));
}

const objectsOf = (state: string) =>
  (JSON.parse(readFileSync(`${state}/control-plane.json`, 'utf8')) as { items: KubernetesObject[] }).items;

/** The value after a flag. */
const valueOf = (words: readonly string[], flag: string) => {
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  return at === -1
    ? undefined
    : words[at]!.startsWith(`${flag}=`)
      ? words[at]!.slice(flag.length + 1)
      : words[at + 1];
};

describe.each(STATES)('kubectl commands in answers about %s', (state) => {
  const objects = objectsOf(state);
  const lines = [...new Set(ANSWERS.flatMap((argv) => commandsOf(run([...argv, '--state', state]).stdout)))];

  test('include more than four patches', () => {
    expect(lines.filter((line) => line.includes(' patch ')).length).toBeGreaterThan(4);
  });

  test.each(lines)('%s names an existing object, with a valid patch', (line) => {
    for (const [program, verb, ...words] of calls(line)) {
      expect(['kubectl', 'karmadactl']).toContain(program);
      if (verb !== 'patch') continue;
      const [kind, name] = words;
      const there = objects.find(
        ({ kind: one, metadata }) =>
          one.toLowerCase() === kind && metadata.name === name && metadata.namespace === valueOf(words, '-n'),
      );
      expect(there?.kind).toBeDefined();
      const patch = JSON.parse(valueOf(words, '-p')!) as unknown;
      expect(valueOf(words, '--type')).toBe(Array.isArray(patch) ? 'json' : 'merge');
      // a merge replaces whole lists, and keeps the object's other fields
      if (!Array.isArray(patch)) expect(Object.keys(patch as object)).toEqual(['spec']);
    }
  });
});

describe('kubectl commands in answers about a live control plane', () => {
  let server: LiveServer;
  beforeAll(async () => {
    server = await liveServer(objectsOf('examples/incident'));
  });
  afterAll(() => server.close());

  test.each([[['explain', 'sts/ledger', '-n', 'data']], [['doctor']], [['taint-policy', 'list']]])(
    'name the given context for %j',
    async (argv) => {
      const { stdout } = await runLive([...argv, '--karmada-context', 'karmada'], server);
      const lines = commandsOf(stdout).filter((line) => !line.includes('-n karmada-system'));
      expect(lines).not.toEqual([]);
      for (const line of lines)
        expect(line).toMatch(
          line.startsWith('karmadactl') ? / --karmada-context=karmada$/ : / --context=karmada$/,
        );
    },
  );
});
