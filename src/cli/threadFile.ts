import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The script that threads run, in the package or embedded in the executable; undefined if it is in neither. */
export function threadFile(root: string): string | undefined {
  const file = join(root, 'bin/dashboardFeed.js');
  return existsSync(file) ? file : undefined;
}
