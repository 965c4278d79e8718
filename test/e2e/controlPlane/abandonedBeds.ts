import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bed } from './bed.ts';
import { isSameProcess, isRunning } from './processes.ts';

/** The names of beds, and of folders of runs that contain some, in the directory for temporary files. */
const FOLDER = /^karmada-failover-(e2e|chaos)-/;

/**
 * Ends the remaining processes of test beds whose runner was killed and could not take them down; their files stay, as for failed tests.
 * Beds in use, or meant to stay up (e2e:up), are left alone. Returns the directories of those taken down.
 */
export async function takeDownAbandoned(directory = realpathSync(tmpdir())): Promise<string[]> {
  const takenDown: string[] = [];
  for (const bed of bedsIn(directory)) {
    const { runner, processes } = bed.file;
    if (!runner || isSameProcess(runner) || !processes.some(isRunning)) continue;
    await bed.down({ keepFiles: true });
    takenDown.push(bed.file.directory);
  }
  return takenDown;
}

/** The beds of a directory, including those in the folder of a run. */
function bedsIn(directory: string, depth = 0): Bed[] {
  return readdirSync(directory)
    .filter((name) => FOLDER.test(name))
    .map((name) => join(directory, name))
    .flatMap((folder) => {
      if (existsSync(join(folder, 'bed.json'))) return readable(folder);
      return depth === 0 ? listable(folder) : [];
    });
}

function readable(folder: string): Bed[] {
  try {
    return [Bed.at(folder)];
  } catch {
    // another user's, or just being removed
    return [];
  }
}

function listable(folder: string): Bed[] {
  try {
    return bedsIn(folder, 1);
  } catch {
    return [];
  }
}
