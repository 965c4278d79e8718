import { WITHOUT_TOPIC } from '../withoutTopic.ts';
import { OUTPUT_FORMATS } from '../outputFormat.ts';
import { type ManifestCommand, type ManifestFlag, type TypedLine, typedLine } from './typedLine.ts';

/** A candidate at the cursor, and its description. */
export interface Candidate {
  word: string;
  description?: string | undefined;
}

/** What the shell does next, as bits of cobra's ShellCompDirective. */
const NO_SPACE = 2;
const NO_FILES = 4;
const FILES = 0;

interface Completions {
  candidates: Candidate[];
  directive: number;
}

/** Names that come from the control plane, a state or the kubeconfig. */
export type NameKind =
  | 'clusters'
  | 'namespaces'
  | 'workloads'
  | 'policies'
  | 'taintPolicies'
  | 'contexts'
  | 'kubeconfigClusters'
  | 'users'
  | 'versions';

/** Looks up names; omits those that take too long. */
export type Names = (kind: NameKind, line: TypedLine) => Promise<Candidate[]>;

interface Vocabulary {
  commands: readonly ManifestCommand[];
  topics: Record<string, { description?: string }>;
  names: Names;
}

/** The candidates for the last word, the one being typed, which may be empty. */
export async function completions(words: readonly string[], vocabulary: Vocabulary): Promise<Completions> {
  const line = typedLine(words, vocabulary.commands);
  const { at, command } = line;
  const all = await proposals(line, vocabulary);
  const candidates = all.candidates.filter(({ word }) => word.startsWith(at.typed));
  const { directive } = at.part === 'path' && !command ? { directive: NO_FILES } : all;
  return { candidates, directive };
}

const nothing: Completions = { candidates: [], directive: NO_FILES };

async function proposals(line: TypedLine, { commands, topics, names }: Vocabulary): Promise<Completions> {
  const { at, command, path } = line;
  switch (at.part) {
    case 'path':
      return line.args.length > 0
        ? nothing
        : { candidates: nextWords(path, commands, topics), directive: NO_FILES };
    case 'flag':
      return {
        candidates: command ? flagWords(line, command) : globalFlags(path),
        directive: NO_FILES,
      };
    case 'value':
      return ofValue(at.flag, line, names);
    case 'argument':
      return ofArgument(line, command!, names);
  }
}

/** The words that may follow in the path of a command. */
function nextWords(
  path: readonly string[],
  commands: readonly ManifestCommand[],
  topics: Vocabulary['topics'],
): Candidate[] {
  const words = new Map<string, string | undefined>();
  for (const { id, summary, hidden } of commands) {
    const parts = id.split(':');
    if (hidden || path.some((word, index) => word !== parts[index])) continue;
    if (path.length === 0 && parts[0] === 'failover' && WITHOUT_TOPIC.includes(parts[1] ?? ''))
      words.set(parts[1]!, summary);
    const next = parts.slice(0, path.length + 1);
    const isCommand = next.length === parts.length;
    if (next.length > path.length)
      words.set(next.at(-1)!, isCommand ? summary : topics[next.join(':')]?.description);
  }
  if (path.length === 0) words.set('help', 'Print help for a command.');
  return [...words]
    .map(([word, description]) => ({ word, description }))
    .sort((a, b) => (a.word < b.word ? -1 : 1));
}

function globalFlags(path: readonly string[]): Candidate[] {
  return [
    { word: '--help', description: 'print help' },
    ...(path.length === 0 ? [{ word: '--version', description: 'print the version' }] : []),
  ];
}

/** The flags that can still be added. */
function flagWords({ given }: TypedLine, { flags }: ManifestCommand): Candidate[] {
  const left = Object.values(flags).filter(
    ({ name, hidden, multiple, exclusive = [] }) =>
      !hidden && (multiple || !given.has(name)) && !exclusive.some((other) => given.has(other)),
  );
  return [
    ...left.flatMap(({ name, summary: description, allowNo }) => [
      { word: `--${name}`, description },
      ...(allowNo ? [{ word: `--no-${name}`, description }] : []),
    ]),
    ...globalFlags(['']),
  ];
}

const CONTEXTS = /^(karmada-|host-)?context$/;
const WORKLOAD_KINDS = ['deployment', 'statefulset', 'daemonset', 'job', 'cronjob'];

async function ofValue(flag: ManifestFlag, line: TypedLine, names: Names): Promise<Completions> {
  const { name, helpValue = '', options } = flag;
  const listed = async (kind: NameKind, ending = '') => ({
    candidates: (await names(kind, line)).map(({ word, description }) => ({
      word: word + ending,
      description,
    })),
    directive: ending === '' ? NO_FILES : NO_FILES | NO_SPACE,
  });
  if (name === 'output') {
    // FORMAT|sarif: further formats of this command
    const words = [...OUTPUT_FORMATS, ...helpValue.split('|').slice(1)];
    return { candidates: words.map((word) => ({ word })), directive: formatEnd(line) };
  }
  if (options) return { candidates: options.map((word) => ({ word })), directive: NO_FILES };
  if (CONTEXTS.test(name)) return listed('contexts');
  if (name === 'cluster' && helpValue === 'NAME') return listed('kubeconfigClusters');
  if (name === 'user') return listed('users');
  if (name === 'karmada-version') return listed('versions');
  if (/^(FILE|PATH|DIR(ECTORY)?)$/.test(helpValue)) return { candidates: [], directive: FILES };
  const [, about, then] = /^([A-Z/]+)(.*)$/.exec(helpValue) ?? [];
  switch (about) {
    case 'CLUSTER':
      return listed('clusters', then?.startsWith('@') || then?.startsWith(':') ? then[0] : '');
    case 'NAMESPACE':
      return listed('namespaces');
    case 'POLICY':
      return listed('policies');
    case 'WORKLOAD':
    case 'KIND/NAME':
      return listed('workloads');
    case 'KIND':
      return { candidates: WORKLOAD_KINDS.map((word) => ({ word })), directive: NO_FILES };
  }
  // complete the parts of "client|server", not those of "TIME|DURATION"
  const words = helpValue.split('|').filter((word) => /^[A-Za-z-]*[a-z]{2}[A-Za-z-]*$/.test(word));
  return { candidates: words.map((word) => ({ word })), directive: NO_FILES };
}

/** No space after "jsonpath=", one after "json". */
function formatEnd({ at }: TypedLine): number {
  const left = OUTPUT_FORMATS.filter((format) => format.startsWith(at.typed));
  if (/-file=/.test(at.typed)) return FILES;
  return left.length === 1 && left[0]!.endsWith('=') ? NO_FILES | NO_SPACE : NO_FILES;
}

/** The kinds that arguments name. A target is a workload or a cluster. */
const KINDS: Readonly<Record<string, NameKind>> = {
  cluster: 'clusters',
  'kind/name': 'workloads',
  target: 'workloads',
  policy: 'taintPolicies',
};

async function ofArgument(
  line: TypedLine,
  { args, strict }: ManifestCommand,
  names: Names,
): Promise<Completions> {
  const known = Object.values(args);
  const position = line.args.length;
  const last = known.at(-1);
  const arg = known[position] ?? (strict === false || last?.multiple ? last : undefined);
  if (!arg) return nothing;
  const kind = KINDS[arg.name.replace(/s$/, '').toLowerCase()];
  if (arg.options) return { candidates: arg.options.map((word) => ({ word })), directive: NO_FILES };
  if (/^(file|path)$/i.test(arg.name)) return { candidates: [], directive: FILES };
  if (!kind) return nothing;
  const [first] = line.args;
  if (kind === 'workloads' && first !== undefined && !first.includes('/'))
    return { candidates: await namesOfKind(first, line, names), directive: NO_FILES };
  const offered: NameKind[] = arg.name === 'target' && first === undefined ? ['clusters', kind] : [kind];
  const all = await Promise.all(offered.map((one) => names(one, line)));
  const found = all.flat().filter(({ word }) => !line.args.includes(word));
  if (kind !== 'workloads' || found.length > 0) return { candidates: found, directive: NO_FILES };
  const kinds = WORKLOAD_KINDS.map((word) => ({ word: `${word}/` }));
  return { candidates: kinds, directive: NO_FILES | NO_SPACE };
}

/** For KIND NAME, the alternative to KIND/NAME: only the names. */
async function namesOfKind(kind: string, line: TypedLine, names: Names): Promise<Candidate[]> {
  const before = `${kind}/`;
  const asOneWord = { ...line, at: { ...line.at, typed: `${before}${line.at.typed}` } };
  return (await names('workloads', asOneWord))
    .filter(({ word }) => word.startsWith(before))
    .map((one) => ({ ...one, word: one.word.slice(before.length) }))
    .filter(({ word }) => !line.args.includes(word));
}
