import { runCommandLine } from './cli/oclif/run.ts';
import { commands } from './commands/index.ts';

/** The entry of the bundle: runs one command line and returns the exit code. */
export function main(argv: string[], root: string): Promise<number> {
  return runCommandLine(argv, root, commands);
}
