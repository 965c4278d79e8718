import { hasScreen } from '../../terminal/capabilities.ts';
import { UserError } from '../errors.ts';

/** Throws a UserError with an alternative if there is no terminal for keys and a screen. */
export function needTerminal(what: string, instead: string): void {
  if (hasScreen(process)) return;
  throw new UserError(`${what} needs a terminal for its keys and its screen; ${instead}`);
}
