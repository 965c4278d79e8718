import { UserError } from '../errors.ts';

/** Throws a UserError that says what to use instead, if there is no terminal for keys and a screen. */
export function needTerminal(what: string, instead: string, { stdin, stdout, env } = process): void {
  if (stdin.isTTY && stdout.isTTY && env['TERM'] !== 'dumb') return;
  throw new UserError(`${what} needs a terminal for its keys and its screen; ${instead}`);
}
