import { CLIError } from '@oclif/core/errors';
import { nearMatches } from '../../views/nearMatches.ts';
import { withSuggestion, UserError } from '../errors.ts';

/** What oclif knows of the command line when parsing it fails. */
interface ParseFailure extends CLIError {
  parse?: { input?: { context?: { id?: string }; flags?: Record<string, unknown> } };
  flags?: string[];
  args?: (string | { name: string })[];
}

/**
 * oclif's errors about the command line as one line that names the flag or argument and says what to do.
 * Other errors are returned as they are.
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
    return new UserError(withSuggestion(`unknown command "${typed}"`, quoted, `see ${help}`));
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
 * How much of what was typed was to be a command, and what may have been meant by it: a command or topic that is written
 * alike, or a command whose topic was left away. Arguments count as words of the command for oclif.
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

/** oclif puts lines around what a flag's own parser says. */
function unwrapped(error: unknown): unknown {
  if (error instanceof UserError)
    error.message = error.message.replace(/^Parsing --\S+ \n\t([^]*)\nSee more help with --help$/, '$1');
  return error;
}

function plural(noun: string, values: string[]): string {
  return `${noun}${values.length === 1 ? '' : 's'} ${values.join(', ')}`;
}
