import { Config } from '@oclif/core/config';
import { ExitError } from '@oclif/core/errors';
import { run } from '@oclif/core/run';
import { endWithoutStdout } from '../endWithoutStdout.ts';
import { isExpected } from '../errors.ts';
import { EXIT_BUG, EXIT_OK } from '../exitCodes.ts';
import { asksForHelp, HELP_WIDTH } from '../help.ts';
import { embeddedPlugin, type Commands } from './plugin.ts';
import { readableUsageError } from './usageErrors.ts';
import { onLongWaits } from '../../state/longWait.ts';
import { endMessages, sayError, sayNote, sayTrace } from '../../terminal/messages.ts';
import type { Interfaces } from '@oclif/core';
import { CommandHelp, Help } from '@oclif/core/help';

/** Usage and purpose of a command come first; its many flags come last. */
const ORDER = ['USAGE', 'ARGUMENTS', 'DESCRIPTION', 'EXAMPLES', 'FLAGS'];

class OrderedCommandHelp extends CommandHelp {
  protected override sections(): ReturnType<CommandHelp['sections']> {
    const rank = (header: string) => (ORDER.includes(header) ? ORDER.indexOf(header) : ORDER.length);
    return super.sections().sort((a, b) => rank(a.header) - rank(b.header));
  }

  /**
   * Restores the margins that oclif removes: before the first flag without a short form, and in a section whose texts
   * are below its flags.
   */
  override renderList(...[input, options]: Parameters<CommandHelp['renderList']>): string {
    const list = super.renderList(input, options);
    const [margin = ''] = /^ */.exec(input[0]?.[0] ?? '') ?? [];
    const inColumns = !list.includes('\n\n');
    if (inColumns) return margin + list;
    return super.renderList(input, { ...options, indentation: options.indentation + this.indentSpacing });
  }
}

class OrderedHelp extends Help {
  protected override CommandHelpClass = OrderedCommandHelp;

  constructor(config: Interfaces.Config, options: Partial<Interfaces.HelpOptions> = {}) {
    super(config, options);
    this.opts.maxWidth = Math.min(this.opts.maxWidth, HELP_WIDTH);
  }

  /** Wraps the summary of a command, which oclif does not wrap. */
  protected override log(...texts: string[]): void {
    const lines = texts.join(' ').split('\n');
    super.log(lines.map((line) => (/^\S/.test(line) ? this.wrap(line, 0) : line)).join('\n'));
  }
}

/** Prints help for what a command line names: a command, a topic, or everything. */
async function showHelp(argv: readonly string[], config: Interfaces.Config): Promise<void> {
  const subject = argv[0] === 'help' ? argv.slice(1) : [...argv];
  await new OrderedHelp(config, config.pjson.oclif.helpOptions).showHelp(subject);
}

/** oclif's configuration, without the themes that it would look for in the user's home. */
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
  // if nobody reads stderr, the exit code still shows it
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => process.exit(explainFailure(error)));
  process.on('beforeExit', endUnfinished);
  onLongWaits(sayNote);
  const plugin = embeddedPlugin(root, commands);
  const config = new EmbeddedConfig({ root, plugins: new Map([[plugin.name, plugin]]) });
  try {
    await config.load();
    // oclif would load it again, for the run and then for the command
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

/** Without this, Node would end with success when it waits for something that can never come. */
function endUnfinished(): void {
  process.exitCode = explainFailure(new Error('it ended before it was done'));
}

function explainFailure(error: unknown): number {
  if (error instanceof ExitError) return error.oclif.exit ?? EXIT_OK;
  const message = error instanceof Error ? error.message : String(error);
  const debug = process.env['KARMADA_FAILOVER_DEBUG'];
  if (isExpected(error)) {
    sayError(message);
    if (debug && error.stack) sayTrace(error.stack);
    return error.exitCode;
  }
  sayError(`this is a mistake of kubectl-karmada-failover, not yours: ${message.split('\n')[0]}`);
  if (!debug)
    sayNote('Please report it with the command line and its output under KARMADA_FAILOVER_DEBUG=1.');
  else if (error instanceof Error && error.stack) sayTrace(error.stack);
  return EXIT_BUG;
}
