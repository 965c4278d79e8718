import { createHash } from 'node:crypto';
import { startAudit, type Audit, type AuditOptions, type RunningAudit } from '../../analysis/audit/audit.ts';
import type { AuditedCause } from '../../analysis/audit/auditedCauses.ts';
import type { KeptAudit } from '../../analysis/audit/earlierAudit.ts';
import {
  createTurns,
  endTurns,
  type Shard,
  type SharedAudit,
  takeSingle,
  takeTurn,
  type AuditThread,
  turnsDone,
  turnsIn,
} from '../../analysis/audit/auditPart.ts';
import type { TallyState } from '../../analysis/audit/tally.ts';
import {
  contingenciesToSimulate,
  eventsIn,
  type WorkloadEvents,
} from '../../analysis/audit/workloadEvents.ts';
import type { Cause } from '../../analysis/audit/causes.ts';
import { bestCures, type Cures } from '../../analysis/audit/cures.ts';
import { searchSafeTogether, type SafeSearch, type SafeTogether } from '../../analysis/audit/safeTogether.ts';
import { isUncovered } from '../../analysis/audit/trouble.ts';
import {
  contingenciesOf,
  type ContingencyTaint,
  type Contingency,
  type UsualContingency,
} from '../../analysis/audit/contingencies.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { unverified, type DatedBasis } from '../../karmada/configuration/assumptions.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import { type ResumableWorld, usualMembers } from '../../simulator/store/savedSimulation.ts';
import { EXPLAINED_TEMPLATES, helpfulChanges, MAX_REPLAYED } from '../explanation/explainFailover.ts';
import type { Ports } from '../ports.ts';
import type { RequestedEvent } from '../scenario/makeScenario.ts';
import { memberAssumptions } from '../scenario/runScenario.ts';
import { simulateFailover } from '../scenario/simulateFailover.ts';
import { selectedBindings, type Selection } from '../selection/selection.ts';
import { type KnownState, openStateToRead, type OpenedState } from '../state/openState.ts';
import type { StateRequest } from '../state/stateRequest.ts';
import type { DrainOptions } from '../../analysis/drain/drainOptions.ts';
import { planDrain } from '../../analysis/drain/plan/planDrain.ts';
import { failoverSwitch, type FailoverSwitch } from '../../analysis/explanation/failoverSwitch.ts';
import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { bindingKey, objectKey, workloadIdentity } from '../../karmada/objects/identities.ts';
import { entitledClusters } from '../../karmada/eviction/works.ts';
import { unknownPolicies, type World } from '../../karmada/world.ts';
import { labelValue } from '../../kubernetes/labelSelector.ts';
import { readDuration } from '../../kubernetes/time.ts';
import { Problem } from '../problem.ts';

/** The longest acceptable time with fewer ready replicas, in milliseconds. */
export interface RecoveryTargets {
  /** for workloads in namespaces without a target of their own; absent: none */
  all?: number | undefined;
  namespaces: ReadonlyMap<string, number>;
}

/** The contingencies and workloads to audit. */
export interface AuditRequest {
  state: StateRequest;
  selection: Selection;
  /** limits the audit to these kinds: each cluster, provider, region or zone; absent: all */
  only?: readonly UsualContingency[] | undefined;
  /** labels of Clusters whose values also form groups that fail together */
  groupBy: readonly string[];
  /** also every pair of clusters */
  pairs: boolean;
  /** clusters get this taint instead of failing */
  taint?: ContingencyTaint;
  targets: RecoveryTargets;
  /** a gate checks the targets: without any it could find nothing */
  needsTargets?: boolean | undefined;
  /** manifests and patches: the audit starts from the state after them, once Karmada has settled; absent: none */
  changes?: readonly RequestedChange[] | undefined;
  /** milliseconds until new replicas are ready; absent: the usual guess */
  readyAfter?: number | undefined;
  /** searches for clusters that can be drained together: at most `most`, each drained with these options */
  safeTogether?: { most: number; options: Omit<DrainOptions, 'clusters'> } | undefined;
  /** audits only these contingencies; another process merges the shards; absent: all */
  shard?: Shard | undefined;
  /** simulates nothing: returns the results of this state's shards, by its fingerprint and number of contingencies */
  merged?: ((fingerprint: string, total: number) => TallyState[]) | undefined;
  /** also returns the steps of workloads in trouble, as a report shows them */
  courses?: boolean;
  /** false: does not search for changes that would help */
  cures?: false;
  /** keeps the results of each contingency; those that a change since an earlier audit cannot affect are reused */
  keeps?: { earlier: KeptAudit | undefined } | undefined;
  /** starts threads that take part; absent: this thread works alone */
  threads?: ((shared: SharedAudit) => AuditThread[]) | undefined;
  /** stops the audit between two contingencies: the answer has the results so far */
  signal: AbortSignal;
  /** called once the state has been read: only then does the audit end early on `signal` */
  opened?: () => void;
}

type RequestedChange = Extract<RequestedEvent, { type: 'apply' | 'patch' }>;

export interface AuditedFailover extends DatedBasis {
  /** the files of the changes applied before the audit; absent: none */
  applied?: readonly string[];
  /** the taint that clusters got instead of failing, if requested */
  taint?: ContingencyTaint;
  audit: Audit;
  /** if requested; in a large world only for some contingencies */
  courses?: WorkloadEvents[];
  /** if requested */
  safeTogether?: SafeTogether;
  failover: FailoverSwitch;
  /** for the audit after the next change, if requested, unless the results change with time alone */
  kept?: KeptAudit | undefined;
  /** the results of this shard, if one was requested */
  part?: { shard: Shard; fingerprint: string; tally: TallyState; complete: boolean };
}

/**
 * What would be lost if any cluster, or group of clusters, failed. Rejects with a Problem if the state cannot be
 * read, or no workload matches the label selector.
 */
export async function auditFailover(request: AuditRequest, ports: Ports): Promise<AuditedFailover> {
  const { selection, changes = [] } = request;
  const state =
    changes.length === 0
      ? await openStateToRead(request.state, ports, { live: { templates: EXPLAINED_TEMPLATES } })
      : await changedState(request, changes, ports);
  request.opened?.();
  // a gate over no workloads would always pass
  if (selection.labels !== undefined && selectedBindings(state.world, selection).length === 0)
    throw new Problem({ code: 'no-labels' });
  const audited = await auditState(state, request, ports);
  return changes.length === 0
    ? audited
    : { ...audited, applied: [...new Set(changes.map(({ file }) => file))] };
}

/** The state after the changes. Also rejects with a Problem if Karmada refuses one. */
async function changedState(
  { state: asked, readyAfter }: AuditRequest,
  events: readonly RequestedChange[],
  ports: Ports,
): Promise<OpenedState> {
  let changed: OpenedState | undefined;
  const { simulation, state } = await simulateFailover(
    {
      state: asked,
      scenario: { events, readyAfter },
      selection: {},
      save(opened, world, now) {
        changed = { ...opened, world, now };
        return Promise.resolve();
      },
    },
    ports,
  );
  if (!simulation.atRest)
    ports.warn('the simulation of the changes still changes at its end; the audit starts from that state');
  return changed ?? state;
}

/** `auditFailover` for a state that has already been read. */
export async function auditState(
  state: KnownState,
  request: Omit<AuditRequest, 'state'>,
  ports: Ports,
): Promise<AuditedFailover> {
  const { world, now, configuration, karmadaVersion, assumptions, proven } = state;
  const guessed = unverified(assumptions);
  const { readyAfter } = request;
  const members = usualMembers(world, readyAfter);
  const bindings = selectedBindings(world, request.selection);
  const when = { start: now, members };
  for (const label of request.groupBy)
    if (!world.clusters.some(({ metadata }) => labelValue(metadata.labels, label)))
      ports.warn(`no cluster has the label "${label}": no clusters to group`);
  const targetOf = targetsIn(world, request.targets, ports);
  const targets = new Map(bindings.map((binding) => [binding, targetOf(binding)]));
  const hasTarget = (one: ResourceBinding) =>
    entitledClusters(one.spec, configuration.rules).size > 0 && targets.get(one) !== undefined;
  if (request.needsTargets && !bindings.some(hasTarget))
    throw new Problem({ code: 'no-targets', annotation: TARGET_ANNOTATION });
  const options = {
    contingencies: contingenciesOf(world.clusters, request),
    ...(request.taint && { taint: request.taint }),
    unverified: guessed,
    otherOrders: OTHER_ORDERS,
    keeps: request.keeps !== undefined,
  };
  const { earlier } = request.keeps ?? {};
  // meanwhile, the threads copy and index the world
  const shared = { world, bindings, when, configuration, options };
  const early = earlier ? undefined : threadsBeside(shared, request);
  const running = startAudit(world, bindings, when, configuration, {
    ...options,
    earlier,
    targetOf: (binding) => targets.get(binding),
  });
  const { shard, merged } = request;
  const fingerprint =
    shard || merged
      ? fingerprintOf(world, [bindings.map(bindingKey), when, options.contingencies, request.taint, guessed])
      : '';
  if (merged) for (const part of merged(fingerprint, running.total)) running.tally.merge(part);
  const isAnew = earlier && running.taken === 0;
  await simulated(running, isAnew ? threadsBeside(shared, request) : early, request, ports);
  const audit = running.result();
  const safe = request.safeTogether && safeSearch(request.safeTogether, state, members);
  if (safe) await finished(safe, request.signal, ports, 'planning drains');
  const courses = request.courses && (await coursesOf(audit, state, when, request, ports));
  const failover = failoverSwitch(
    world.clusters,
    world.taintPolicies,
    configuration,
    guessed,
    unknownPolicies(world, configuration.rules),
    ports.names,
    world.bindings,
    proven,
  );
  const part = shard && {
    shard,
    fingerprint,
    tally: running.tally.state(),
    complete: audit.contingencies.length === turnsIn(running.total, shard),
  };
  return {
    ...(part && { part }),
    ...(request.taint && { taint: request.taint }),
    kept: running.kept(),
    audit:
      request.cures === false || part ? audit : { ...audit, causes: withCures(audit, state, request, ports) },
    ...(safe && { safeTogether: safe.result() }),
    ...(courses && { courses }),
    failover,
    now,
    karmadaVersion,
    assumptions: [
      ...assumptions,
      ...memberAssumptions({ members }, readyAfter !== undefined, world, ports.names),
    ],
  };
}

/** The steps of workloads in trouble, or of those simulated before the signal. */
async function coursesOf(
  audit: Audit,
  { world, configuration, assumptions }: KnownState,
  when: Pick<Scenario, 'start' | 'members'>,
  { taint, signal }: Omit<AuditRequest, 'state'>,
  ports: Ports,
): Promise<WorkloadEvents[]> {
  const courses: WorkloadEvents[] = [];
  const wanted = contingenciesToSimulate(audit, world.bindings.length);
  const options = { ...(taint && { taint }), unverified: unverified(assumptions) };
  const step = () => {
    const contingency = wanted.shift();
    if (!contingency) return false;
    const known = courses.length;
    courses.push(...eventsIn(contingency, audit, world, when, configuration, { ...options, known }));
    return true;
  };
  await finished({ total: wanted.length, step }, signal, ports, 'tracing workloads in trouble');
  return courses;
}

/** Changes are searched for this many causes: each search takes a few simulations with all bindings. */
const MAX_CURED = 5;

/** The causes; the first ones with changes that would help one of their workloads. */
function withCures(
  { causes, workloads, contingencies }: Audit,
  state: KnownState,
  { readyAfter, signal, taint }: Omit<AuditRequest, 'state'>,
  ports: Ports,
): AuditedCause[] {
  // only for failures, and only in a world small enough to simulate each change
  if (taint || state.world.bindings.length > MAX_REPLAYED) return causes;
  return causes.map((cause, at) => {
    if (at >= MAX_CURED || signal.aborted || !isUncovered(cause.trouble)) return cause;
    const worst = workloads.find((one) => one.worst && isSameCause(one.worst.cause, cause));
    if (!worst) return cause;
    const { workload, clusters } = worst;
    let cures: Cures | undefined;
    for (const { name, clusters: failing } of widestFirst(worst, contingencies)) {
      const helpful = helpfulChanges(workload, failing, state, ports, readyAfter);
      cures = { workload, contingency: name, changes: bestCures(helpful, clusters) };
      if (helpful.length > 0) break;
    }
    return cures ? { ...cause, cures } : cause;
  });
}

/** The worst contingencies for a workload, widest first: what helps against the widest also helps within it. */
function widestFirst(
  { worst, troubles }: Audit['workloads'][number],
  contingencies: Audit['contingencies'],
): Contingency[] {
  const asBad = new Set(
    troubles.flatMap(({ contingency, trouble }) => (trouble === worst?.trouble ? [contingency] : [])),
  );
  const failing = contingencies.filter(({ name, kind }) => asBad.has(name) && kind !== 'pair');
  const widest = failing.reduce<Contingency | undefined>(
    (most, one) => (most && most.clusters.length >= one.clusters.length ? most : one),
    undefined,
  );
  const first = contingencies.find(({ name }) => name === worst?.contingency);
  return [...new Set([widest, first])].filter((one) => one !== undefined);
}

function isSameCause(a: Cause, b: Cause): boolean {
  return a.code === b.code && a.detail === b.detail;
}

function safeSearch(
  { most, options }: NonNullable<AuditRequest['safeTogether']>,
  { world, now, configuration, karmadaVersion, assumptions }: KnownState,
  members: MemberAssumptions,
): SafeSearch {
  const up = world.clusters.filter((cluster) => isReady(cluster) && !cluster.metadata.deletionTimestamp);
  return searchSafeTogether(up.map(({ metadata }) => metadata.name).sort(), most, (clusters) =>
    planDrain(world, { ...options, clusters: [...clusters] }, configuration, now, {
      karmadaVersion,
      unverified: unverified(assumptions),
      members,
      otherOrders: OTHER_ORDERS,
    }),
  );
}

/** Identifies an audit: all of its shards have the same fingerprint. */
function fingerprintOf(
  { simulation, unread, readAt, ...lists }: ResumableWorld,
  asked: readonly unknown[],
): string {
  const hash = createHash('sha256');
  for (const [list, objects] of Object.entries(lists))
    for (const object of objects) hash.update(`${list} ${JSON.stringify(object)}\n`);
  const others = [simulation, unread, readAt, ...asked];
  return hash
    .update(JSON.stringify(others, (_, value: unknown) => (value instanceof Set ? [...value] : value)))
    .digest('hex');
}

/** With fewer workloads or contingencies, starting another thread takes longer than it saves. */
const WORTH_THREADS = { bindings: 500, contingencies: 8 };

/** Other threads that take part, and the counters that hand out contingencies. */
interface ThreadsBeside {
  turns: Int32Array;
  threads: readonly AuditThread[];
}

/** Starts the requested threads; undefined if this thread is faster alone. */
function threadsBeside(
  job: Omit<SharedAudit, 'turns'>,
  { threads, shard, merged }: Omit<AuditRequest, 'state'>,
): ThreadsBeside | undefined {
  const contingencies = turnsIn(job.options.contingencies.length, shard);
  const isSmall = job.bindings.length < WORTH_THREADS.bindings || contingencies < WORTH_THREADS.contingencies;
  if (!threads || merged || isSmall) return undefined;
  const turns = createTurns(shard);
  return { turns, threads: threads({ ...job, turns }) };
}

/** Simulates all contingencies, or as many as it can before the signal. */
async function simulated(
  running: RunningAudit,
  beside: ThreadsBeside | undefined,
  { signal, shard }: Omit<AuditRequest, 'state'>,
  ports: Ports,
): Promise<void> {
  const doing = 'simulating contingencies';
  const { tally } = running;
  const total = turnsIn(running.total, shard);
  if (beside) {
    const { turns, threads } = beside;
    const done = () => turnsDone(turns);
    const taken = async (take: typeof takeTurn) => {
      await finished({ total, step: () => take(running, turns), done }, signal, ports, doing);
      if (signal.aborted) endTurns(turns, running);
    };
    if (running.screened) {
      await taken(takeSingle);
      const { known } = running.screened;
      for (const found of await Promise.all(threads.map(({ singles }) => singles)))
        for (const [cluster, one] of found ?? []) known.set(cluster, one);
      for (const thread of threads) thread.goOn([...known]);
    }
    await taken(takeTurn);
    for (const part of await Promise.all(threads.map(({ part }) => part))) if (part) tally.merge(part);
  }
  // all of them, or those left by a thread that ended
  await finished({ total, step: () => running.step(shard) }, signal, ports, doing);
}

/** Takes all steps, or as many as it can before the signal. */
async function finished(
  { total, step, done }: { total?: number; step(): boolean; done?: () => number },
  signal: AbortSignal,
  ports: Ports,
  doing: string,
): Promise<void> {
  const progress = ports.startProgress();
  for (let steps = 1; !signal.aborted && step(); steps++) {
    progress.report(doing, ...(total === undefined ? [] : [done?.() ?? steps, total]));
    // signals only arrive between two steps
    await new Promise((resolve) => setImmediate(resolve));
  }
  progress.done();
}

/** Sets the target of one workload, as a duration; an annotation of the workload or its binding. */
const TARGET_ANNOTATION = 'karmada-failover/rto';

/** The target of each workload in seconds: from its annotation, else its namespace, else the default for all. */
function targetsIn(
  { others }: World,
  { all, namespaces }: RecoveryTargets,
  ports: Ports,
): NonNullable<AuditOptions['targetOf']> {
  const annotated = new Map<string, string>();
  for (const { kind, metadata } of others) {
    const text = metadata.annotations?.[TARGET_ANNOTATION];
    if (text !== undefined) annotated.set(objectKey({ kind, ...metadata }), text);
  }
  return (binding) => {
    const workload = workloadIdentity(binding);
    const text = annotated.get(objectKey(workload)) ?? binding.metadata.annotations?.[TARGET_ANNOTATION];
    const parsed = text === undefined ? undefined : readDuration(text);
    const own = parsed !== undefined && parsed >= 0 ? parsed : undefined;
    if (text !== undefined && own === undefined)
      ports.warn(
        `${workload.kind} ${workload.name}: annotation ${TARGET_ANNOTATION} "${text}" is not a duration such as 90s or 5m; it is ignored`,
      );
    const milliseconds = own ?? namespaces.get(workload.namespace ?? '') ?? all;
    return milliseconds === undefined ? undefined : milliseconds / 1000;
  };
}
