import { CLIError } from '@oclif/core/errors';
import { nearMatches } from '../../kubernetes/spelling.ts';
import { WITHOUT_TOPIC } from '../withoutTopic.ts';
import { withSuggestion, UserError } from '../errors.ts';
import { unknownChoice } from '../values.ts';

/** The context of oclif's parse errors. */
interface ParseFailure extends CLIError {
  parse?: { input?: { context?: { id?: string }; flags?: Record<string, unknown> } };
  flags?: string[];
  args?: (string | { name: string })[];
}

/** The parts of a command that describe its usage. */
interface KnownCommand {
  id: string;
  flags: Record<string, unknown>;
}

/** By command that takes no arguments: the flag that an argument probably meant. */
const INSTEAD: Record<string, string> = {
  filename: 'give files with -f',
  fail: 'name a cluster that fails with --fail',
};

/** What -f, by which kubectl takes files, may mean in a command without it. */
const FILE_FLAGS: Record<string, string> = {
  scenario: '--scenario FILE for events',
  apply: '--apply FILE for manifests',
  'apply-to': '--apply-to FILE for manifests',
  plan: '--plan FILE for a saved plan',
};

/**
 * Turns oclif's errors about the command line into one line with the flag or argument and the fix. Returns other errors
 * unchanged.
 */
export function readableUsageError(
  error: unknown,
  bin: string,
  commands: readonly KnownCommand[],
  argv: string[],
): unknown {
  if (!(error instanceof CLIError)) return unwrapped(error);
  const { message, parse, flags, args } = error as ParseFailure;
  const known = commands.map((command) => command.id.replaceAll(':', ' '));
  // oclif does not always say which command it was
  const id =
    parse?.input?.context?.id?.replaceAll(':', ' ') ??
    known.find((command) => `${argv.join(' ')} `.startsWith(`${command} `));
  const help = `${id ? `${bin} ${id}` : bin} --help`;
  const unexpectedArguments = (given: string[]): UserError => {
    const { flags: taken = {} } = commands[known.indexOf(id ?? '')] ?? {};
    const instead = Object.keys(INSTEAD).find((name) => name in taken);
    const next = instead === undefined ? `see ${help}` : INSTEAD[instead]!;
    return new UserError(`unexpected ${plural('argument', given)}; ${next}`);
  };
  const unknownCommand = /^command ([^]*) not found\.?$/i.exec(message)?.[1];
  if (unknownCommand !== undefined && id !== undefined) {
    // oclif treats arguments as words of a command that takes none
    const given = argv.slice(id.split(' ').length);
    const flag = given.findIndex((text) => text.startsWith('-'));
    return unexpectedArguments(given.slice(0, flag === -1 ? undefined : flag));
  }
  if (unknownCommand !== undefined) {
    const { typed, near } = meantCommand(unknownCommand.split(':'), known);
    const quoted = near.map((name) => `"${name}"`);
    const [topic = '', inTopic] = typed.split(' ');
    const next = inTopic === undefined ? help : `${bin} ${topic} --help`;
    return new UserError(withSuggestion(`unknown command "${typed}"`, quoted, `see ${next}`));
  }
  if (flags?.length) {
    const knownFlags = Object.keys(parse?.input?.flags ?? {});
    const [first, ...others] = flags.map((flag) => flag.replace(/^-+/, ''));
    // a single letter resembles too many flags
    const isWord = first !== undefined && first.length > 1 && others.length === 0;
    const near = isWord ? nearMatches(first, knownFlags).map((name) => `--${name}`) : [];
    if (flags.includes('--state') && knownFlags.includes('karmada-context'))
      return new UserError(
        `${id ?? 'this command'} works on a live control plane and takes no --state; choose it with --karmada-context NAME`,
      );
    const files = first === 'f' ? Object.keys(FILE_FLAGS).filter((name) => knownFlags.includes(name)) : [];
    const next =
      files.length > 0 ? `give ${files.map((name) => FILE_FLAGS[name]).join(' or ')}` : `see ${help}`;
    return new UserError(withSuggestion(`unknown ${plural('flag', flags)}`, near, next));
  }
  if (args?.length && typeof args[0] === 'string') return unexpectedArguments(args as string[]);
  if (args?.length) {
    const names = (args as { name: string }[]).map(({ name }) => name.toUpperCase());
    return new UserError(`missing ${plural('argument', names)}; see ${help}`);
  }
  const [, option = id, given, options] =
    /^Expected (?:(--\S+?)=)?([^]*) to be one of: (.*)$/m.exec(message) ?? [];
  if (option !== undefined && given !== undefined) return unknownChoice(option, given, options!.split(', '));
  const [first = '', ...rest] = message
    .replace('\nSee more help with --help', '')
    .replace(/^The following errors? occurred:/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const text = [first.charAt(0).toLowerCase() + first.slice(1), ...rest].join('; ');
  return new UserError(`${text.replace('missing required flag ', 'missing flag --')}; see ${help}`);
}

/**
 * The typed words that seem meant as a command, and the likely commands: with a similar name, or with a topic missing
 * or superfluous. oclif counts arguments as words of the command.
 */
function meantCommand(words: string[], known: string[]): { typed: string; near: string[] } {
  const topics = new Set(
    known.filter((command) => command.includes(' ')).map((command) => command.split(' ')[0]!),
  );
  const [first = ''] = words;
  const whole = known.filter((command) => command === words[1] || command === words.slice(1, 3).join(' '));
  if (whole.length === 0) whole.push(...nearMatches(words.slice(0, 2).join(' '), known));
  if (words.length > 1 && (topics.has(first) || whole.length > 0))
    return { typed: words.slice(0, 2).join(' '), near: whole };
  const withoutTopic = known.filter((command) => command.endsWith(` ${first}`));
  const near =
    withoutTopic.length > 0 ? withoutTopic : nearMatches(first, [...topics, ...known, ...WITHOUT_TOPIC]);
  return {
    typed: first,
    near: near.filter((command) => !near.includes(command.split(' ')[0]!) || !command.includes(' ')),
  };
}

/** The error of a flag's own parser, without the lines that oclif puts around it. */
function unwrapped(error: unknown): unknown {
  if (error instanceof UserError)
    error.message = error.message.replace(/^Parsing --\S+ \n\t([^]*)\nSee more help with --help$/, '$1');
  return error;
}

function plural(noun: string, values: string[]): string {
  return `${noun}${values.length === 1 ? '' : 's'} ${values.join(', ')}`;
}
