import { main as complete } from '../../../src/complete.ts';
import { secretTexts, withCanaries } from '../canaries.ts';
import { TOKEN } from '../documents.ts';
import { hostileText, withTextsIn } from '../hostile.ts';
import type { HostileServer, Served } from '../hostileServer.ts';
import { inProcess, type Output, type Surroundings } from '../inProcess.ts';
import { problemOf } from '../judge.ts';
import { mutatedValue } from '../mutations.ts';
import { withExtremeNumbers } from '../numbers.ts';
import type { Random } from '../random.ts';
import { policies, type Json, type Manifest } from '../world.ts';
import { isRaw, nameOf } from './commandLine.ts';
import type { FuzzCase, Make } from './fuzzCase.ts';

type Line = readonly string[];

const DRAIN = ['drain', 'virginia', '--yes', '--eviction-rate', '1000'];
const DARING = ['--allow-loss', '--allow-blocked', '--allow-overcommit', '--allow-unhealthy'];
const CHECKOUT = ['deployment/checkout', '-n', 'shop'];
const ALL = ['--all', '--from', 'frankfurt', '-A'];

/** Commands that change a control plane, one after another; {policy} is a file, {out} an output file. */
const CHANGES: readonly (readonly Line[])[] = [
  [['cordon', 'frankfurt', 'dublin']],
  [
    ['cordon', 'dublin', '-o', 'json'],
    ['uncordon', 'dublin'],
  ],
  [['uncordon', 'frankfurt', 'virginia', '--dry-run=server']],
  [['eviction', 'hold', ...CHECKOUT]],
  [
    ['eviction', 'hold', ...ALL],
    ['eviction', 'release', ...ALL, '--allow-loss'],
  ],
  [['eviction', 'release', ...CHECKOUT, '--allow-loss', '-o', 'json']],
  [['eviction', 'cancel', ...CHECKOUT]],
  [['eviction', 'cancel', ...ALL]],
  [['eviction', 'complete', ...CHECKOUT, '--allow-loss']],
  [['eviction', 'complete', ...ALL, '--allow-loss', '--dry-run=server']],
  [[...DRAIN, ...DARING]],
  [
    [...DRAIN, ...DARING, '--progress', 'plain'],
    ['drain', 'virginia', '--cancel', '--yes'],
  ],
  [
    [...DRAIN, ...DARING, '-o', 'json'],
    ['drain', 'virginia', '--cancel', '--yes', '-o', 'json'],
  ],
  [[...DRAIN, ...DARING, '--no-hold', '--no-wait']],
  [[...DRAIN, ...DARING, '--method', 'taint', '--no-hold']],
  [[...DRAIN, ...DARING, '--dry-run=server']],
  [['taint-policy', 'apply', '-f', '{policy}', '--yes', '--wait', '--timeout', '1s']],
  [['taint-policy', 'apply', '-f', '{policy}', '--yes', '-o', 'json', '--force-conflicts']],
  [['taint-policy', 'apply', '-f', '{policy}', '--diff']],
  [['taint-policy', 'delete', 'evict-when-not-ready', '--with-taints', '--yes']],
  [['taint-policy', 'delete', 'evict-when-not-ready', '--dry-run=server', '-o', 'yaml']],
];

const WATCHES: readonly (readonly Line[])[] = [
  [['eviction', 'inspect', '--watch']],
  [['eviction', 'inspect', ...CHECKOUT, '-w']],
  [['eviction', 'inspect', '-w', '-o', 'json']],
  [['eviction', 'inspect', '-w', '-o', 'yaml']],
  [['eviction', 'inspect', '-w', '-o', 'custom-columns=A:.workload.name,B:..message']],
  [['failover', 'status', '--watch']],
  [['failover', 'status', 'virginia', '-w', '-o', 'wide']],
  [['failover', 'status', '-w', '-o', 'json']],
  [['failover', 'status', '-w', '-o', 'name']],
];

const READS: readonly (readonly Line[])[] = [
  [['failover', 'status']],
  [['failover', 'explain', ...CHECKOUT]],
  [['failover', 'simulate', '--fail', 'virginia']],
  [['eviction', 'inspect', '-o', 'json']],
  [['taint-policy', 'list', '-v', '9']],
  [['snapshot', 'save', '-']],
  [['record', '{out}', '--for', '0s']],
  [['options']],
  [['version']],
  [['completion', 'kubectl']],
  [['drain', 'dublin', '--dry-run']],
];

/** The typed answers to prompts. */
const TYPED: readonly (readonly Line[])[] = [
  [['drain', '']],
  [['cordon', '']],
  [['uncordon', 'f']],
  [['drain', 'virginia', '--skip', '']],
  [['drain', 'virginia', '--policy', '']],
  [['eviction', 'hold', '']],
  [['eviction', 'release', 'deployment/']],
  [['failover', 'explain', '']],
  [['timeline', '']],
  [['failover', 'status', '-n', '']],
  [['failover', 'status', '--user', '']],
  [['taint-policy', 'delete', '']],
];

/** A text that a server may send: terminal control sequences, foreign leftovers, and our own token. */
export function saidBy(random: Random): string {
  return random.of([
    () => hostileText(random),
    () => random.of(secretTexts),
    () => `no such token: ${TOKEN}${hostileText(random)}`,
  ])();
}

function servedBy(random: Random, world: readonly Manifest[], items = itemsOf(random, world)): Served {
  const served: Served = { items };
  if (random.next() < 0.4) served.warning = saidBy(random);
  if (random.next() < 0.4) served.refusal = refusalOf(random);
  if (random.next() < 0.7) served.events = eventsOf(random, items);
  if (random.next() < 0.7) served.cell = saidBy(random);
  return served;
}

/** Belongs to the server. */
const VERSION = new Set(['resourceVersion']);

export function itemsOf(random: Random, world: readonly Manifest[]): Manifest[] {
  const items = world.map((one) => structuredClone(one));
  switch (random.below(3)) {
    case 0:
      return withTextsIn(items, random, () => hostileText(random), VERSION);
    case 1:
      // field managers are not secret, and -v 9 shows them
      return withCanaries(items).map(({ metadata, ...rest }) => ({
        ...rest,
        metadata: { ...(metadata as Manifest), managedFields: [] },
      }));
    default:
      return withTextsIn(items, random, () => random.of(secretTexts), VERSION);
  }
}

/** Objects that a server with Karmada's schemas would reject: kinds that are read once. */
function mutatedBy(random: Random, world: readonly Manifest[]): Served {
  const items = world.map((one) => structuredClone(one));
  const what = random.next();
  if (what < 0.2) return servedBy(random, world, withExtremeNumbers(items, random));
  // a list whose pages are read while it changes may contain an object twice
  if (what < 0.3) return servedBy(random, world, [...items, structuredClone(random.of(items))]);
  const at = random.below(items.length);
  // a server has no object without a name
  const { apiVersion, kind, metadata, ...rest } = items[at]!;
  items[at] = { apiVersion, kind, metadata, ...(mutatedValue(rest, random) as Manifest) } as Manifest;
  return servedBy(random, world, items);
}

const ONCE = [500, 503, 504];

export function refusalOf(random: Random): NonNullable<Served['refusal']> {
  const status = random.of([400, 401, 403, 404, 409, 410, 422, ...ONCE]);
  const text = saidBy(random);
  const body = random.of<Json>([
    text,
    `<html>${text}</html>`,
    statusOf(random, status),
    { kind: 'Status', message: { text } },
    mutatedValue(statusOf(random, status), random) as Json,
  ]);
  // a temporary failure is retried
  const count = ONCE.includes(status) ? 1 : random.of([1, 1, 3, 1000]);
  return { from: random.below(20), count, ofWrites: random.next() < 0.6, status, body };
}

export function statusOf(random: Random, code: number): Manifest {
  const said = () => saidBy(random);
  return {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    code,
    message: said(),
    reason: random.of(['NotFound', 'Conflict', 'Invalid', 'Forbidden', said()]),
    details: {
      name: said(),
      kind: said(),
      causes: [{ reason: random.of(['FieldManagerConflict', said()]), message: said(), field: said() }],
    },
  };
}

/** Names and fields that a server validates before it reports them, by the schemas of Karmada. */
const CHECKED = new Set([
  'kind',
  'apiVersion',
  'name',
  'namespace',
  'min',
  'max',
  'cpu',
  'memory',
  'pods',
  'storage',
  'ephemeral-storage',
]);

/** Changes in a watch, including some that no server should send. */
export function eventsOf(random: Random, items: readonly Manifest[]): Json[] {
  return Array.from({ length: 1 + random.below(4) }, (_, index): Json => {
    if (random.next() < 0.15) return random.of<Json>([null, {}, [], 'x', { type: 'MODIFIED', object: null }]);
    if (random.next() < 0.15) return { type: 'ERROR', object: statusOf(random, random.of([410, 500])) };
    const [changed] = withTextsIn([random.of(items)], random, () => saidBy(random), CHECKED);
    const metadata = { ...(changed!['metadata'] as Manifest), resourceVersion: String(10_000_000 + index) };
    return { type: random.of(['ADDED', 'MODIFIED', 'DELETED']), object: { ...changed, metadata } };
  });
}

let server: Promise<HostileServer> | undefined;
/** HTTP is loaded on demand. */
export const serverOfProcess = () =>
  (server ??= import('../hostileServer.ts').then(({ HostileServer: Server }) => new Server()));

type InputOf = (random: Random, world: readonly Manifest[]) => Served;

/** Command lines, one after another, on a server of this machine. */
function onServer(
  kind: string,
  sequences: readonly (readonly Line[])[],
  entry?: Surroundings['entry'],
  inputOf: InputOf = servedBy,
): Make {
  return (random, place): FuzzCase => {
    const lines = random.of(sequences);
    const isTerminal = entry === undefined && random.next() < 0.5;
    const input = inputOf(random, place.world);
    const argvOf = (line: Line): string[] => {
      const words = line.map((word) =>
        word === '{policy}' ? place.path('policy.yaml') : word === '{out}' ? place.out : word,
      );
      return entry
        ? [...words.slice(0, 1), `--kubeconfig=${place.path('kubeconfig')}`, ...words.slice(1)]
        : [...words, '--kubeconfig', place.path('kubeconfig')];
    };
    return {
      kind,
      command: `${nameOf(lines[0]!)} (${kind})`,
      input: input as unknown as Json,
      given: `${isTerminal ? 'on a terminal: ' : ''}${lines.map((line) => line.join(' ')).join(', then ')}`,
      async run(changed) {
        const running = await serverOfProcess();
        place.file('kubeconfig', await running.serve(changed as unknown as Served));
        place.file('policy.yaml', policies.split('---\n')[0]!);
        const given = `${JSON.stringify(changed)} ${JSON.stringify(lines)}`;
        try {
          for (const line of lines) {
            const surroundings = {
              isTerminal,
              activity: () => running.requests,
              ...(entry ? { entry } : {}),
            };
            const output: Output = await inProcess(argvOf(line), surroundings);
            const isRaw_ = isRaw(line, isTerminal);
            const isScreen = isTerminal && line[0] === 'drain';
            const problem = problemOf(output, {
              given,
              isTerminal,
              isRaw: isRaw_,
              isScreen,
              written: place.written(),
            });
            if (problem !== undefined) return problem;
          }
          return undefined;
        } finally {
          running.end();
        }
      },
    };
  };
}

export const changes = onServer('changes of a live control plane', CHANGES);
export const watches = onServer('watches', WATCHES);
export const reads = onServer('reads of a live control plane', READS);
export const mutatedReads = onServer(
  'reads of a live control plane with broken objects',
  READS,
  undefined,
  mutatedBy,
);
export const completions = onServer('completion', TYPED, (words) => complete(words));
