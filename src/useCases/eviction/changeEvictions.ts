import type { Evidence } from '../../karmada/evidence.ts';
import { evictionContext } from '../../analysis/evictionAction/actionEvents.ts';
import type {
  EvictionActionContext,
  EvictionActionName,
  EvictionActionResult,
} from '../../analysis/evictionAction/actionOutcome.ts';
import { worksOfBinding } from '../../karmada/objects/worksOfBinding.ts';
import type { World } from '../../karmada/world.ts';
import type { DatedBasis } from '../../karmada/configuration/assumptions.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import {
  changeEviction,
  planEviction,
  type ChangeEvictionOptions,
  type EvictionToChange,
} from '../../operations/eviction/changeEviction.ts';
import { LEADER_LEASES } from '../../state/live/stateKinds.ts';
import type { Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { type Selection, bindingNamed, selectedBindings } from '../selection/selection.ts';
import { assumedTimeout, TIMEOUT } from '../state/assumptions.ts';
import { openState, type OpenedState } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';

/** The kinds that decide an eviction, except Works: on a live control plane these are read for each workload. */
const KINDS = [
  'Cluster',
  'ResourceBinding',
  'ClusterResourceBinding',
  'ResourceInterpreterCustomization',
  'ResourceInterpreterWebhookConfiguration',
  LEADER_LEASES.kind,
];
/** The feature gates and flags that these answers depend on. */
const RELEVANT = new Set([
  'now',
  'karmadaVersion',
  TIMEOUT,
  'evict-plugins',
  'Failover',
  'enable-taint-manager',
  'enable-no-execute-taint-eviction',
]);

export interface EvictionChange {
  state: StateRequest;
  action: EvictionActionName;
  /** workloads or bindings, KIND/NAME; if empty, all in the selection that are being evicted from `from` */
  targets: readonly string[];
  selection: Selection;
  from?: string | undefined;
  /** the last ready copy may be deleted */
  allowLoss: boolean;
  dryRun: ChangeEvictionOptions['dryRun'];
  /** stops between two evictions */
  signal: AbortSignal;
}

interface ChangedEvictions extends DatedBasis {
  results: EvictionActionResult[];
  /** how many were requested; more than the results if the work was stopped */
  asked: number;
}

/**
 * Changes evictions that are in progress, one after the other, and reports each; one that is refused or fails does not
 * stop the others. Rejects with a Problem if the state lacks a requested object.
 */
export async function changeEvictions(
  change: EvictionChange,
  notify: (result: EvictionActionResult, circumstances: DatedBasis) => Promise<void>,
  ports: Ports,
): Promise<ChangedEvictions> {
  const { action, allowLoss, dryRun, signal, selection } = change;
  const { namespace } = selection;
  const state = await openState(change.state, ports, { kinds: kindsFor(change.state), live: { namespace } });
  const { world, karmadaVersion, server } = state;
  try {
    const questions = evictionsInQuestion(change, world);
    const context = contextOf(state, change.state, ports);
    const options: ChangeEvictionOptions = { allowLoss, dryRun, context, signal };
    const works = server ? undefined : worksOfBinding(world.works, world.bindings);
    const assumptions = state.assumptions.filter((one) => RELEVANT.has(one.name));
    const circumstances = () => ({ now: context().now, karmadaVersion, assumptions });
    const results: EvictionActionResult[] = [];
    for (const question of questions) {
      if (signal.aborted) break;
      const result = server
        ? await changeEviction(server, action, question, options)
        : planEviction(action, question, works?.(question.binding), options);
      results.push(result);
      await notify(result, circumstances());
    }
    warnOfAssumedTimeout(results, state, ports);
    return { results, asked: questions.length, ...circumstances() };
  } finally {
    server?.close();
  }
}

/** Labels are on the templates: from files all kinds are read, from a live control plane the templates. */
function kindsFor({ source, labels }: StateRequest): Set<string> | undefined {
  if (!('files' in source)) return new Set(KINDS);
  return labels ? undefined : new Set([...KINDS, 'Work']);
}

function evictionsInQuestion({ targets, selection, from }: EvictionChange, world: World): EvictionToChange[] {
  if (from !== undefined) refuseUnknownCluster(from, world);
  if (targets.length > 0) {
    const named = targets.map((target) => bindingNamed(target, world.bindings, selection.namespace));
    return [...new Set(named)].map((binding) => ({ binding, fromCluster: from ?? onlyCluster(binding) }));
  }
  return selectedBindings(world, selection)
    .filter((binding) => leaves(binding, from))
    .map((binding) => ({ binding, fromCluster: from }));
}

function leaves({ spec }: ResourceBinding, cluster: string | undefined): boolean {
  return (spec.gracefulEvictionTasks ?? []).some(({ fromCluster }) => fromCluster === cluster);
}

/** A deleted cluster may still be named in gracefulEvictionTasks. */
function refuseUnknownCluster(cluster: string, { clusters, bindings }: World): void {
  const known = clusters.map(({ metadata }) => metadata.name);
  if (known.includes(cluster) || bindings.some((binding) => leaves(binding, cluster))) return;
  throw new Problem({ code: 'unknown-cluster', input: 'from', cluster, known });
}

function onlyCluster({ metadata, spec }: ResourceBinding): string | undefined {
  const clusters = (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster);
  if (clusters.length > 1) throw new Problem({ code: 'many-evictions', binding: metadata.name, clusters });
  return clusters[0];
}

function contextOf(
  { world, configuration, assumptions, now, server }: OpenedState,
  { at }: StateRequest,
  { names }: Ports,
): () => Omit<EvictionActionContext, 'works'> {
  const timeout = assumedTimeout(assumptions, configuration, names);
  const lasting = {
    ...evictionContext(world, configuration, now),
    ...(timeout ? { timeoutAssumed: timeout.missing } : {}),
  };
  return () => ({ ...lasting, now: server && at === undefined ? server.now() : now });
}

/** Warns that deadlines depend on a flag that most installations never change, and that the API does not show. */
function warnOfAssumedTimeout(
  results: EvictionActionResult[],
  { assumptions, configuration }: OpenedState,
  { names, warn }: Ports,
): void {
  const timeout = assumedTimeout(assumptions, configuration, names);
  const counts = ({ missing }: Evidence) => missing === timeout?.missing;
  if (timeout && results.some(({ action }) => action.evidence.some(counts))) warn(timeout.warning);
}
