import { EXIT_OK } from './cli/exitCodes.ts';
import { asksForHelp, showWrittenHelp, withPlainHelp } from './cli/help.ts';
import { withTopic } from './cli/withoutTopic.ts';
import { commands } from './commands/index.ts';

// for scripts/help-texts.mjs, which writes help from the build
export { HELP_WIDTH, helpFile, RUNTIME, RUNTIME_PLACE } from './cli/help.ts';

/** The first word of a line to complete, as in cobra; used by shells (src/cli/completion/shellScripts.ts). */
const COMPLETE = '__complete';

/** The entry of the bundle: runs one command line and returns the exit code. */
export async function main(typed: string[], root: string): Promise<number> {
  if (typed[0] === COMPLETE) process.exit(await (await import('./complete.ts')).main(typed.slice(1)));
  const argv = withTopic(await withPlainHelp(typed));
  if (asksForHelp(argv) && showWrittenHelp(argv, root)) return EXIT_OK;
  const { runCommandLine } = await import('./cli/oclif/run.ts');
  return runCommandLine(argv, root, commands);
}
