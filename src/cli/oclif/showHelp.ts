import type { Interfaces } from '@oclif/core';
import type { Command } from '@oclif/core/command';
import { CommandHelp, Help } from '@oclif/core/help';
import { CONNECTION } from '../connectionFlags.ts';
import { HELP_WIDTH } from '../help.ts';

/** Usage and purpose of a command come first; its many flags come last. */
const ORDER = ['USAGE', 'ARGUMENTS', 'DESCRIPTION', 'EXAMPLES', 'FLAGS'];
/** The command whose help lists the connection flags; others refer to it, like kubectl's commands. */
const OPTIONS = 'options';

class OrderedCommandHelp extends CommandHelp {
  private readonly pointsToConnection = this.command.id !== OPTIONS && 'server' in (this.command.flags ?? {});

  protected override sections(): ReturnType<CommandHelp['sections']> {
    const rank = (header: string) => (ORDER.includes(header) ? ORDER.indexOf(header) : ORDER.length);
    return super.sections().sort((a, b) => rank(a.header) - rank(b.header));
  }

  /** All paragraphs: oclif keeps only the last of several. */
  protected override description(): string | undefined {
    return this.wrap(this.command.description ?? '');
  }

  protected override groupFlags(flags: Command.Flag.Any[]): ReturnType<CommandHelp['groupFlags']> {
    const isShown = ({ helpGroup }: Command.Flag.Any) => !this.pointsToConnection || helpGroup !== CONNECTION;
    return super.groupFlags(flags.filter(isShown));
  }

  override generate(): string {
    if (!this.pointsToConnection) return super.generate();
    const pointer = `Use "${this.config.bin} ${OPTIONS}" for the flags of the connection, such as --karmada-context.`;
    return `${super.generate()}\n\n${this.wrap(pointer, 0)}`;
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
export async function showHelp(argv: readonly string[], config: Interfaces.Config): Promise<void> {
  const subject = argv[0] === 'help' ? argv.slice(1) : [...argv];
  await new OrderedHelp(config, config.pjson.oclif.helpOptions).showHelp(subject);
}
