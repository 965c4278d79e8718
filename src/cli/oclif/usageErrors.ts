import { CLIError } from '@oclif/core/errors';
import { nearMatches } from '../../views/nearMatches.ts';
import { withSuggestion, UserError } from '../errors.ts';
import { unknownChoice } from '../values.ts';

/** What oclif knows about the command line when parsing fails. */
interface ParseFailure extends CLIError {
  parse?: { input?: { context?: { id?: string }; flags?: Record<string, unknown> } };
  flags?: string[];
  args?: (string | { name: string })[];
}

/**
 * Turns oclif's errors about the command line into one line that names the flag or argument and says what to do.
 * Returns other errors as they are.
 */
export function readableUsageError(
  error: unknown,
  bin: string,
  commandIds: string[],
  argv: string[],
): unknown {
  if (!(error instanceof CLIError)) return unwrapped(error);
  const { message, parse, flags, args } = error as ParseFailure;
  const known = commandIds.map((command) => command.replaceAll(':', ' '));
  // oclif does not always say which command it was
  const id =
    parse?.input?.context?.id?.replaceAll(':', ' ') ??
    known.find((command) => `${argv.join(' ')} `.startsWith(`${command} `));
  const help = `${id ? `${bin} ${id}` : bin} --help`;
  const unknownCommand = /^command (.*) not found\.?$/i.exec(message)?.[1];
  if (unknownCommand !== undefined) {
    const { typed, near } = meantCommand(unknownCommand.split(':'), known);
    const quoted = near.map((name) => `"${name}"`);
    const [topic = '', inTopic] = typed.split(' ');
    const next = inTopic === undefined ? help : `${bin} ${topic} --help`;
    return new UserError(withSuggestion(`unknown command "${typed}"`, quoted, `see ${next}`));
  }
  if (flags?.length) {
    const knownFlags = Object.keys(parse?.input?.flags ?? {}).map((name) => `--${name}`);
    const near = flags.length === 1 ? nearMatches(flags[0]!, knownFlags) : [];
    return new UserError(withSuggestion(`unknown ${plural('flag', flags)}`, near, `see ${help}`));
  }
  if (args?.length && typeof args[0] === 'string')
    return new UserError(`unexpected ${plural('argument', args as string[])}; see ${help}`);
  if (args?.length) {
    const names = (args as { name: string }[]).map(({ name }) => name.toUpperCase());
    return new UserError(`missing ${plural('argument', names)}; see ${help}`);
  }
  const [, option, given, options] = /^Expected (--\S+?)=([^]*) to be one of: (.*)$/m.exec(message) ?? [];
  if (option !== undefined) return unknownChoice(option, given!, options!.split(', '));
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
 * Which of the typed words were meant as a command, and which command may have been meant: one, or a topic, with a similar name, or a
 * command whose topic was left out. oclif counts arguments as words of the command.
 */
function meantCommand(words: string[], known: string[]): { typed: string; near: string[] } {
  const topics = new Set(
    known.filter((command) => command.includes(' ')).map((command) => command.split(' ')[0]!),
  );
  const [first = ''] = words;
  const whole = nearMatches(words.slice(0, 2).join(' '), known);
  if (words.length > 1 && (topics.has(first) || whole.length > 0))
    return { typed: words.slice(0, 2).join(' '), near: whole };
  const withoutTopic = known.filter((command) => command.endsWith(` ${first}`));
  const near = withoutTopic.length > 0 ? withoutTopic : nearMatches(first, [...topics, ...known]);
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
