import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load as loadYaml } from 'js-yaml';
import { renderHtml } from '../../src/presentation/html/renderHtml.ts';
import type { Block } from '../../src/presentation/model.ts';
import { presentable } from '../../src/presentation/presentable.ts';
import { colourStyle, plainStyle } from '../../src/presentation/text/style.ts';
import { visible } from '../../src/presentation/visible.ts';
import { bad, good, strong, warn } from '../../src/presentation/words.ts';
import { stateFromFiles } from '../../src/state/fileSource.ts';
import { connect } from '../../src/state/live/connect.ts';
import { readPlanFile } from '../../src/state/planFile.ts';
import { printed, printedLine, type TextOutput } from '../../src/terminal/textOutput.ts';
import { jsonLine } from '../../src/views/jsonText.ts';
import { toYaml } from '../../src/views/yaml.ts';
import { CANARY, secretTexts, withCanaries } from './canaries.ts';
import { hostileItems, hostileText, withHostileField } from './hostile.ts';
import { inProcess, type Output } from './inProcess.ts';
import { problemOf } from './judge.ts';
import { wholePlan } from './mutatedPlan.ts';
import { mutatedText, mutatedValue } from './mutations.ts';
import { randomOf, type Random } from './random.ts';
import { policies, scenario, smallWorld, type Json, type Manifest } from './world.ts';

/** One input, and what it is given to. */
export interface FuzzCase {
  kind: string;
  /** what may be made smaller while the find stays */
  input: Json;
  /** what it is given to, in words that can be repeated */
  given: string;
  run(input: Json): Promise<string | undefined>;
}

/** Where commands that write a file write it. */
const OUT = 'out.json';

/** A place for the files of one process, and its end. */
export class Workplace {
  readonly directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'fuzz-'));
  readonly world = smallWorld();

  file(name: string, content: Json): string {
    const path = join(this.directory, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** What a command has written to `OUT`, and takes it away. */
  written(): string[] {
    const out = join(this.directory, OUT);
    if (!existsSync(out)) return [];
    const text = readFileSync(out, 'utf8');
    rmSync(out);
    return [text];
  }

  end(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const READERS: readonly (readonly string[])[] = [
  ['failover', 'status'],
  ['failover', 'status', 'virginia'],
  ['eviction', 'inspect'],
  ['eviction', 'inspect', 'deployment/checkout', '-n', 'shop'],
  ['failover', 'explain', 'deployment/checkout', '-n', 'shop'],
  ['failover', 'explain', 'statefulset/ledger', '-n', 'data', '--if-fails', 'dublin'],
  ['failover', 'simulate', '--fail', 'virginia'],
  ['failover', 'simulate', '--fail', 'dublin@1m', '--recover', 'dublin@20m'],
  ['failover', 'diff', '--to', 'v1.17'],
  ['drain', 'virginia', '--dry-run'],
  ['drain', 'dublin', '--dry-run', '--allow-loss', '--allow-blocked', '--allow-overcommit'],
  ['taint-policy', 'list'],
  ['taint-policy', 'explain'],
  ['taint-policy', 'explain', 'evict-when-not-ready', '--if', 'Ready=Unknown'],
  ['taint-policy', 'delete', 'evict-when-not-ready', '--with-taints'],
];
const LISTS = ['status', 'inspect', 'simulate'];
const FORMS: readonly (readonly string[])[] = [
  [],
  [],
  [],
  ['-o', 'wide'],
  ['--no-headers'],
  ['-o', 'json'],
  ['-o', 'yaml'],
  ['-o', 'name'],
  ['-o', 'jsonpath={.kind} {..name}'],
  ['-o', 'jsonpath-as-json={..message}'],
  ['-o', 'custom-columns=A:.name,B:.workload.name,C:..message'],
];

const isRaw = (argv: readonly string[], isTerminal: boolean) =>
  !isTerminal && argv.some((word) => word.startsWith('jsonpath='));

type Make = (random: Random, place: Workplace) => FuzzCase;

/** A command line that reads one file made of the input. */
function command(
  kind: string,
  { argv, file, input, isTerminal, place }: CommandInput,
  asFile: (input: Json) => Json = (items) => items,
): FuzzCase {
  return {
    kind,
    input,
    given: `${isTerminal ? 'on a terminal: ' : ''}${argv.join(' ')}`,
    async run(changed) {
      const content = asFile(changed);
      place.file(file, content);
      const output = await inProcess(argv, isTerminal);
      const given = typeof content === 'string' ? content : JSON.stringify(content);
      const written = place.written();
      const raw = isRaw(argv, isTerminal);
      return problemOf(output, { given: given + argv.join(' '), isTerminal, isRaw: raw, written });
    },
  };
}

interface CommandInput {
  argv: readonly string[];
  file: string;
  input: Json;
  isTerminal: boolean;
  place: Workplace;
}

const asList = (items: Json): Json => ({ apiVersion: 'v1', kind: 'List', items });

function readerOf(random: Random, place: Workplace): { argv: string[]; isTerminal: boolean } {
  const reader = random.of(READERS);
  const state = ['--state', join(place.directory, 'input.json')];
  const form = random.of(FORMS);
  const isTerminal = random.next() < 0.4;
  const takesNoForm = reader[0] === 'failover' && reader[1] === 'explain' && form[1] === 'name';
  const sorted = random.next() < 0.05 && LISTS.includes(reader[1] ?? '') ? ['--sort-by', '.name'] : [];
  return { argv: [...reader, ...state, ...(takesNoForm ? [] : form), ...sorted], isTerminal };
}

type Printer = (text: string, output: TextOutput) => string;

const block =
  (of: (text: string) => Block): Printer =>
  (text, output) =>
    printed({ blocks: [of(text)] }, output);

const documentOf = (text: string) => ({
  kind: text,
  [`a ${visible(text)}`]: [text, { name: text, value: 1 }],
});
const tableOf = (text: string): Block => ({
  type: 'table',
  columns: [{ name: 'A', wraps: 8 }, { name: 'B' }, { name: 'C' }],
  rows: [[text, { certainty: 'estimate', dependsOn: [text] }, warn(text)]],
  narrowing: [{ fold: { C: 'c' } }, { cut: 'B', to: 6 }],
});

/** All that makes output of a text. */
const PRINTERS: readonly (readonly [string, Printer])[] = [
  ['a line', (text, output) => printedLine([bad(text), ' ', text], output)],
  ['a paragraph', block((text) => ({ type: 'paragraph', words: ['a ', bad(text)] }))],
  ['one line', block((text) => ({ type: 'oneLine', wordings: [text] }))],
  ['a command', block((text) => ({ type: 'command', text: `x ${text}` }))],
  ['key and values', block((text) => ({ type: 'keyValues', entries: [[text, [good('y'), text]]] }))],
  [
    'a tree',
    block((text) => ({
      type: 'tree',
      nodes: [{ mark: '-', words: text, children: [{ words: [strong(text)] }] }],
    })),
  ],
  [
    'a timeline',
    block((text) => ({
      type: 'timeline',
      steps: [{ when: 'T+1s', actor: text, words: text, details: [text] }],
    })),
  ],
  ['a table', block(tableOf)],
  ['a page', (text) => renderHtml({ blocks: [tableOf(text)] })],
  ['JSON', (text) => jsonLine(documentOf(text))],
  ['YAML', (text) => toYaml(documentOf(text))],
];

/** What ends as an error of the program would, and what that would put out. */
async function asOutput(work: () => Promise<unknown>): Promise<Output> {
  try {
    await work();
    return { code: 0, stdout: '', stderr: '' };
  } catch (error) {
    const { exitCode: code = 70, message, stack } = error as Error & { exitCode?: number };
    const line = `error: ${presentable(message)}\n`;
    return { code, stdout: '', stderr: code === 70 ? `${line}${stack}` : line };
  }
}

function reading(
  kind: string,
  input: Json,
  given: string,
  read: (input: Json) => Promise<unknown>,
): FuzzCase {
  return {
    kind,
    input,
    given,
    async run(changed) {
      const output = await asOutput(() => read(changed));
      const text = typeof changed === 'string' ? changed : JSON.stringify(changed);
      return problemOf(output, { given: text, isTerminal: false, isRaw: false, written: [] });
    },
  };
}

/** Every kind of input. */
const makers = {
  'text through every printer': ((random) => {
    const text = `${random.of(['', 'a ', hostileText(random)])}${random.of([hostileText(random), random.of(secretTexts)])}`;
    const isTerminal = random.next() < 0.5;
    const width = random.of([undefined, 40, 80, 200]);
    const [name, printer] = random.of(PRINTERS);
    return {
      kind: 'text through every printer',
      input: text,
      given: `${name}, ${isTerminal ? 'with' : 'without'} colours, ${width ?? 'any'} columns`,
      async run(changed) {
        const one = String(changed);
        const output = { style: isTerminal ? colourStyle : plainStyle, width };
        const stdout = printer(one, output);
        const stderr = `warning: ${presentable(one)}\n`;
        const isWrapped = width !== undefined;
        const expected = { given: one, isTerminal, isRaw: false, isWrapped, written: [] };
        return problemOf({ code: 0, stdout, stderr }, expected);
      },
    };
  }) satisfies Make,

  'mutated state file': ((random, place) => {
    const items = place.world;
    const broken = [...items];
    const at = random.below(items.length);
    const asText = random.next() < 0.3;
    broken[at] = asText ? items[at]! : (mutatedValue(items[at], random) as Manifest);
    const input = asText ? mutatedText(JSON.stringify(asList(items)), random) : (asList(broken) as Json);
    return reading('mutated state file', input, 'read as --state', (changed) =>
      stateFromFiles(['-'], () => [
        Buffer.from(typeof changed === 'string' ? changed : JSON.stringify(changed)),
      ]).load(),
    );
  }) satisfies Make,

  'mutated plan file': ((random, place) => {
    const asText = random.next() < 0.2;
    const input = asText
      ? mutatedText(JSON.stringify(wholePlan, null, 2), random)
      : (mutatedValue(wholePlan, random) as Json);
    return reading('mutated plan file', input, 'read as --plan', (changed) =>
      readPlanFile(place.file('plan.json', changed)),
    );
  }) satisfies Make,

  'mutated kubeconfig': ((random, place) => {
    const config = kubeconfig();
    const input =
      random.next() < 0.3
        ? mutatedText(JSON.stringify(config), random)
        : (mutatedValue(config, random) as Json);
    return reading('mutated kubeconfig', input, 'read as --kubeconfig', async (changed) => {
      const server = await connect({ kubeconfig: place.file('kubeconfig', changed) }, { environment: {} });
      server.close();
    });
  }) satisfies Make,

  'hostile strings in objects': ((random, place) => {
    const { argv, isTerminal } = readerOf(random, place);
    const input = hostileItems(place.world, random);
    return command(
      'hostile strings in objects',
      { argv, isTerminal, place, input, file: 'input.json' },
      asList,
    );
  }) satisfies Make,

  'one hostile field': ((random, place) => {
    const { argv, isTerminal } = readerOf(random, place);
    const input = withHostileField(place.world, random.below(1e6), hostileText(random));
    return command('one hostile field', { argv, isTerminal, place, input, file: 'input.json' }, asList);
  }) satisfies Make,

  'secrets in objects': ((random, place) => {
    const { argv, isTerminal } = readerOf(random, place);
    const out = join(place.directory, OUT);
    const state = ['--state', join(place.directory, 'input.json')];
    const writes = [
      ['snapshot', 'save', '-', ...state],
      ['snapshot', 'save', out, ...state],
      ['failover', 'simulate', '--fail', 'virginia', '--until', '10m', '--save-state', out, ...state],
      ['drain', 'virginia', '--dry-run', '--out', out, ...state],
    ];
    const line = random.next() < 0.4 ? random.of(writes) : argv;
    const input = withCanaries(place.world);
    return command(
      'secrets in objects',
      { argv: line, isTerminal, place, input, file: 'input.json' },
      asList,
    );
  }) satisfies Make,

  'mutated objects': ((random, place) => {
    const { argv, isTerminal } = readerOf(random, place);
    const input = [...place.world];
    const at = random.below(input.length);
    input[at] = mutatedValue(input[at], random) as Manifest;
    return command('mutated objects', { argv, isTerminal, place, input, file: 'input.json' }, asList);
  }) satisfies Make,

  'mutated or hostile scenario': ((random, place) => {
    place.file('state.json', asList(place.world));
    const value = loadYaml(scenario) as Json;
    const input =
      random.next() < 0.4
        ? mutatedText(scenario, random)
        : random.next() < 0.5
          ? (mutatedValue(value, random) as Json)
          : hostileItems([value as Manifest], random)[0]!;
    const file = 'scenario.yaml';
    const argv = [
      'failover',
      'simulate',
      '--scenario',
      join(place.directory, file),
      '--state',
      join(place.directory, 'state.json'),
    ];
    return command('mutated or hostile scenario', {
      argv,
      isTerminal: random.next() < 0.4,
      place,
      input,
      file,
    });
  }) satisfies Make,

  'mutated or hostile manifest': ((random, place) => {
    place.file('state.json', asList(place.world));
    const file = 'policy.yaml';
    const value = random.of(policies.split('---\n').map((one) => loadYaml(one) as Manifest));
    const input =
      random.next() < 0.4
        ? mutatedText(policies, random)
        : random.next() < 0.5
          ? (mutatedValue(value, random) as Json)
          : hostileItems([value], random)[0]!;
    const path = join(place.directory, file);
    const state = ['--state', join(place.directory, 'state.json')];
    const argv = random.of([
      ['taint-policy', 'validate', '-f', path],
      ['taint-policy', 'validate', '-f', path, '-o', random.of(['json', 'sarif', 'junit', 'yaml'])],
      ['taint-policy', 'apply', '-f', path, ...state],
      ['taint-policy', 'apply', '--diff', '-f', path, ...state],
      ['failover', 'explain', 'deployment/checkout', '-n', 'shop', '--apply', path, ...state],
      ['failover', 'diff', '--apply-to', path, '--fail', 'virginia', ...state],
    ]);
    return command('mutated or hostile manifest', {
      argv,
      isTerminal: random.next() < 0.4,
      place,
      input,
      file,
    });
  }) satisfies Make,

  'hostile arguments': ((random, place) => {
    place.file('state.json', asList(place.world));
    const words = [...random.of(READERS), '--state', join(place.directory, 'state.json')];
    const text = () =>
      `${random.of(['', 'deployment/', '--assume=', '--fail=', '-o', '--at=', '-l'])}${hostileText(random)}`;
    for (let left = 1 + random.below(2); left > 0; left--)
      words.splice(2 + random.below(words.length - 2), random.below(2), text());
    return {
      kind: 'hostile arguments',
      input: words,
      given: 'as the command line',
      async run(changed) {
        const argv = (changed as string[]).map((word) => word.replaceAll('\u0000', ''));
        const output = await inProcess(argv);
        return problemOf(output, { given: argv.join(' '), isTerminal: false, isRaw: true, written: [] });
      },
    };
  }) satisfies Make,
};

/** How often each kind comes, of a hundred: what runs a command takes a hundred times as long as what prints a text. */
const SHARES: readonly (readonly [keyof typeof makers, number])[] = [
  ['text through every printer', 93],
  ['mutated state file', 3.4],
  ['mutated kubeconfig', 3],
  ['mutated plan file', 0.1],
  ['hostile strings in objects', 0.1],
  ['one hostile field', 0.1],
  ['secrets in objects', 0.06],
  ['mutated objects', 0.1],
  ['mutated or hostile scenario', 0.04],
  ['mutated or hostile manifest', 0.06],
  ['hostile arguments', 0.04],
];

/** The case that a seed stands for. */
export function caseOf(seed: number, place: Workplace, only?: string): FuzzCase {
  const random = randomOf(seed);
  const shares =
    only === undefined
      ? SHARES
      : SHARES.filter(([kind]) => only.split('|').some((part) => kind.includes(part)));
  let left = random.next() * shares.reduce((sum, [, share]) => sum + share, 0);
  const [kind] = shares.find(([, share]) => (left -= share) < 0) ?? shares[0]!;
  return makers[kind](random, place);
}

function kubeconfig(): Json {
  const secret = { token: `${CANARY}-token` };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'karmada',
    clusters: [
      {
        name: 'karmada',
        cluster: { server: 'https://127.0.0.1:5443', 'proxy-url': `http://u:${CANARY}@127.0.0.1:9` },
      },
    ],
    users: [
      { name: 'token', user: secret },
      { name: 'password', user: { username: 'u', password: CANARY } },
      {
        name: 'exec',
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: 'x',
            interactiveMode: 'Never',
            env: [{ name: 'A_TOKEN', value: CANARY }],
          },
        },
      },
    ],
    contexts: [{ name: 'karmada', context: { cluster: 'karmada', user: 'token', namespace: 'x' } }],
  };
}
