import * as Flags from '@oclif/core/flags';
import type { Evidence } from '../../engine/evidence.ts';
import type { EvictionActionContext, EvictionActionName } from '../../engine/evictionAction/actionOutcome.ts';
import type { EvictionActionResult } from '../../engine/evictionAction/evictionActionResult.ts';
import { worksOfBinding } from '../../engine/objects/worksOfBinding.ts';
import { schedulerSnapshot } from '../../engine/scheduling/schedulerSnapshot.ts';
import { declaredHooks } from '../../engine/status/healthInterpreter.ts';
import type { World } from '../../engine/world.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import {
  changeEviction,
  planEviction,
  type ChangeEvictionOptions,
  type EvictionInQuestion,
} from '../../operations/eviction/changeEviction.ts';
import {
  evictionActionError,
  evictionActionList,
  evictionActionWarnings,
  type DryRun,
} from '../../views/evictionActionList.ts';
import { nearMatches } from '../../views/nearMatches.ts';
import { dryRunFlag } from '../../cli/dryRun.ts';
import { assumedTimeout, TIMEOUT } from '../state/assumedTimeout.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';
import {
  EXIT_ANSWER_IS_FAILURE,
  EXIT_CONTROL_PLANE,
  EXIT_NOT_FINISHED,
  EXIT_OK,
} from '../../cli/exitCodes.ts';
import { outputFlags, selectionFlags, stateFlags } from '../../cli/flags.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { print, type PrintFlags } from '../../cli/print.ts';
import { askedAbout, selectedBindings, type SelectionFlags } from '../selection/selection.ts';
import { openState, type OpenedState, type StateFlags } from '../state/openState.ts';
import { bindingNamed } from '../selection/target.ts';
import { sayError, sayNote, sayWarning } from '../../terminal/messages.ts';

const targetFlags = {
  from: Flags.string({
    summary: 'the cluster that is being left; not needed where a workload leaves only one',
    helpValue: 'CLUSTER',
  }),
  all: Flags.boolean({ summary: 'every workload that is being evicted from --from CLUSTER' }),
  ...selectionFlags,
  'all-namespaces': Flags.boolean({
    char: 'A',
    summary: 'with --all or a selector: in all namespaces',
  }),
};
const generalFlags = {
  'dry-run': dryRunFlag(
    'write nothing: say what would come of it (client), and ask the API server, too (server)',
  ),
  output: outputFlags.output,
  ...stateFlags,
};

/** The flags of what can never lose a copy. */
export const evictionActionFlags = { ...targetFlags, ...generalFlags };

/** Those of what can. */
export const riskyEvictionActionFlags = {
  ...targetFlags,
  'allow-loss': Flags.boolean({ summary: 'go on even if no ready copy may be left' }),
  ...generalFlags,
};

export interface EvictionActionFlags extends StateFlags, SelectionFlags, PrintFlags {
  from?: string | undefined;
  all?: boolean | undefined;
  'all-namespaces'?: boolean | undefined;
  'allow-loss'?: boolean | undefined;
  'dry-run': DryRun;
}

/** All that judging an eviction looks at, besides Works: of a live control plane those of each workload are read. */
const KINDS = [
  'Cluster',
  'ResourceBinding',
  'ClusterResourceBinding',
  'ResourceInterpreterCustomization',
  'ResourceInterpreterWebhookConfiguration',
];
/** The gates and flags that these answers rest on. */
const RELEVANT = new Set([
  'now',
  'karmadaVersion',
  TIMEOUT,
  'Failover',
  'enable-taint-manager',
  'enable-no-execute-taint-eviction',
]);

/**
 * Does something with evictions that are under way, one after the other, and tells of each; what is refused or fails
 * is told on stderr and keeps none of the others. Resolves with the exit code.
 */
export async function actOnEvictions(
  name: EvictionActionName,
  targets: string[],
  flags: EvictionActionFlags,
): Promise<number> {
  refuseUnclear(targets, flags);
  const { namespace } = flags;
  const state = await openState(flags, kindsFor(flags), undefined, { namespace });
  const { world, karmadaVersion, assumptions, server } = state;
  const questions = evictionsInQuestion(targets, world, flags);
  const interrupt = interruptible();
  const options: ChangeEvictionOptions = {
    allowLoss: flags['allow-loss'] ?? false,
    dryRun: flags['dry-run'],
    context: contextOf(state, flags),
    signal: interrupt.signal,
  };
  const works = server ? undefined : worksOfBinding(world.works, world.bindings);
  const answer = (results: EvictionActionResult[]) =>
    evictionActionList({
      action: name,
      dryRun: options.dryRun,
      results,
      now: options.context().now,
      karmadaVersion,
      assumptions: assumptions.filter((one) => RELEVANT.has(one.name)),
    });
  const asDocument = flags.output !== undefined && !['wide', 'name'].includes(flags.output);
  const results: EvictionActionResult[] = [];
  try {
    for (const question of questions) {
      if (interrupt.signal.aborted) break;
      const result = server
        ? await changeEviction(server, name, question, options)
        : planEviction(name, question, works?.(question.binding), options);
      results.push(result);
      tellAside(result);
      if (!asDocument && !evictionActionError(result)) await print(answer([result]), flags);
    }
  } finally {
    interrupt.done();
    server?.close();
  }
  if (asDocument) await print(answer(results), flags);
  else if (questions.length === 0) {
    const asked = askedAbout(undefined, flags);
    sayNote(`No evictions from ${flags.from} in flight${asked && ` ${asked}`}.`);
  }
  tellAssumedTimeout(results, state);
  if (results.length < questions.length) {
    sayNote(
      `Stopped after ${results.length} of ${questions.length} evictions; run the same command again to go on.`,
    );
    return EXIT_NOT_FINISHED;
  }
  return exitCode(results);
}

/** Of files, labels come with all kinds of templates; of a live control plane they are asked for. */
function kindsFor({ state, selector }: EvictionActionFlags): Set<string> | undefined {
  if (!state?.length) return new Set(KINDS);
  return selector === undefined ? new Set([...KINDS, 'Work']) : undefined;
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

function evictionsInQuestion(
  targets: string[],
  world: World,
  flags: EvictionActionFlags,
): EvictionInQuestion[] {
  const { from } = flags;
  if (from !== undefined) refuseUnknownCluster(from, world);
  if (targets.length > 0) {
    const bindings = new Set(targets.map((target) => bindingNamed(target, world.bindings, flags.namespace)));
    return [...bindings].map((binding) => ({ binding, fromCluster: from ?? onlyCluster(binding) }));
  }
  return selectedBindings(world, flags)
    .filter((binding) => leaves(binding, from))
    .map((binding) => ({ binding, fromCluster: from }));
}

function leaves({ spec }: ResourceBinding, cluster: string | undefined): boolean {
  return (spec.gracefulEvictionTasks ?? []).some(({ fromCluster }) => fromCluster === cluster);
}

/** A cluster that was deleted may still be in tasks. */
function refuseUnknownCluster(name: string, { clusters, bindings }: World): void {
  const names = clusters.map(({ metadata }) => metadata.name);
  if (names.includes(name) || bindings.some((binding) => leaves(binding, name))) return;
  const known = names.length > 0 ? `there are ${names.slice(0, 10).join(', ')}` : 'there are no clusters';
  throw new UserError(
    withSuggestion(`--from: there is no cluster "${name}"`, nearMatches(name, names), known),
  );
}

function onlyCluster({ metadata, spec }: ResourceBinding): string | undefined {
  const clusters = (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster);
  if (clusters.length > 1)
    throw new UserError(
      `${metadata.name} is being evicted from ${clusters.join(' and ')}; say which with --from`,
    );
  return clusters[0];
}

function contextOf(
  { world, configuration, assumptions, now, server }: OpenedState,
  { at }: EvictionActionFlags,
): () => Omit<EvictionActionContext, 'works'> {
  const timeout = assumedTimeout(assumptions, configuration);
  const snapshot = schedulerSnapshot(world.clusters, world.bindings, configuration);
  const lasting = {
    configuration,
    snapshot,
    clusters: new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster])),
    hooks: declaredHooks(world.others, configuration.rules),
    ...(timeout ? { timeoutAssumed: timeout.missing } : {}),
  };
  return () => ({ ...lasting, now: server && at === undefined ? server.now() : now });
}

function tellAside(result: EvictionActionResult): void {
  for (const warning of evictionActionWarnings(result)) sayWarning(warning);
  const error = evictionActionError(result);
  if (error !== undefined) sayError(error);
}

/** Deadlines rest on a flag that most installations never change, and that cannot be seen from here. */
function tellAssumedTimeout(
  results: EvictionActionResult[],
  { assumptions, configuration }: OpenedState,
): void {
  const timeout = assumedTimeout(assumptions, configuration);
  const counts = ({ missing }: Evidence) => missing === timeout?.missing;
  if (timeout && results.some(({ action }) => action.evidence.some(counts))) sayWarning(timeout.warning);
}

function exitCode(results: EvictionActionResult[]): number {
  const any = (...kinds: EvictionActionResult['result'][]) =>
    results.some(({ result }) => kinds.includes(result));
  if (any('failed')) return EXIT_CONTROL_PLANE;
  return any('refused', 'impossible') ? EXIT_ANSWER_IS_FAILURE : EXIT_OK;
}
