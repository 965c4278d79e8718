import { UserError } from './errors.ts';

/** Throws a UserError if stdin is named twice among the paths that flags give: the second reader would find nothing there. */
export function stdinOnce(flags: Record<string, string | readonly string[] | undefined>): void {
  const named = Object.entries(flags).flatMap(([flag, paths = []]) =>
    [paths].flat().flatMap((path) => (path === '-' ? [`${flag} -`] : [])),
  );
  if (named.length < 2) return;
  const different = [...new Set(named)];
  const next = different.length > 1 ? 'name a file for one of them' : 'name it once';
  throw new UserError(`${different.join(' and ')}: stdin can be read only once; ${next}`);
}
