import { EXIT_OK } from './cli/exitCodes.ts';
import { asksForHelp, showWrittenHelp, withPlainHelp } from './cli/help.ts';
import { commands } from './commands/index.ts';

// for scripts/help-texts.mjs, which writes help with what is built
export { HELP_WIDTH, helpFile, RUNTIME, RUNTIME_PLACE } from './cli/help.ts';

/** The entry of the bundle: runs one command line and returns the exit code. */
export async function main(typed: string[], root: string): Promise<number> {
  const argv = await withPlainHelp(typed);
  if (asksForHelp(argv) && showWrittenHelp(argv, root)) return EXIT_OK;
  const { runCommandLine } = await import('./cli/oclif/run.ts');
  return runCommandLine(argv, root, commands);
}
