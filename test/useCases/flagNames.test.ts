import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { connectionFlags } from '../../src/cli/connectionFlags.ts';
import { decidingFlags } from '../../src/karmada/dialects/componentFlags.ts';
import { root } from '../commands/cli.ts';

const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
  commands: Record<string, { flags: Record<string, object> }>;
};
/** Of karmada-controller-manager: controllers that replace its own take them by the same names. */
const karmadas = new Set([
  ...Object.keys(decidingFlags.controllerManager),
  ...['controllers', 'feature-gates', 'leader-elect', 'leader-elect-lease-duration'],
]);
const flags = new Set(
  Object.values(manifest.commands)
    .flatMap((command) => Object.keys(command.flags))
    .filter((name) => !karmadas.has(name)),
);

/** Flag names of ours in a text; those of Karmada's components are facts about it. */
const flagsIn = (text: string) =>
  [...text.matchAll(/--([a-z][a-z-]*[a-z])/g)].map(([, name]) => name!).filter((name) => flags.has(name));

test('flagsIn finds our flags, and no flags of Karmada', () => {
  expect(
    flagsIn(
      'give --assume X=Y or --host-context; --cluster-failure-threshold is not --cluster, nor --controllers ours',
    ),
  ).toEqual(['assume', 'host-context', 'cluster']);
});

const sourcesOf = (room: string) =>
  readdirSync(join(root, 'src', room), { recursive: true, withFileTypes: true })
    .filter((entry) => /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

const sources = [
  'karmada',
  'simulator',
  'analysis',
  'operations',
  'useCases',
  'views',
  'presentation',
].flatMap(sourcesOf);

const naming = (files: readonly string[]) =>
  files.flatMap((file) =>
    flagsIn(readFileSync(file, 'utf8')).map((flag) => `${relative(root, file)}: --${flag}`),
  );

test('rules, operations, use cases and views name no command-line flags', () => {
  expect(naming(sources)).toEqual([]);
});

/** kubectl's own, with which every kubectl plugin selects a connection. */
const ofKubectl = Object.keys(connectionFlags)
  .filter((name) => name !== 'karmada-context')
  .map((name) => `: --${name}`);

test('only connections in src/state name flags, and only flags of kubectl', () => {
  const named = naming(sourcesOf('state'));
  const live = join('src', 'state', 'live');
  expect(
    named.filter((one) => !one.startsWith(live) || !ofKubectl.some((flag) => one.endsWith(flag))),
  ).toEqual([]);
});
