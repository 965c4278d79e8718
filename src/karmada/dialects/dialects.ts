import type { Dialect } from './dialect.ts';
import { v1_18 } from './v1.18.ts';

/** The dialects that are known, oldest first. */
export const dialects: readonly [Dialect, ...Dialect[]] = [v1_18];

export const newestDialect: Dialect = dialects.at(-1)!;

/** The dialect of a version such as "v1.18.2", "1.18" or "v1.18.0-rc.1"; undefined where none is known. */
export function dialectOf(version: string): Dialect | undefined {
  const minor = /^v?(\d+\.\d+)(?:[.-]|$)/.exec(version.trim())?.[1];
  return dialects.find((dialect) => dialect.version === `v${minor}`);
}
