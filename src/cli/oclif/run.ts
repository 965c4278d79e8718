import { Config } from '@oclif/core/config';
import { ExitError } from '@oclif/core/errors';
import { run } from '@oclif/core/run';
import { endWithoutStdout } from '../endWithoutStdout.ts';
import { isExpected } from '../errors.ts';
import { EXIT_BUG, EXIT_OK } from '../exitCodes.ts';
import { asksForHelp, RUNTIME } from '../help.ts';
import { embeddedPlugin, type Commands } from './plugin.ts';
import { showHelp } from './showHelp.ts';
import { readableUsageError } from './usageErrors.ts';
import { setLongWaitListener } from '../../state/longWait.ts';
import { endMessages, printError, printNote, printTrace } from '../../terminal/messages.ts';

/** oclif's configuration, without looking for themes in the user's home. */
class EmbeddedConfig extends Config {
  override scopedEnvVarTrue(name: string): boolean {
    return name === 'DISABLE_THEME' || super.scopedEnvVarTrue(name);
  }
}

/**
 * Runs one command line and returns the exit code. `root` is the package's directory. Answers go to
 * stdout; errors are one line on stderr.
 */
export async function runCommandLine(argv: string[], root: string, commands: Commands): Promise<number> {
  process.stdout.on('error', endWithoutStdout);
  // with a closed stderr, the exit code still shows the failure
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => process.exit(explainFailure(error)));
  process.on('beforeExit', endUnfinished);
  setLongWaitListener((line) => {
    // a full screen shows progress itself
    if (!process.stdin.isRaw) printNote(line);
  });
  const plugin = embeddedPlugin(root, commands);
  const config = new EmbeddedConfig({ root, plugins: new Map([[plugin.name, plugin]]) });
  try {
    await config.load();
    // oclif always names Node
    config.userAgent = `${config.name}/${config.version} ${RUNTIME}`;
    // oclif would load it twice more, for the run and for the command
    Config.load = () => Promise.resolve(config);
    if (asksForHelp(argv)) {
      await showHelp(argv, config);
      return EXIT_OK;
    }
    const code: unknown = await run(argv, config);
    return typeof code === 'number' ? code : EXIT_OK;
  } catch (error) {
    return explainFailure(readableUsageError(error, config.bin, config.commands, argv));
  } finally {
    endMessages();
    process.off('beforeExit', endUnfinished);
  }
}

/** Node exits with success if it waits for a promise that can never settle: report that as a failure. */
function endUnfinished(): void {
  process.exitCode = explainFailure(new Error('it ended before it was done'));
}

function explainFailure(error: unknown): number {
  if (error instanceof ExitError) return error.oclif.exit ?? EXIT_OK;
  const message = error instanceof Error ? error.message : String(error);
  const debug = process.env['KARMADA_FAILOVER_DEBUG'];
  if (isExpected(error)) {
    printError(message);
    if (debug && error.stack) printTrace(error.stack);
    return error.exitCode;
  }
  printError(`internal error of kubectl-karmada-failover: ${message.split('\n')[0]}`);
  if (!debug)
    printNote('Please report it with the command line and its output under KARMADA_FAILOVER_DEBUG=1.');
  else if (error instanceof Error && error.stack) printTrace(error.stack);
  return EXIT_BUG;
}
