import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { kubeconfig } from '../documents.ts';
import { inProcess } from '../inProcess.ts';
import { problemOf } from '../judge.ts';
import type { Random } from '../random.ts';
import { policies, type Json } from '../world.ts';
import type { Workplace } from '../workplace.ts';
import { nameOf } from './commandLine.ts';
import type { FuzzCase, Make } from './fuzzCase.ts';

/** The files in a directory beside a state and a policy, by name. */
type Oddity = (directory: string) => void;

const LINKS: Readonly<Record<string, Oddity>> = {
  'a link to itself': (directory) => symlinkSync('self', join(directory, 'self')),
  'a link to its directory': (directory) => symlinkSync('.', join(directory, 'again')),
  'two directories that lead to each other': (directory) => {
    for (const [name, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      mkdirSync(join(directory, name));
      symlinkSync(`../${other}`, join(directory, name, 'over'));
    }
  },
  'a diamond of links': (directory) => {
    mkdirSync(join(directory, 'd0'));
    for (let level = 1; level < 20; level++) {
      mkdirSync(join(directory, `d${level}`));
      for (const side of ['left', 'right'])
        symlinkSync(`../d${level - 1}`, join(directory, `d${level}`, side));
    }
  },
  'a link that leads nowhere': (directory) => symlinkSync('nobody', join(directory, 'nowhere.yaml')),
  'a pipe that nobody writes to': (directory) => pipeAt(join(directory, 'pipe.yaml')),
};

/** Every place where a command takes a file; {dir} is the directory, {pipe} a pipe without a writer. */
const PLACES: readonly (readonly string[])[] = [
  ['failover', 'status', '--state', '{dir}'],
  ['failover', 'simulate', '--fail', 'virginia', '--state', '{dir}'],
  ['eviction', 'inspect', '--state', '{dir}', '-o', 'json'],
  ['taint-policy', 'validate', '-f', '{dir}'],
  ['taint-policy', 'validate', '-R', '-f', '{dir}'],
  ['failover', 'status', '--state', '{pipe}'],
  ['failover', 'status', '--kubeconfig', '{pipe}'],
  ['failover', 'simulate', '--scenario', '{pipe}', '--state', '{state}'],
  ['failover', 'explain', 'deployment/checkout', '-n', 'shop', '--apply', '{pipe}', '--state', '{state}'],
  ['failover', 'simulate', '--fail', 'virginia', '--state', '{state}', '--report', '{pipe}'],
  ['drain', '--plan', '{pipe}', '--dry-run', '--state', '{state}'],
  ['taint-policy', 'validate', '-f', '{policy}', '--rules', '{pipe}'],
  ['controller', 'run', '--observe', '--config', '{pipe}', '--kubeconfig', '{kubeconfig}'],
  ['exporter', 'run', '--kubeconfig', '{pipe}', '--bind-address', '127.0.0.1:0'],
  ['replay', 'check', '{pipe}'],
  ['report', '{pipe}', '--out', '{out}'],
];

/** Commands on directories with loops and diamonds of links, and on pipes; Ctrl-C ends what waits. */
export const oddFiles: Make = (random: Random, place: Workplace): FuzzCase => {
  const argv = random.of(PLACES);
  const oddity = random.of(Object.keys(LINKS));
  return {
    kind: 'links and pipes',
    command: nameOf(argv),
    input: [...argv],
    given: `${argv.join(' ')}, with ${oddity}`,
    async run(changed) {
      const directory = place.path('odd');
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory);
      LINKS[oddity]!(directory);
      const pipe = place.path('pipe');
      rmSync(pipe, { force: true });
      pipeAt(pipe);
      const files: Record<string, string> = {
        '{dir}': directory,
        '{pipe}': pipe,
        '{out}': place.out,
        '{state}': place.file('state.json', place.world),
        '{policy}': place.file('policy.yaml', policies),
        '{kubeconfig}': place.file('kubeconfig', kubeconfig as Json),
      };
      place.file('odd/state.json', place.world);
      place.file('odd/policy.yaml', policies);
      const words = (changed as string[]).map((word) => files[word] ?? word);
      const output = await inProcess(words, { activity: () => 0, patience: 2000 });
      if (output.presses! > MAX_PRESSES) return `${output.presses} times Ctrl-C until it has ended`;
      return problemOf(output, {
        given: words.join(' '),
        isTerminal: false,
        isRaw: false,
        written: place.written(),
      });
    },
  };
};

/** The first Ctrl-C ends a wait; a process that got no time for two seconds gets another one. */
const MAX_PRESSES = 15;

function pipeAt(path: string): void {
  execFileSync('mkfifo', [path]);
}
