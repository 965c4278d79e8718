import type {
  EvictionActionName,
  EvictionActionResult,
} from '../../analysis/evictionAction/actionOutcome.ts';
import type { DatedBasis } from '../../karmada/configuration/assumptions.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { printError, printNote, printWarning } from '../../terminal/messages.ts';
import { changeEvictions } from '../../useCases/eviction/changeEvictions.ts';
import {
  evictionActionError,
  evictionActionList,
  evictionActionWarnings,
} from '../../views/eviction/evictionActionList.ts';
import { UserError } from '../errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_CONTROL_PLANE, EXIT_NOT_FINISHED, EXIT_OK } from '../exitCodes.ts';
import { ports } from '../ports.ts';
import { print } from '../print.ts';
import { selectionText, selectionFromFlags } from '../selection.ts';
import { clusterNamed, namedTargets } from '../targets.ts';
import { stateRequest } from '../stateRequest.ts';
import { withAcceptingFlag } from './acceptingFlag.ts';
import type { DryRun } from '../flags.ts';
import type { GivenFlags } from '../givenFlags.ts';
import type { riskyEvictionActionFlags } from './evictionActionFlags.ts';

export interface EvictionActionFlags extends GivenFlags<typeof riskyEvictionActionFlags> {
  'dry-run': DryRun;
}

/**
 * Acts on evictions in progress, and prints each result; refusals and failures go to stderr. Resolves with the exit
 * code.
 */
export async function actOnEvictions(
  action: EvictionActionName,
  words: string[],
  flags: EvictionActionFlags,
): Promise<number> {
  const targets = namedTargets(words);
  refuseUnclear(targets, flags);
  const { 'dry-run': dryRun, output } = flags;
  const from = flags.from === undefined ? undefined : clusterNamed(flags.from);
  const answer = (
    results: EvictionActionResult[],
    circumstances: DatedBasis,
    ended: EvictionActionResult[] = [],
  ) =>
    evictionActionList({ action, dryRun, results: results.map(withAcceptingFlag), ...circumstances, ended });
  const asDocument = output !== undefined && !['wide', 'name'].includes(output);
  const interrupt = interruptible();
  const change = {
    state: stateRequest(flags),
    action,
    targets,
    selection: selectionFromFlags(flags),
    from,
    allowLoss: flags['allow-loss'] ?? false,
    dryRun,
    signal: interrupt.signal,
  };
  const notify = async (result: EvictionActionResult, circumstances: DatedBasis) => {
    reportAside(withAcceptingFlag(result));
    if (!asDocument && !evictionActionError(result)) await print(answer([result], circumstances), flags);
  };
  const { results, asked, ...circumstances } = await changeEvictions(change, notify, ports).finally(() =>
    interrupt.done(),
  );
  if (asDocument) await print(answer(results, circumstances), flags);
  else if (asked === 0) {
    const about = selectionText([], flags);
    printNote(`No evictions from ${from} in flight${about && ` ${about}`}.`);
  } else if (results.some((one) => !evictionActionError(one)))
    await print(answer([], circumstances, results), flags);
  if (results.length < asked) {
    printNote(`Stopped after ${results.length} of ${asked} evictions; run the same command again to resume.`);
    return EXIT_NOT_FINISHED;
  }
  return exitCode(results);
}

/** Throws a UserError if the command line does not select evictions, or contradicts itself. */
function refuseUnclear(targets: string[], flags: EvictionActionFlags): void {
  const selectors = [
    ...(flags.all ? ['--all'] : []),
    ...(flags.selector === undefined ? [] : ['--selector']),
    ...(flags['field-selector'] === undefined ? [] : ['--field-selector']),
  ];
  const [selector] = selectors;
  if (selector === undefined) {
    if (targets.length === 0)
      throw new UserError(
        'name a workload, as in deployment/cart, or give --all --from CLUSTER for all that leave a cluster',
      );
  } else {
    if (targets.length > 0)
      throw new UserError(`${targets[0]} and ${selector} both choose workloads; give one of them`);
    if (flags.from === undefined) throw new UserError(`${selector} needs --from CLUSTER`);
    if (flags.namespace === undefined && !flags['all-namespaces'])
      throw new UserError(`${selector} needs a namespace; give -n NAMESPACE, or -A for all`);
  }
  if (flags.state?.length && flags['dry-run'] !== 'client')
    throw new UserError(
      '--state reads files, which this command cannot change; give --dry-run=client to see what it would do',
    );
  if (flags.at !== undefined && !flags.state?.length)
    throw new UserError('--at is for captured states (--state): a live control plane has its own clock');
}

function reportAside(result: EvictionActionResult): void {
  for (const warning of evictionActionWarnings(result)) printWarning(warning);
  const error = evictionActionError(result);
  if (error !== undefined) printError(error);
}

function exitCode(results: EvictionActionResult[]): number {
  const any = (...kinds: EvictionActionResult['result'][]) =>
    results.some(({ result }) => kinds.includes(result));
  if (any('failed')) return EXIT_CONTROL_PLANE;
  return any('refused', 'impossible') ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
}
