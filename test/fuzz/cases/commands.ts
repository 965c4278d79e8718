import { load as loadYaml } from 'js-yaml';
import { secretTexts, withCanaries } from '../canaries.ts';
import { rules } from '../documents.ts';
import { hostileItems, hostileText, withHostileField, withTextsIn } from '../hostile.ts';
import { inProcess } from '../inProcess.ts';
import { problemOf } from '../judge.ts';
import { wholeDeletionPlan } from '../mutatedDeletionPlan.ts';
import { wholePlan } from '../mutatedPlan.ts';
import { manifests, wholeScenario } from '../mutatedScenario.ts';
import { mutatedRecording } from '../mutatedRecording.ts';
import { mutatedSnapshot } from '../mutatedState.ts';
import { mutatedValue } from '../mutations.ts';
import { NUMBERS, withExtremeNumbers } from '../numbers.ts';
import { oddlyShaped, withNameTwice } from '../oddShapes.ts';
import type { Random } from '../random.ts';
import { treatedText, TREATMENTS } from '../treatments.ts';
import { policies, scenario, type Json, type Manifest } from '../world.ts';
import { textOf, type Workplace } from '../workplace.ts';
import { commandLine, nameOf } from './commandLine.ts';
import type { Make } from './fuzzCase.ts';
import { WORLDS } from './readers.ts';

/** Commands that read a state, with arguments that make them read a lot. */
const READERS: readonly (readonly string[])[] = [
  ['failover', 'status'],
  ['failover', 'status', 'virginia'],
  ['eviction', 'inspect'],
  ['eviction', 'inspect', 'deployment/checkout', '-n', 'shop'],
  ['failover', 'explain', 'deployment/checkout', '-n', 'shop'],
  ['failover', 'explain', 'statefulset/ledger', '-n', 'data', '--if-fails', 'dublin'],
  ['failover', 'simulate', '--fail', 'virginia'],
  ['failover', 'simulate', '--fail', 'dublin@1m', '--recover', 'dublin@20m'],
  ['failover', 'simulate', '--fail', 'frankfurt', '--gantt'],
  ['failover', 'audit', '--pairs', '--rto', '1m', '--fail-on', 'lost,headroom=20%'],
  ['failover', 'diff', '--to', 'v1.17'],
  ['lint', '-f', 'examples/shop', '--fail-on', 'note'],
  ['doctor', '--fail-on', 'error', '--skip', 'writers'],
  ['drain', 'virginia', '--dry-run'],
  ['drain', 'dublin', '--dry-run', '--allow-loss', '--allow-blocked', '--allow-overcommit'],
  ['drain', 'frankfurt', '--cancel', '--dry-run'],
  ['eviction', 'hold', 'deployment/checkout', '-n', 'shop', '--dry-run'],
  ['eviction', 'release', '--all', '--from', 'frankfurt', '-A', '--dry-run'],
  ['eviction', 'cancel', 'deployment/checkout', '-n', 'shop', '--dry-run'],
  ['eviction', 'complete', '--all', '--from', 'frankfurt', '-A', '--allow-loss', '--dry-run'],
  ['timeline'],
  ['timeline', 'virginia'],
  ['timeline', 'deployment/checkout', '-n', 'shop'],
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

/** Forms of simulations for other tools. */
const EXPORTS: readonly (readonly string[])[] = [
  ['-o', 'mermaid'],
  ['-o', 'dot'],
  ['-o', 'perfetto'],
];

const FILE = 'input.json';

function readerOf(random: Random, place: Workplace): { argv: string[]; isTerminal: boolean } {
  const reader = random.of(READERS);
  const state = ['--state', place.path(FILE)];
  const form = formOf(reader, random);
  const isTerminal = random.next() < 0.4;
  const sorted = random.next() < 0.05 && LISTS.includes(reader[1] ?? '') ? ['--sort-by', '.name'] : [];
  return { argv: [...reader, ...state, ...form, ...sorted], isTerminal };
}

/** A form of output that the command has. */
function formOf([topic, action]: readonly string[], random: Random): readonly string[] {
  const own =
    action === 'simulate'
      ? EXPORTS
      : topic === 'timeline'
        ? [['-o', 'markdown'], ['-o', 'mermaid'], ['-o', 'perfetto'], ['--gantt']]
        : [];
  const form = random.of([...FORMS, ...own]);
  if (topic === 'eviction' && action !== 'inspect' && form[0] === '--no-headers') return [];
  return topic === 'failover' && action === 'explain' && form[1] === 'name' ? [] : form;
}

/** A command on a state with mutated objects. */
const onState =
  (kind: string, itemsOf: (items: readonly Manifest[], random: Random) => Json): Make =>
  (random, place) => {
    const reader = readerOf(random, place);
    return commandLine({ kind, ...reader, place, file: FILE, input: itemsOf(place.world, random) });
  };

export const hostileObjects = onState('hostile strings in objects', hostileItems);

export const hostileField = onState('one hostile field', (items, random) =>
  withHostileField(items, random.below(1e6), hostileText(random)),
);

export const mutatedObjects = onState('mutated objects', (items, random) => {
  const changed = [...items];
  const at = random.below(changed.length);
  changed[at] = mutatedValue(changed[at], random) as Manifest;
  return changed;
});

export const extremeNumbers = onState('largest numbers in objects', withExtremeNumbers);

export const oddObjects = onState('odd shapes of objects', (items, random) =>
  random.next() < 0.2 ? withNameTwice(textOf([...items]), random) : oddlyShaped(items, random),
);

export const secretsInFields = onState('secret texts in objects', (items, random) =>
  withTextsIn(items, random, () => random.of(secretTexts)),
);

export const mutatedSnapshots = onState('mutated snapshots', (_, random) =>
  mutatedSnapshot(random.below(2 ** 31), WORLDS),
);

export const mutatedRecordings: Make = (random, place) => {
  const reader = readerOf(random, place);
  const replay = ['replay', 'check', place.path(FILE), ...random.of([[], ['-o', 'json'], ['-o', 'wide']])];
  const page = ['report', place.path(FILE), '--out', place.out];
  const argv = random.next() < 0.3 ? random.of([replay, page]) : reader.argv;
  const input = mutatedRecording(random.below(2 ** 31));
  return commandLine({ kind: 'mutated recordings', ...reader, argv, place, file: FILE, input });
};

/** Secrets where people and programs leave them; also in written files. */
export const secretsInObjects: Make = (random, place) => {
  const reader = readerOf(random, place);
  const state = ['--state', place.path(FILE)];
  const writes = [
    ['snapshot', 'save', '-', ...state],
    ['snapshot', 'save', place.out, ...state],
    ['failover', 'simulate', '--fail', 'virginia', '--until', '10m', '--save-state', place.out, ...state],
    ['failover', 'simulate', '--fail', 'virginia', '--report', place.out, ...state],
    ['drain', 'virginia', '--dry-run', '--out', place.out, ...state],
    ['drain', 'virginia', '--dry-run', '--report', place.out, ...state],
    ['timeline', '--report', place.out, ...state],
    ['report', place.path(FILE), '--out', place.out],
  ];
  const argv = random.next() < 0.4 ? random.of(writes) : reader.argv;
  const input = withCanaries(place.world);
  return commandLine({ kind: 'secrets in objects', ...reader, argv, place, file: FILE, input });
};

/** Settings with numbers, as the flags of Karmada's components have them. */
const NUMBERED = [
  ...['resource-eviction-rate', 'secondary-resource-eviction-rate', 'unhealthy-cluster-threshold'],
  ...['large-cluster-num-threshold', 'concurrent-work-syncs', 'concurrent-resourcebinding-syncs'],
  ...['graceful-eviction-timeout', 'cluster-failure-threshold', 'cluster-lease-duration'],
  ...['kube-api-qps', 'kube-api-burst', 'failover-eviction-timeout', 'default-not-ready-toleration-seconds'],
];

/** A setting or an instant of the command line at its maximum; the state is unchanged. */
export const extremeSettings: Make = (random, place) => {
  const { argv, isTerminal } = readerOf(random, place);
  const unit = random.of(['', '', 's', 'ms', 'h']);
  const more = random.of([
    ['--assume', `${random.of(NUMBERED)}=${random.of(NUMBERS)}${unit}`],
    ['--at', random.of(['2999-12-31T23:59:59Z', '9999-12-31T23:59:59Z', '1970-01-01T00:00:00Z'])],
    ['--at', `${random.of(NUMBERS)}${unit}`],
  ]);
  const line = [...argv, ...more];
  const kind = 'largest settings';
  return commandLine({ kind, isTerminal, argv: line, place, file: FILE, input: [...place.world] });
};

/** A command that reads a mutated file in addition to a state. */
const onFile =
  (
    name: string,
    file: string,
    documents: readonly Manifest[],
    linesOf: (path: string, state: string[], place: Workplace) => readonly (readonly string[])[],
  ): Make =>
  (random, place) => {
    const treatment = random.of(TREATMENTS);
    const input = treatedText(random.of(documents), treatment, random);
    const state = ['--state', place.path('state.json')];
    const argv = random.of(linesOf(place.path(file), state, place));
    const beside = { 'state.json': place.world, 'policy.yaml': policies };
    const kind = `${treatment} ${name}`;
    return commandLine({ kind, argv, isTerminal: random.next() < 0.4, place, file, input, beside });
  };

export const scenarios = onFile(
  'scenarios',
  'scenario.yaml',
  [loadYaml(scenario) as Manifest, wholeScenario as Manifest],
  (path, state, place) => [
    ['failover', 'simulate', '--scenario', path, ...state],
    ['failover', 'simulate', '--scenario', path, ...state, '-o', 'json'],
    ['failover', 'simulate', '--scenario', path, ...state, '--save-state', place.out],
    ['failover', 'diff', '--scenario', path, '--to', 'v1.17', ...state],
  ],
);

const savedPlans = [wholePlan as Manifest, wholeDeletionPlan as Manifest];

export const plans = onFile('plans', 'plan.json', savedPlans, (path, state, place) => [
  ['drain', '--plan', path, '--dry-run', ...state],
  ['drain', '--plan', path, '--dry-run', '-o', 'json', ...state],
  ['drain', '--plan', path, '--dry-run', '--out', place.out, ...state],
  ['taint-policy', 'delete', '--plan', path, ...state],
  ['taint-policy', 'delete', '--plan', path, '--out', place.out, ...state],
]);

const written = policies.split('---\n').map((one) => loadYaml(one) as Manifest);

export const manifestFiles = onFile(
  'manifests',
  'manifest.yaml',
  [...written, ...(manifests as readonly Manifest[])],
  (path, state, place) => [
    ['failover', 'explain', 'deployment/checkout', '-n', 'shop', '--apply', path, ...state],
    ['failover', 'diff', '--apply-to', path, '--fail', 'virginia', ...state],
    ['failover', 'simulate', '--apply', path, '--until', '10m', '--save-state', place.out, ...state],
    ['failover', 'status', ...state, '--state', path],
  ],
);

const taintPolicies = [written[0]!, ...(manifests as readonly Manifest[])].filter(
  ({ kind }) => kind === 'ClusterTaintPolicy',
);

export const policyFiles = onFile(
  'taint policies',
  'taint-policy.yaml',
  taintPolicies,
  (path, state, place) => [
    ['taint-policy', 'validate', '-f', path],
    ...['json', 'sarif', 'junit', 'yaml'].map((form) => ['taint-policy', 'validate', '-f', path, '-o', form]),
    ['taint-policy', 'convert', '-f', path, '--to', 'proposed'],
    ['taint-policy', 'convert', '-f', path, '--to', 'proposed', '-o', 'json'],
    ['taint-policy', 'convert', '-f', path, '--to', 'proposed', '--out', place.out],
    ['taint-policy', 'apply', '-f', path, ...state],
    ['taint-policy', 'apply', '--diff', '-f', path, ...state],
    ['taint-policy', 'apply', '-f', path, '--save-state', place.out, ...state],
  ],
);

export const ruleFiles = onFile('rule files', 'rules.yaml', [rules], (path, _, place) => {
  const validate = ['taint-policy', 'validate', '-f', place.path('policy.yaml'), '--rules', path];
  return [validate, ...['json', 'sarif', 'junit'].map((form) => [...validate, '-o', form])];
});

const settings: Manifest = {
  controllers: ['*', '-application-failover'],
  'karmada-version': 'proposal',
  'feature-gates': { Failover: true },
  'resource-eviction-rate': 1,
  'evict-plugins': ['ResourceHealth'],
  'leader-elect-lease-duration': '15s',
  'bind-address': '0',
};

export const settingsFiles = onFile('settings', 'settings.yaml', [settings], (path, _, place) => [
  ['controller', 'manifests', '--config', path, '--for', 'host', '--image', 'a'],
  ['controller', 'manifests', '--config', path, '--for', 'host', '--image', 'a', '-o', 'json'],
  ['exporter', 'manifests', '--image', path, '--rto', path, '-o', 'json'],
  ['controller', 'run', '--observe', '--config', path, '--kubeconfig', place.path('no-kubeconfig')],
]);

export const hostileArguments: Make = (random, place) => {
  const words = [...random.of(READERS), '--state', place.path('state.json')];
  const text = () =>
    `${random.of(['', 'deployment/', '--assume=', '--fail=', '-o', '--at=', '-l'])}${hostileText(random)}`;
  for (let left = 1 + random.below(2); left > 0; left--)
    words.splice(2 + random.below(words.length - 2), random.below(2), text());
  return {
    kind: 'hostile arguments',
    command: nameOf(words),
    input: words,
    given: 'as the command line',
    async run(changed) {
      place.file('state.json', place.world);
      const argv = (changed as string[]).map((word) => word.replaceAll('\u0000', ''));
      const output = await inProcess(argv);
      return problemOf(output, { given: argv.join(' '), isTerminal: false, isRaw: true, written: [] });
    },
  };
};
