import type { DrainEvent } from '../../analysis/drain/decide/drainStep.ts';
import { canAsk, confirmed } from '../../terminal/confirm.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { printNote } from '../../terminal/messages.ts';
import { printed, printedLine, textOutput } from '../../terminal/textOutput.ts';
import { openForReturn, planReturn } from '../../useCases/drain/planReturn.ts';
import { cancelAnswer, cancelResultDocument, cancelResultLines } from '../../views/drain/cancelAnswer.ts';
import { drainEventDocument, eventLine } from '../../views/drain/events.ts';
import { documentLine } from '../../views/forms/jsonText.ts';
import { commandLine, connectionWords } from '../commandLine.ts';
import { connectionFlags } from '../connectionFlags.ts';
import type { DryRun } from '../flags.ts';
import { dryRunSuffix } from '../../views/words/dryRunSuffix.ts';
import { UserError } from '../errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_NOT_FINISHED, EXIT_OK } from '../exitCodes.ts';
import { flagNames } from '../flagNames.ts';
import { ports } from '../ports.ts';
import { print } from '../print.ts';
import { stateRequest } from '../stateRequest.ts';
import { flagsOfOptions } from './drainOptions.ts';
import type { DrainFlags } from './drainFlags.ts';
import { writeToStdout } from '../../terminal/stdout.ts';

/** Cancels drains of the clusters: shows the effect, asks, and writes. Returns the exit code. */
export async function cancelDrains(clusters: string[], flags: DrainFlags, dryRun: DryRun): Promise<number> {
  checkUse(clusters, flags, dryRun);
  const state = await openForReturn(stateRequest(flags), ports);
  try {
    const { plan, isDone } = await planReturn(state, clusters);
    const answer = cancelAnswer(plan, { now: state.now, dryRun: dryRunSuffix[dryRun] });
    const asLines = dryRun === 'none' && flags.output === 'json';
    if (asLines) void writeToStdout(`${documentLine(answer.document)}\n`);
    else await print(answer, flags);
    const { server } = state;
    if (!server || dryRun === 'client') return EXIT_OK;
    if (isDone) return EXIT_OK;
    const question = `Cancel the drain of ${clusters.join(', ')}?`;
    if (!flags.yes && canAsk() && !(await confirmed(question, server))) {
      printNote('Nothing was changed.');
      return EXIT_ANSWER_IS_FAILURE;
    }

    const { cancelDrain } = await import('../../operations/drain/cancelDrain.ts');
    const output = textOutput();
    const interrupt = interruptible();
    let startedAt: number | undefined;
    const notify = (event: DrainEvent) => {
      startedAt ??= event.time;
      if (event.type === 'finished') return;
      const line = asLines
        ? `${documentLine(drainEventDocument(event, startedAt))}\n`
        : printedLine(eventLine(event, startedAt), output);
      void writeToStdout(line);
    };
    try {
      const result = await cancelDrain(server, clusters, {
        configuration: state.configuration,
        planned: plan.restored,
        signal: interrupt.signal,
        onEvent: notify,
      });
      void writeToStdout(
        asLines
          ? `${documentLine(cancelResultDocument(result))}\n`
          : printed(cancelResultLines(result, clusters, flagNames), output),
      );
      if (result.outcome === 'done') return EXIT_OK;
      const again = ['drain', ...clusters, '--cancel', ...connectionWords(flags, connectionFlags)];
      printNote(`To resume: ${commandLine(again)}`);
      return EXIT_NOT_FINISHED;
    } finally {
      interrupt.done();
    }
  } finally {
    state.server?.close();
  }
}

function checkUse(clusters: string[], flags: DrainFlags, dryRun: DryRun): void {
  if (clusters.length === 0)
    throw new UserError('name the clusters of the drain to cancel, as in: drain CLUSTER --cancel');
  if (dryRun === 'server')
    throw new UserError('--cancel has no --dry-run=server; use --dry-run=client to see what it does');
  const others = [
    ...flagsOfOptions(flags),
    ...(flags.plan === undefined ? [] : ['--plan']),
    ...(flags.out === undefined ? [] : ['--out']),
  ];
  if (others.length > 0)
    throw new UserError(`--cancel cancels a whole drain; leave out ${others.join(', ')}`);
}
