import type { GracefulEvictionTask, ResourceBinding, TargetCluster } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { timeoutOf } from '../eviction/evictionRule.ts';
import type { Evidence } from '../evidence.ts';
import { bindingIdentity, workloadIdentity } from '../explanation/identities.ts';
import { isStale } from '../explanation/readiness.ts';
import { enqueueDecision } from '../taints/taintManager.ts';
import { noExecuteTaints } from '../taints/noExecuteDecision.ts';
import type { ClusterSnapshot } from '../scheduling/clusterSnapshot.ts';
import { bindingState, leftBehind, type BindingState } from './bindingState.ts';
import { cordoned, drainMarkOf, drainTainted, hasDrainTaint, isCordoned } from './cordon.ts';
import type { DrainMark, DrainOptions } from './drainOptions.ts';
import { compareForDrain } from './drainOrder.ts';
import { bindingKey, clusterKey, isBehind, noteEvicted, type DrainPacer } from './drainPacer.ts';
import { clustersToLeave, drainSituation, type DrainSituation } from './drainSituation.ts';
import type { CurrentPace, DrainedWorkload, DrainPhase, DrainStep, DrainWrite } from './drainStep.ts';
import { evictedTogether, isDrainTask, releaseTasks } from './drainTasks.ts';
import type { DrainView } from './drainView.ts';
import { evictionCheck, type EvictionCheck } from './evictionCheck.ts';
import { replacementReady } from './replacementReady.ts';
import { selects } from './selects.ts';

/**
 * What a drain does now. Looks alone: the writes are the caller's, who calls `noteWritten` for each that was taken, and
 * asks again when anything changes or `lookAgainAt` has come. The pacer is only told what is found under way, to
 * report it gone later.
 *
 * All clusters are cordoned before anything is evicted. Then at each look: tasks whose replacement is seen ready are
 * released, and one binding at most is evicted, if the pace allows it and the scheduler would find a place for it
 * now. A binding that was seen gone and is on a drained cluster again is not evicted a second time in the same run:
 * somebody wants it there, or it tolerates the cordon, and the two would never end.
 *
 * @param now epoch milliseconds of the server's clock
 */
export function decideDrain(
  view: DrainView,
  options: DrainOptions,
  configuration: Configuration,
  pacer: DrainPacer,
  now: number,
): DrainStep {
  return lookAtDrain(view, options, configuration, pacer, now, 'all');
}

/** Which workloads a look is to report: all of the drain, those that the view shows, or none. */
export type Reported = 'all' | 'shown' | 'none';

/** A step, and whether it has found no place for any binding of the view although an eviction was due. */
export interface DrainLook extends DrainStep {
  nothingFits: boolean;
}

/**
 * `decideDrain` for who follows a drain binding by binding: the view may show a part of them. Evictions are in order
 * among those, and the limit of evictions in flight counts those.
 */
export function lookAtDrain(
  view: DrainView,
  options: DrainOptions,
  configuration: Configuration,
  pacer: DrainPacer,
  now: number,
  reported: Reported,
): DrainLook {
  const situation = drainSituation(view, options, configuration);
  const look: Look = {
    view,
    options,
    configuration,
    pacer,
    now,
    situation,
    pace: situation.pace,
    list: reported !== 'none',
    writes: [],
    workloads: [],
    waiting: [],
    inFlight: 0,
    stuck: 0,
    present: new Set(),
    lastEvictionAt: pacer.lastEvictionAt,
    lookAgainAt: undefined,
    open: false,
    nothingFits: false,
  };
  const stopped = somebodyInterferes(look);
  if (!stopped) look.writes.push(...dueCordons(look));
  const cordonsUnderWay = look.writes.length > 0 || isCordonUnseen(look);
  for (const binding of view.bindings)
    lookAtBinding(look, binding, stopped === undefined && !cordonsUnderWay);
  if (reported === 'all') reportGone(look);
  if (!stopped && !cordonsUnderWay && options.method === 'evict') evictNext(look);
  if (look.list) for (const candidate of look.waiting) reportWaiting(look, candidate);
  return {
    writes: stopped ? [] : look.writes,
    workloads: look.workloads,
    pace: look.pace,
    ...(look.lookAgainAt === undefined ? {} : { lookAgainAt: look.lookAgainAt }),
    finished: stopped !== undefined || (!cordonsUnderWay && look.writes.length === 0 && !look.open),
    ...(stopped ? { stopped } : {}),
    nothingFits: look.nothingFits,
  };
}

/** A look at everything, as it goes on. */
interface Look {
  readonly view: DrainView;
  readonly options: DrainOptions;
  readonly configuration: Configuration;
  readonly pacer: DrainPacer;
  readonly now: number;
  readonly situation: DrainSituation;
  readonly pace: CurrentPace;
  readonly list: boolean;
  readonly writes: DrainWrite[];
  readonly workloads: DrainedWorkload[];
  /** what may be evicted, as far as the binding itself goes */
  readonly waiting: Candidate[];
  /** evicted and not yet gone */
  inFlight: number;
  /** those of them that nothing in sight makes ready */
  stuck: number;
  /** keys of the bindings that have something on the drained clusters */
  readonly present: Set<string>;
  /** epoch milliseconds */
  lastEvictionAt: number | undefined;
  lookAgainAt: number | undefined;
  /** something is still to be done or waited for */
  open: boolean;
  nothingFits: boolean;
}

interface Candidate {
  binding: ResourceBinding;
  on: TargetCluster[];
  /** its task is there, but somebody has written its clusters as they were before */
  again: boolean;
  check?: EvictionCheck;
}

/** Why the drain must not go on: its clusters are not what it made of them. */
function somebodyInterferes({ situation, options, pacer }: Look): string | undefined {
  for (const name of options.clusters) {
    const cluster = situation.clusters.get(name);
    if (!cluster) return `there is no Cluster ${name} any more`;
    if (cluster.metadata.deletionTimestamp) return `Cluster ${name} is being deleted`;
    if (isBehind(pacer, clusterKey(name), cluster.metadata)) continue;
    const mark = isCordoned(cluster) ? drainMarkOf(cluster) : undefined;
    if (sameDrain(mark, options)) pacer.cordoned.add(name);
    else if (!mark && pacer.cordoned.has(name)) return `somebody has uncordoned Cluster ${name}`;
    if (options.method !== 'taint') continue;
    if (hasDrainTaint(cluster)) pacer.tainted.add(name);
    else if (pacer.tainted.has(name)) return `somebody has removed the drain's taint from Cluster ${name}`;
  }
  return undefined;
}

/**
 * Cordons, and with --method=taint the taints after all of them; none while one is written and not yet seen. A mark with
 * other options is written over: where that happens to a cluster that this run has marked, a rival is at work.
 */
function dueCordons({ situation, options, pacer, now }: Look): DrainWrite[] {
  const clusters = options.clusters.map((name) => situation.clusters.get(name)!);
  const cordons = clusters.flatMap((cluster): DrainWrite[] => {
    const known = drainMarkOf(cluster);
    if (isCordoned(cluster) && sameDrain(known, options)) return [];
    if (isBehind(pacer, clusterKey(cluster.metadata.name), cluster.metadata)) return [];
    const started = known?.started || rfc3339(now);
    const { selection, hold } = options;
    const after = cordoned(cluster, { started, clusters: options.clusters, selection, hold });
    return after === cluster ? [] : [{ type: 'cordon', cluster, after }];
  });
  if (cordons.length > 0 || options.method !== 'taint') return cordons;
  if (clusters.some(({ metadata }) => isBehind(pacer, clusterKey(metadata.name), metadata))) return [];
  return clusters.flatMap((cluster): DrainWrite[] => {
    const after = drainTainted(cluster);
    return after === cluster ? [] : [{ type: 'taint', cluster, after }];
  });
}

function sameDrain(mark: DrainMark | undefined, { clusters, selection, hold }: DrainOptions): boolean {
  return mark?.hold === hold && deepEqual(mark.clusters, clusters) && deepEqual(mark.selection, selection);
}

function isCordonUnseen({ situation, options, pacer }: Look): boolean {
  return options.clusters.some((name) => {
    const cluster = situation.clusters.get(name);
    return cluster !== undefined && isBehind(pacer, clusterKey(name), cluster.metadata);
  });
}

function lookAtBinding(look: Look, binding: ResourceBinding, mayWrite: boolean): void {
  const state = bindingState(binding, look.situation, look.view);
  if (!state) return;
  const { pacer } = look;
  const key = bindingKey(binding);
  if (state.type === 'again' || state.type === 'evicted') {
    noteEvicted(pacer, binding, leftBehind(state.tasks), true);
    for (const { creationTimestamp } of state.tasks) {
      const created = creationTimestamp ? instant(creationTimestamp) : undefined;
      // A stamp of the future is of a clock that is ahead: waiting for it would stop the drain.
      if (created !== undefined && created <= look.now)
        look.lastEvictionAt = Math.max(created, look.lastEvictionAt ?? created);
    }
  } else if (
    !pacer.evicted.has(key) &&
    !selects(look.options.selection, binding, look.view.templateOf(binding))
  )
    return;
  look.present.add(key);
  if (isBehind(pacer, key, binding.metadata)) {
    look.inFlight++;
    look.open = true;
    report(look, binding, 'scheduling', 'the write is not seen yet');
    return;
  }
  switch (state.type) {
    case 'there':
      return lookAtPresent(look, binding, state.on, false);
    case 'again':
      look.inFlight++;
      return lookAtPresent(look, binding, state.on, true);
    case 'evicted':
      return lookAtEvicted(look, binding, state, mayWrite);
    case 'foreign':
      return lookAtForeign(look, binding, state);
    case 'leaving':
    case 'deleted':
      return lookAtLeaving(look, binding, state);
  }
}

function lookAtPresent(look: Look, binding: ResourceBinding, on: TargetCluster[], again: boolean): void {
  const known = look.pacer.evicted.get(bindingKey(binding));
  const names = on.map(({ name }) => name).join(', ');
  if (known?.certain && (!again || known.evictions > 1)) {
    if (again) look.stuck++;
    return report(
      look,
      binding,
      again ? 'stuck' : 'skipped',
      `it was placed on ${names} again after the drain had evicted it: somebody wants it there, or it tolerates the cordon`,
    );
  }
  if (look.options.method === 'taint') return lookAtTainted(look, binding, on);
  look.waiting.push({ binding, on, again });
}

/** With --method=taint Karmada evicts by itself; what tolerates the taints stays. */
function lookAtTainted(look: Look, binding: ResourceBinding, on: TargetCluster[]): void {
  for (const { name } of on) {
    const taints = noExecuteTaints(look.situation.clusters.get(name)?.spec?.taints);
    const evidence: Evidence[] = [];
    const decision = enqueueDecision(taints, binding, look.now, evidence);
    if (taints.length > 0 && decision.kind === 'skip') {
      return report(look, binding, 'stays', `tolerates the taints of ${name}`, evidence);
    }
    look.open = true;
    if (decision.kind === 'after') {
      lookAgain(look, look.now + decision.milliseconds);
      const until = rfc3339(look.now + decision.milliseconds);
      return report(look, binding, 'queued', `tolerates the taints of ${name} until ${until}`, evidence);
    }
  }
  report(look, binding, 'queued', "Karmada's taint manager is to evict it");
}

function lookAtEvicted(
  look: Look,
  binding: ResourceBinding,
  { tasks }: BindingState & { type: 'again' | 'evicted' },
  mayWrite: boolean,
): void {
  const { now, options, configuration, situation, view } = look;
  look.inFlight++;
  const deadline = deadlineOf(tasks, configuration);
  const held = tasks.some(({ suppressDeletion }) => suppressDeletion === true);
  const readiness = replacementReady(binding, view.worksOf(binding), situation.clusters, view.hooks);
  const expired = deadline !== undefined && now > deadline;
  if (held && (readiness.ready || (options.accept.loss && expired))) {
    const clusters = readiness.ready
      ? (binding.spec.gracefulEvictionTasks ?? []).filter(isDrainTask).map(({ fromCluster }) => fromCluster)
      : acceptedLoss(look, binding, tasks);
    const after = releaseTasks(binding.spec, clusters);
    if (mayWrite) look.writes.push({ type: 'release', binding, after, clusters });
    look.open = true;
    const why = readiness.ready
      ? 'to be released'
      : `its time is over and --allow-loss was given: ${readiness.waitingFor}`;
    return report(look, binding, 'ready', why, readiness.evidence);
  }
  if (held && expired) {
    look.stuck++;
    return report(look, binding, 'stuck', readiness.waitingFor, readiness.evidence);
  }
  look.open = true;
  if (held) {
    if (deadline !== undefined) lookAgain(look, deadline + 1);
    return report(look, binding, readiness.phase, readiness.waitingFor, readiness.evidence);
  }
  const at = deadline === undefined ? '' : `, at the latest at ${rfc3339(deadline)}`;
  // What was held and is not any more was seen ready; the release itself is a change that the scheduler looks at.
  if (!readiness.ready && !options.hold)
    return report(
      look,
      binding,
      readiness.phase,
      `${readiness.waitingFor}; Karmada ends the task by itself${at}`,
      readiness.evidence,
    );
  report(look, binding, 'leaving', `Karmada is to end the task${at}`, readiness.evidence);
}

/** The clusters whose copies may go without a replacement: what another drain holds is not this one's to lose. */
function acceptedLoss(
  { situation: { others } }: Look,
  { spec }: ResourceBinding,
  tasks: readonly GracefulEvictionTask[],
): string[] {
  const own = tasks.map(({ fromCluster }) => fromCluster);
  return evictedTogether(spec, own, (name) => others.some(({ cluster }) => cluster === name));
}

/** The time after which Karmada would delete the old copies if they were not held; epoch milliseconds. */
function deadlineOf(
  tasks: readonly GracefulEvictionTask[],
  { controllerManager }: Configuration,
): number | undefined {
  let deadline: number | undefined;
  for (const task of tasks) {
    if (!task.creationTimestamp) return undefined;
    const clock = { now: 0, gracefulEvictionTimeout: controllerManager['graceful-eviction-timeout'] };
    deadline = Math.max(deadline ?? 0, instant(task.creationTimestamp) + timeoutOf(task, clock));
  }
  return deadline;
}

function lookAtForeign(
  look: Look,
  binding: ResourceBinding,
  { tasks }: BindingState & { type: 'foreign' },
): void {
  const holding = tasks.find(({ suppressDeletion }) => suppressDeletion === true);
  if (holding)
    return report(
      look,
      binding,
      'skipped',
      `${holding.producer} holds the copy on ${holding.fromCluster} by a task of its own`,
    );
  look.open = true;
  const producers = [...new Set(tasks.map(({ producer }) => producer))].join(', ');
  report(look, binding, 'leaving', `Karmada is to end the task of ${producers}`);
}

function lookAtLeaving(
  look: Look,
  binding: ResourceBinding,
  { type, clusters }: BindingState & { type: 'leaving' | 'deleted' },
): void {
  // What has no placement of its own goes where others go, and is none of those that leave.
  if (binding.spec.placement) {
    const from = clusters.map((name) => ({ name }));
    noteEvicted(look.pacer, binding, from, false);
  }
  look.open = true;
  const unreachable = clusters.filter((name) => isStale(look.situation.clusters.get(name)));
  // What only a cluster out of reach still has may take for ever, and keeps nothing else from leaving.
  if (unreachable.length < clusters.length) look.inFlight++;
  report(
    look,
    binding,
    'leaving',
    unreachable.length > 0
      ? `${unreachable.join(', ')} is not Ready: the old copy is removed once it is again`
      : type === 'deleted'
        ? 'the binding is being deleted'
        : `the Work for ${clusters.join(', ')} is being removed`,
  );
}

/** What was under way and is nowhere to be seen any more. */
function reportGone(look: Look): void {
  for (const [key, { binding, workload, from }] of look.pacer.evicted)
    if (!look.present.has(key))
      look.workloads.push({ binding, workload, phase: 'gone', from, to: [], evidence: [] });
}

/** Evicts the first binding in order that has a place to go to, if the pace allows an eviction now. */
function evictNext(look: Look): void {
  const { waiting, options, pace, now } = look;
  if (waiting.length === 0) return;
  // What has no place now may have one when the clusters are healthy.
  if (pace.mode === 'paused') look.open = true;
  const { maxConcurrent } = options.pace;
  const full = maxConcurrent !== undefined && look.inFlight >= maxConcurrent;
  const next =
    pace.rate <= 0
      ? Infinity
      : look.lastEvictionAt === undefined
        ? now
        : look.lastEvictionAt + 1000 / pace.rate;
  const queue = queueOf(look);
  for (let candidate = queue(); candidate; candidate = queue()) {
    const check = checked(look, candidate);
    if (check.verdict !== 'evict') {
      look.pacer.skipped.add(bindingKey(candidate.binding));
      continue;
    }
    // What is on its way already counts itself among those in flight.
    const mayGo = !full || candidate.again;
    const due = mayGo && now >= next;
    // Found before its turn: what has a place to go to keeps the drain going, unless nothing in flight moves.
    look.open ||= mayGo || look.stuck < look.inFlight;
    if (due)
      look.writes.push({
        type: 'evict',
        binding: candidate.binding,
        after: check.spec,
        clusters: check.clusters,
      });
    if (pace.rate > 0 && mayGo) lookAgain(look, due ? now + 1000 / pace.rate : next);
    return;
  }
  look.nothingFits = true;
}

/**
 * The candidates in order, one at each call; most looks need the first alone. First what is on its way already, then
 * what has not been tried, then what had no place to go to before.
 */
function queueOf({ waiting, situation: { own }, pacer }: Look): () => Candidate | undefined {
  const rank = ({ again, binding }: Candidate) =>
    again ? 0 : pacer.skipped.size > 0 && pacer.skipped.has(bindingKey(binding)) ? 2 : 1;
  const ranks = new Map(waiting.map((candidate) => [candidate, rank(candidate)]));
  const before = (a: Candidate, b: Candidate) =>
    ranks.get(a)! - ranks.get(b)! || compareForDrain(a.binding, b.binding, own);
  let first: Candidate | undefined = waiting[0];
  for (const candidate of waiting) if (before(candidate, first!) < 0) first = candidate;
  let rest: Candidate[] | undefined;
  let at = 0;
  return () => {
    if (first) {
      const found = first;
      first = undefined;
      return found;
    }
    rest ??= waiting.toSorted(before);
    return rest[++at];
  };
}

interface KnownCheck {
  snapshot: ClusterSnapshot;
  check: EvictionCheck;
}

const checks = new WeakMap<ResourceBinding, KnownCheck>();

/** The check on the newest state; made once as long as neither the binding changes nor what matters of a cluster. */
function checked(look: Look, candidate: Candidate): EvictionCheck {
  if (candidate.check) return candidate.check;
  const { situation, options, configuration, now, view } = look;
  const { binding } = candidate;
  // Other bindings decide too where they are kept together or apart.
  const lasting = !configuration.featureGates.WorkloadAffinity;
  const known = lasting ? checks.get(binding) : undefined;
  if (known?.snapshot === situation.snapshot) return (candidate.check = known.check);
  const leave = clustersToLeave(situation, binding, view);
  const check = evictionCheck({ binding, leave, situation, options, configuration, now });
  if (lasting) checks.set(binding, { snapshot: situation.snapshot, check });
  return (candidate.check = check);
}

function reportWaiting(look: Look, { binding, check, again }: Candidate): void {
  if (check && check.verdict !== 'evict') {
    const phase = check.verdict === 'stays' ? 'stays' : 'skipped';
    return report(look, binding, again ? 'stuck' : phase, check.reason, check.evidence);
  }
  report(look, binding, 'queued', undefined, check?.evidence ?? []);
}

function report(
  look: Look,
  binding: ResourceBinding,
  phase: DrainPhase,
  waitingFor?: string,
  evidence: Evidence[] = [],
): void {
  if (!look.list) return;
  const { own } = look.situation;
  const targets = binding.spec.clusters ?? [];
  const known = look.pacer.evicted.get(bindingKey(binding));
  const { apiVersion: _version, ...workload } = workloadIdentity(binding);
  look.workloads.push({
    binding: bindingIdentity(binding),
    workload,
    phase,
    ...(waitingFor ? { waitingFor } : {}),
    from: known?.from ?? targets.filter(({ name }) => own.has(name)),
    to: targets.filter(({ name }) => !own.has(name)),
    evidence,
  });
}

function lookAgain(look: Look, at: number): void {
  if (look.lookAgainAt === undefined || at < look.lookAgainAt) look.lookAgainAt = at;
}
