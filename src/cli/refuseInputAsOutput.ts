import { sep } from 'node:path';
import { isStateFile, realPath } from '../state/input/files.ts';
import { UserError } from './errors.ts';

/** Throws a UserError if the file that `name` asks to write is one that --state reads. */
export function refuseInputAsOutput(
  name: string,
  file: string | undefined,
  state: readonly string[] = [],
): void {
  const written = file === undefined || file === '-' ? undefined : realPath(file);
  if (written === undefined) return;
  const input = state.find((path) => {
    const read = realPath(path);
    return read === written || (read && isStateFile(written) && written.startsWith(read + sep));
  });
  if (input !== undefined)
    throw new UserError(`${name} ${file}: --state ${input} reads this file; name another one to write`);
}
