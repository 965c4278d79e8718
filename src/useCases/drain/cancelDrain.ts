import type { DrainEvent } from '../../engine/drain/drainEvent.ts';
import { INTERPRETERS } from '../../engine/status/healthInterpreter.ts';
import { cancelAnswer, cancelResultDocument, cancelResultLines } from '../../views/drain/cancelAnswer.ts';
import { drainEventDocument } from '../../views/drain/drainEventDocument.ts';
import { eventLine } from '../../views/drain/eventLine.ts';
import { commandLine, connectionWords } from '../../cli/commandLine.ts';
import { canAsk, confirmed } from '../../terminal/confirm.ts';
import { connectionFlags } from '../../cli/connection.ts';
import { flagsOfOptions } from '../../cli/drain/drainOptions.ts';
import type { DrainFlags } from '../../cli/drain/givenDrainFlags.ts';
import { dryRunSuffix, type DryRun } from '../../cli/dryRun.ts';
import { UserError } from '../../cli/errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_NOT_FINISHED, EXIT_OK } from '../../cli/exitCodes.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { printed, printedLine, textOutput } from '../../terminal/textOutput.ts';
import { jsonLine } from '../../views/jsonText.ts';
import { print } from '../../cli/print.ts';
import { openState } from '../state/openState.ts';
import { knownCluster } from '../selection/subject.ts';
import { sayNote } from '../../terminal/messages.ts';

/** What tells which evictions there are, and how the old copies and the new ones are. */
const KINDS = new Set(['Cluster', 'ResourceBinding', 'ClusterResourceBinding', 'Work', ...INTERPRETERS]);

/** Takes drains of the clusters back: shows what that does, asks, and does it. Gives the exit code. */
export async function cancelDrains(clusters: string[], flags: DrainFlags, dryRun: DryRun): Promise<number> {
  checkUse(clusters, flags, dryRun);
  const state = await openState(flags, KINDS);
  try {
    const [{ planCancel }, { clustersToRestore, whatIsCancelled }] = await Promise.all([
      import('../../operations/drain/planCancel.ts'),
      import('../../operations/drain/whatIsCancelled.ts'),
    ]);
    const { bindings } = state.world;
    // of a cluster that is no more a drain may still hold copies
    for (const name of clusters)
      if (!bindings.some((binding) => clustersToRestore(binding, whatIsCancelled([name], [])).length > 0))
        knownCluster('drain --cancel', name, state.world);
    const plan = planCancel(state.world, clusters, state.configuration, state.now);
    const answer = cancelAnswer(plan, { now: state.now, dryRun: dryRunSuffix[dryRun] });
    const asLines = dryRun === 'none' && flags.output === 'json';
    if (asLines) process.stdout.write(`${jsonLine(answer.document)}\n`);
    else await print(answer, flags);
    if (dryRun === 'client') return EXIT_OK;
    const { restored, left } = plan;
    const isWhole = plan.clusters.every(({ change }) => change === 'as-it-is');
    // what does not go back may be let go by now
    if (isWhole && restored.length === 0 && left.length === 0) return EXIT_OK;
    if (!flags.yes && canAsk() && !(await confirmed(`Take back the drain of ${clusters.join(', ')}?`))) {
      sayNote('Nothing was changed.');
      return EXIT_ANSWER_IS_FAILURE;
    }

    const { cancelDrain } = await import('../../operations/drain/cancelDrain.ts');
    const output = textOutput();
    const interrupt = interruptible();
    let startedAt: number | undefined;
    const tell = (event: DrainEvent) => {
      startedAt ??= event.time;
      if (event.type === 'finished') return;
      const line = asLines
        ? `${jsonLine(drainEventDocument(event, startedAt))}\n`
        : printedLine(eventLine(event, startedAt), output);
      process.stdout.write(line);
    };
    try {
      const result = await cancelDrain(state.server!, clusters, {
        configuration: state.configuration,
        signal: interrupt.signal,
        onEvent: tell,
      });
      process.stdout.write(
        asLines
          ? `${jsonLine(cancelResultDocument(result))}\n`
          : printed(cancelResultLines(result, clusters), output),
      );
      if (result.outcome === 'done') return EXIT_OK;
      const again = ['drain', ...clusters, '--cancel', ...connectionWords(flags, connectionFlags)];
      sayNote(`To go on:  ${commandLine(again)}`);
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
    throw new UserError('name the clusters whose drain is taken back, as in: drain CLUSTER --cancel');
  if (dryRun === 'server')
    throw new UserError('--cancel has no --dry-run=server; --dry-run=client shows what it does');
  const others = [
    ...flagsOfOptions(flags),
    ...(flags.plan === undefined ? [] : ['--plan']),
    ...(flags.out === undefined ? [] : ['--out']),
  ];
  if (others.length > 0)
    throw new UserError(`--cancel takes back all of a drain; leave out ${others.join(', ')}`);
}
