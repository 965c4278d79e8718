import type { EvictionActionName } from '../../engine/evictionAction/actionOutcome.ts';
import type { EvictionActionResult } from '../../engine/evictionAction/evictionActionResult.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { sayError, sayNote, sayWarning } from '../../terminal/messages.ts';
import { changeEvictions, type Circumstances } from '../../useCases/eviction/changeEvictions.ts';
import {
  evictionActionError,
  evictionActionList,
  evictionActionWarnings,
} from '../../views/evictionActionList.ts';
import { UserError } from '../errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_CONTROL_PLANE, EXIT_NOT_FINISHED, EXIT_OK } from '../exitCodes.ts';
import { ports } from '../ports.ts';
import { print } from '../print.ts';
import { askedAbout, selectionFromFlags } from '../selection.ts';
import { clusterNamed } from '../subject.ts';
import { namedTargets } from '../targets.ts';
import { stateRequest } from '../stateRequest.ts';
import type { EvictionActionFlags } from './evictionActionFlags.ts';

/**
 * Does something with evictions that are under way and prints what came of each; what is refused or fails is told on stderr.
 * Resolves with the exit code.
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
  const answer = (results: EvictionActionResult[], circumstances: Circumstances) =>
    evictionActionList({ action, dryRun, results: results.map(withFlag), ...circumstances });
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
  const tell = async (result: EvictionActionResult, circumstances: Circumstances) => {
    tellAside(withFlag(result));
    if (!asDocument && !evictionActionError(result)) await print(answer([result], circumstances), flags);
  };
  const { results, asked, ...circumstances } = await changeEvictions(change, tell, ports).finally(() =>
    interrupt.done(),
  );
  if (asDocument) await print(answer(results, circumstances), flags);
  else if (asked === 0) {
    const about = askedAbout([], flags);
    sayNote(`No evictions from ${from} in flight${about && ` ${about}`}.`);
  }
  if (results.length < asked) {
    sayNote(`Stopped after ${results.length} of ${asked} evictions; run the same command again to go on.`);
    return EXIT_NOT_FINISHED;
  }
  return exitCode(results);
}

/** Throws a UserError where the command line does not say which evictions are meant, or cannot be meant so. */
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
        'name a workload, as in deployment/cart, or all that leave a cluster: --all --from CLUSTER',
      );
  } else {
    if (targets.length > 0)
      throw new UserError(`either ${targets[0]} or ${selector} says which workloads are meant, not both`);
    if (flags.from === undefined) throw new UserError(`${selector} needs --from CLUSTER`);
    if (flags.namespace === undefined && !flags['all-namespaces'])
      throw new UserError(`${selector}: say in which namespace with -n NAMESPACE, or -A for all`);
  }
  if (flags.state?.length && flags['dry-run'] !== 'client')
    throw new UserError(
      '--state reads files, in which nothing can be changed; see what would come of it with --dry-run=client',
    );
  if (flags.at !== undefined && !flags.state?.length)
    throw new UserError('--at is for captured states (--state): a live control plane has its own clock');
}

/** With the flag that accepts what was refused. */
function withFlag(given: EvictionActionResult): EvictionActionResult {
  return given.result === 'refused'
    ? { ...given, message: `${given.message}; --allow-loss accepts that` }
    : given;
}

function tellAside(result: EvictionActionResult): void {
  for (const warning of evictionActionWarnings(result)) sayWarning(warning);
  const error = evictionActionError(result);
  if (error !== undefined) sayError(error);
}

function exitCode(results: EvictionActionResult[]): number {
  const any = (...kinds: EvictionActionResult['result'][]) =>
    results.some(({ result }) => kinds.includes(result));
  if (any('failed')) return EXIT_CONTROL_PLANE;
  return any('refused', 'impossible') ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
}
