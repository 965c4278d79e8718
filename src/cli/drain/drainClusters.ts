import type { DrainPlan } from '../../analysis/drain/plan/drainPlan.ts';
import { interruptible, abortIfUnread } from '../../terminal/interrupt.ts';
import { canAsk, confirmed } from '../../terminal/confirm.ts';
import { openReporter, reportForm } from '../../terminal/drainReporter.ts';
import { printError, printNote } from '../../terminal/messages.ts';
import { noteReplaced } from '../noteReplaced.ts';
import { writeToStdout } from '../../terminal/stdout.ts';
import { printedLine, textOutput } from '../../terminal/textOutput.ts';
import { reasonsAgainst, type MadePlan } from '../../useCases/drain/makePlan.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { openState, type LiveState, type OpenedState } from '../../useCases/state/openState.ts';
import {
  drainQuestion,
  planDriftText,
  refusalMessage,
  rehearsedText,
} from '../../views/drain/beforeDrain.ts';
import { planAnswer } from '../../views/drain/planAnswer.ts';
import { documentLine, jsonText } from '../../views/forms/jsonText.ts';
import { unverified } from '../../karmada/configuration/assumptions.ts';
import { TIMEOUT } from '../../useCases/state/assumptions.ts';
import type { ViewNames } from '../../views/answer.ts';
import { commandLine, connectionWords, withoutDryRun } from '../commandLine.ts';
import { connectionFlags } from '../connectionFlags.ts';
import type { DryRun } from '../flags.ts';
import { dryRunSuffix } from '../../views/words/dryRunSuffix.ts';
import { UserError } from '../errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_NOT_FINISHED, EXIT_OK } from '../exitCodes.ts';
import { flagNames, planAgain, savedPlanNames } from '../flagNames.ts';
import { ports } from '../ports.ts';
import { print } from '../print.ts';
import { stateRequest } from '../stateRequest.ts';
import { clusterArguments } from '../targets.ts';
import { choice, durationOrSeconds } from '../values.ts';
import { drainOrder, plannedOrder } from './drainOrder.ts';
import type { DrainFlags } from './drainFlags.ts';
import { runnerName } from './runner.ts';

/**
 * Drains clusters: plans, shows the plan, refuses or asks, and carries it out. `argv`: the command line, for the hint
 * on how to continue. Returns the exit code.
 */
export async function drainClusters(given: string[], flags: DrainFlags, argv: string[]): Promise<number> {
  const clusters = clusterArguments(given);
  const dryRun = flags['dry-run'];
  checkUse(flags, dryRun);
  if (flags.cancel) {
    const { cancelDrains } = await import('./cancelDrains.ts');
    return cancelDrains(clusters, flags, dryRun);
  }
  const order = await drainOrder(clusters, flags);
  order.warnings.forEach(ports.warn);
  const timeout = durationOrSeconds('--timeout', flags.timeout) ?? 0;

  const state = await openState(stateRequest(flags), ports);
  try {
    const made = plannedOrder({ ...order, spans: flags.report !== undefined }, state, ports);
    if (flags.report !== undefined && flags.plan === undefined)
      await report(made, flags.report, state, order.readyAfter);
    if (flags.out !== undefined) await save(made, flags.out, flags);
    if (flags.out !== '-') await showPlan(made, flags, dryRun, argv);
    if (!mayBegin(made, flags)) return EXIT_ANSWER_IS_FAILURE;
    if (dryRun === 'client') return EXIT_OK;
    const { server } = state;
    if (!server) throw new UserError('--state reads files, which cannot be drained; add --dry-run');
    if (dryRun === 'server') return await rehearse(made.plan, server, state);
    if (!flags.yes && canAsk() && !(await confirmed(drainQuestion(made.plan), server))) {
      printNote('Nothing was changed.');
      return EXIT_ANSWER_IS_FAILURE;
    }
    // also while a recording starts and ends, so that it is not truncated
    const [interrupt, unread] = [interruptible(), abortIfUnread(process.stdout)];
    try {
      const signal = AbortSignal.any([interrupt.signal, unread.signal]);
      return await recorded(server, state, made.plan.options.clusters, flags, () =>
        carryOut(made, { ...state, server }, flags, { timeout, argv, signal }),
      );
    } finally {
      interrupt.done();
      unread.done();
    }
  } finally {
    state.server?.close();
  }
}

/** Carries out a drain, recording it if a page or a recording is requested. */
async function recorded(
  server: ApiServer,
  state: OpenedState,
  clusters: readonly string[],
  { report: page, record }: DrainFlags,
  carriedOut: () => Promise<number>,
): Promise<number> {
  if (page !== undefined) {
    const { whileReported } = await import('./whileReported.ts');
    return whileReported(server, state, { report: page, record, clusters }, carriedOut);
  }
  if (record === undefined) return carriedOut();
  const { whileRecording } = await import('../recording/whileRecording.ts');
  return whileRecording(server, state.loaded, record, carriedOut);
}

/** Writes the plan as a page; if the plan is carried out, a page of the drain replaces it. */
async function report(made: MadePlan, file: string, state: OpenedState, readyAfter?: number): Promise<void> {
  const [{ drainReport }, { curesWithout }, { toneOfDrainOutcome }, { writeReport }] = await Promise.all([
    import('../../views/report/drainReport.ts'),
    import('../../useCases/scenario/curesOfLosses.ts'),
    import('../../views/drain/planFates.ts'),
    import('../report/reportFlag.ts'),
  ]);
  const { workloads, options } = made.plan;
  const staying = workloads.filter(({ fate }) => toneOfDrainOutcome(fate) === 'bad');
  const cures = curesWithout(options.clusters, staying, state, ports, readyAfter);
  await writeReport(file, drainReport(made, state.world.clusters, flagNames, cures));
}

/** Throws a UserError for conflicting flags, before reading anything. */
function checkUse(flags: DrainFlags, dryRun: DryRun): void {
  if (flags.state?.length && dryRun !== 'client')
    throw new UserError(
      '--state reads files, which cannot be drained; see the plan of a drain with --dry-run=client',
    );
  if (flags.out === '-' && (dryRun !== 'client' || flags.output !== undefined))
    throw new UserError(
      '--out - prints the plan and nothing else; give --dry-run=client and leave -o out, or name a file',
    );
  if (flags.report !== undefined && flags.cancel)
    throw new UserError(
      '--report needs a drain; remove --cancel, or record the cancellation and use timeline --report',
    );
  if (flags.report !== undefined && flags.plan !== undefined && dryRun !== 'none')
    throw new UserError(
      '--report needs a new plan or a running drain; a saved plan has no timeline: remove --plan or --dry-run',
    );
  choice('--progress', flags.progress, ['plain']);
  const { output } = flags;
  if (dryRun === 'none' && output !== undefined && output !== 'json' && output !== 'wide')
    throw new UserError(
      `-o ${output} needs --dry-run, and prints the plan; without it a drain prints lines, or with -o json one document a line`,
    );
}

async function save(made: MadePlan, path: string, flags: DrainFlags): Promise<void> {
  const { plan, basis, assumptions } = made;
  const { writePlanFile } = await import('../../state/plan/planText.ts');
  const { document } = planAnswer({ plan, basis, assumptions, dryRun: '', names: namesFor(flags) });
  if (await writePlanFile(path, jsonText(document), writeToStdout)) noteReplaced(path);
  if (path === '-') return;
  const { refused, drift } = reasonsAgainst(made);
  if (refused.length > 0 || drift.length > 0)
    return printNote(`The plan is in ${path}. It is refused, so it cannot be executed.`);
  const words = ['drain', '--plan', path, ...connectionWords(flags, connectionFlags)];
  printNote(`The plan is in ${path}. To execute it: ${commandLine(words)}`);
}

async function showPlan(
  { plan, basis, assumptions }: MadePlan,
  flags: DrainFlags,
  dryRun: DryRun,
  argv: readonly string[],
): Promise<void> {
  // a note shows how to carry out a saved plan
  const isTried = dryRun !== 'none' && flags.out === undefined;
  const begin = ['drain', ...withoutDryRun(argv)];
  // files cannot be drained, so their plan is printed in full
  const isWhole = flags.output !== undefined || flags.plan !== undefined || plan.workloads.length === 0;
  const inFull = isWhole ? undefined : ['drain', ...argv, '-o=wide'];
  const answer = planAnswer({
    plan,
    basis,
    assumptions,
    dryRun: dryRunSuffix[dryRun],
    names: namesFor(flags),
    next: !isTried ? undefined : flags.state?.length ? inFull : begin,
  });
  if (dryRun === 'none' && flags.output === 'json') void writeToStdout(`${documentLine(answer.document)}\n`);
  else await print(answer, flags, { below: 2 });
}

function namesFor({ plan }: DrainFlags): ViewNames {
  return plan === undefined ? flagNames : savedPlanNames;
}

/** The most changes to list; more do not help. */
const MAX_DRIFT = 20;

/** Whether the plan may be executed. Prints every reason against it on stderr. */
function mayBegin(made: MadePlan, flags: DrainFlags): boolean {
  const { output } = flags;
  const { refused, drift: changes } = reasonsAgainst(made);
  const drift = changes.map(planDriftText);
  if (drift.length > 0) printError('the plan is outdated; changes since then:');
  for (const text of drift.slice(0, MAX_DRIFT)) printNote(`  ${text}`);
  if (drift.length > MAX_DRIFT) printNote(`  and ${drift.length - MAX_DRIFT} more`);
  // the text of the plan names the flags itself, except with --no-headers
  const isSaid = (output === undefined || output === 'wide') && !flags['no-headers'];
  if (!isSaid) for (const refusal of refused) printError(refusalMessage(refusal, namesFor(flags)));
  const accepting = [...new Set(refused.map(({ risk }) => flagNames.accept[risk]))];
  if (isSaid && refused.length > 0)
    printError(
      `drain refused (see above). To proceed anyway: ${flags.plan === undefined ? accepting.join(' ') : planAgain(...accepting)}`,
    );
  else if (drift.length > 0) printNote(planAgain(...accepting));
  return drift.length === 0 && refused.length === 0;
}

async function rehearse(plan: DrainPlan, server: ApiServer, { world }: OpenedState): Promise<number> {
  const { rehearseDrain } = await import('../../operations/drain/rehearseDrain.ts');
  const interrupt = interruptible();
  let refused = 0;
  try {
    for await (const write of rehearseDrain(server, plan, world, interrupt.signal)) {
      if (write.refused !== undefined) refused++;
      void writeToStdout(printedLine(rehearsedText(write), textOutput()));
    }
  } finally {
    interrupt.done();
  }
  if (refused === 0) return EXIT_OK;
  printError(`the server would refuse ${refused === 1 ? '1 write' : `${refused} writes`}`);
  return EXIT_ANSWER_IS_FAILURE;
}

async function carryOut(
  { plan, basis, assumptions }: MadePlan,
  { server, configuration }: LiveState,
  flags: DrainFlags,
  { timeout, argv, signal }: { timeout: number; argv: string[]; signal: AbortSignal },
): Promise<number> {
  const { executeDrain } = await import('../../operations/drain/executeDrain.ts');
  const timeoutAssumed = unverified(assumptions).has(TIMEOUT);
  const reporter = await openReporter(reportForm(flags, process), plan, process, timeoutAssumed);
  signal.addEventListener('abort', () => reporter.stopping());
  const planned = flags.plan === undefined ? {} : { plan, basis };
  let begun = false;
  try {
    const result = await executeDrain(server, plan.options, {
      configuration,
      runner: runnerName(),
      ...planned,
      signal,
      wait: flags.wait ?? true,
      ...(timeout > 0 ? { timeout } : {}),
      onEvent(event) {
        begun = true;
        reporter.event(event);
      },
      onProgress: (progress) => reporter.progress(progress),
    });
    await reporter.close();
    reporter.result(result);
    if (result.outcome === 'done') return EXIT_OK;
    sayHowToResume(plan.options.clusters, flags, argv);
    return EXIT_NOT_FINISHED;
  } catch (error) {
    // close the view, so that the result appears below it
    await reporter.close();
    if (begun) sayHowToResume(plan.options.clusters, flags, argv);
    throw error;
  } finally {
    await reporter.close();
  }
}

/** Prints how to continue the drain, and how to cancel it. */
function sayHowToResume(clusters: string[], flags: DrainFlags, argv: string[]): void {
  const back = ['drain', ...clusters, '--cancel', ...connectionWords(flags, connectionFlags)];
  printNote(`To resume:   ${commandLine(['drain', ...withoutRecording(argv)])}`);
  printNote(`To undo:     ${commandLine(back)}`);
}

/** The recording file now exists, and continuing would be refused. */
function withoutRecording(argv: readonly string[]): string[] {
  return argv.filter((word, at) => !/^--record(?:=|$)/.test(word) && argv[at - 1] !== '--record');
}
