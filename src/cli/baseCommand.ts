import type { Interfaces } from '@oclif/core';
import { DRY_RUNS } from './flags.ts';
import { UserError } from './errors.ts';
import { refuseInputAsOutput } from './refuseInputAsOutput.ts';
import { kubectlArguments, type ImplicitValue } from './kubectlArguments.ts';
import { Command } from './oclif/oclif.ts';
import { holdMessages } from '../terminal/messages.ts';
import { Problem } from '../useCases/problem.ts';

const BARE: Record<string, ImplicitValue> = { 'dry-run': { value: 'client', otherwise: DRY_RUNS } };

/** The base of every command: it parses the command line like kubectl. */
export abstract class BaseCommand extends Command {
  /**
   * Arguments and flags, by kubectl's rules: booleans take values, --dry-run needs none, -A overrides -n, and an empty
   * namespace means none. Rejects with the usage error.
   */
  protected override async parse<
    F extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    B extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    A extends Interfaces.OutputArgs<Interfaces.ArgInput>,
  >(options: Interfaces.Input<F, B, A>, argv = this.argv): Promise<Interfaces.ParserOutput<F, B, A>> {
    const { flags: known = {} } = options;
    const bare = Object.fromEntries(Object.entries(BARE).filter(([name]) => name in known));
    const parsed = await super.parse(options, kubectlArguments(argv, known, bare));
    const flags: Record<string, unknown> = parsed.flags;
    if (flags['all-namespaces'] === true || flags['namespace'] === '') delete flags['namespace'];
    for (const name of ['report', 'out', 'save-state'])
      refuseInputAsOutput(
        `--${name}`,
        flags[name] as string | undefined,
        flags['state'] as string[] | undefined,
      );
    if (printsOneAnswer(flags, known)) holdMessages();
    return parsed;
  }

  /**
   * Turns problems of use cases into command-line messages. Replaces oclif's handling, which stops a spinner and sets
   * an exit code.
   */
  protected override async catch(error: Error): Promise<never> {
    if (!(error instanceof Problem)) throw error;
    const { problemText } = await import('./problemText.ts');
    const shown = new UserError(problemText(error.data), { cause: error });
    if (error.stack) shown.stack = error.stack.replace(error.message, shown.message);
    throw shown;
  }
}

/** Whether the command prints an answer and exits: it follows nothing and writes nothing. */
function printsOneAnswer(flags: Record<string, unknown>, known: object): boolean {
  const { watch = false, state, 'dry-run': dryRun = 'client' } = flags;
  return 'limit' in known && (watch === false || state !== undefined) && dryRun !== 'none';
}
