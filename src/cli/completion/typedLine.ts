import manifest from '../../../oclif.manifest.json' with { type: 'json' };
import packageJson from '../../../package.json' with { type: 'json' };

/** The part of a command in oclif's manifest that completion reads: its arguments and flags. */
export interface ManifestCommand {
  id: string;
  summary?: string;
  hidden?: boolean;
  /** false: it takes more arguments than listed */
  strict?: boolean;
  args: Record<string, { name: string; description?: string; options?: string[]; multiple?: boolean }>;
  flags: Record<string, ManifestFlag>;
}

export interface ManifestFlag {
  name: string;
  char?: string;
  type: string;
  summary?: string;
  helpValue?: string;
  options?: string[];
  hidden?: boolean;
  allowNo?: boolean;
  multiple?: boolean;
  exclusive?: string[];
}

export const commands = Object.values(manifest.commands);

/** The topics (first words of commands), with their descriptions. */
export const topics: Record<string, { description?: string }> = packageJson.oclif.topics;

/** A command line being typed, split into its parts. */
export interface TypedLine {
  /** words that name a command, or the start of one */
  path: string[];
  command: ManifestCommand | undefined;
  /** flags so far with their values; true for flags without a value */
  given: Map<string, (string | true)[]>;
  /** arguments so far */
  args: string[];
  /** the word being typed */
  at: Cursor;
}

type Cursor =
  | { part: 'path'; typed: string }
  | { part: 'flag'; typed: string }
  | { part: 'value'; typed: string; flag: ManifestFlag }
  | { part: 'argument'; typed: string };

/** Splits the words after the program's name into parts. The last word is being typed, and may be empty. */
export function typedLine(words: readonly string[], commands: readonly ManifestCommand[]): TypedLine {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  const path: string[] = [];
  const begins = () => commands.some(({ id }) => `${id}:`.startsWith(`${path.join(':')}:`));
  while (before.length > path.length && !before[path.length]!.startsWith('-')) {
    path.push(before[path.length]!);
    if (begins()) continue;
    path.pop();
    break;
  }
  const command = commands.find(({ id }) => id === path.join(':'));
  const line: TypedLine = { path, command, given: new Map(), args: [], at: { part: 'argument', typed } };
  if (!command) {
    line.args = before.slice(path.length);
    line.at = { part: typed.startsWith('-') ? 'flag' : 'path', typed };
    return line;
  }
  let waiting: ManifestFlag | undefined;
  let onlyArguments = false;
  for (const word of before.slice(path.length)) {
    if (waiting) {
      add(line, waiting.name, word);
      waiting = undefined;
    } else if (onlyArguments || !word.startsWith('-') || word === '-') line.args.push(word);
    else if (word === '--') onlyArguments = true;
    else waiting = takeFlag(line, word, command);
  }
  if (waiting) line.at = { part: 'value', typed, flag: waiting };
  else if (!onlyArguments && typed.startsWith('-')) line.at = atFlag(typed, command);
  return line;
}

/** Records a flag; returns the flag if its value is the next word. */
function takeFlag(line: TypedLine, word: string, command: ManifestCommand): ManifestFlag | undefined {
  const { flag, value } = readFlag(word, command);
  if (!flag) return undefined;
  if (flag.type === 'boolean') add(line, flag.name, true);
  else if (value === undefined) return flag;
  else add(line, flag.name, value);
  return undefined;
}

function atFlag(typed: string, command: ManifestCommand): Cursor {
  const { flag, value } = readFlag(typed, command);
  if (flag?.type === 'option' && value !== undefined) return { part: 'value', typed: value, flag };
  return { part: 'flag', typed };
}

/** "--name", "--name=value", "-n", "-nvalue", "-n=value". */
function readFlag(
  word: string,
  { flags }: ManifestCommand,
): { flag?: ManifestFlag | undefined; value?: string } {
  const [, name, , long] = /^--([^=]+)(=(.*))?$/s.exec(word) ?? [];
  if (name !== undefined) return { flag: flags[name], ...(long === undefined ? {} : { value: long }) };
  const flag = Object.values(flags).find(({ char }) => char !== undefined && char === word[1]);
  const rest = word.slice(2);
  return { flag, ...(rest === '' ? {} : { value: rest.replace(/^=/, '') }) };
}

function add({ given }: TypedLine, name: string, value: string | true): void {
  given.set(name, [...(given.get(name) ?? []), value]);
}
