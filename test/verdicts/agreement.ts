import { planDrain } from '../../src/analysis/drain/plan/planDrain.ts';
import type { PlannedWorkload } from '../../src/analysis/drain/plan/drainPlan.ts';
import {
  type EvictionTaskExplanation,
  explainEvictionTasks,
} from '../../src/analysis/explanation/tasks/evictionTask.ts';
import { explainWorkload } from '../../src/analysis/explanation/workloadExplanation.ts';
import { reconstructedHistory } from '../../src/analysis/history/reconstructedHistory.ts';
import { emptyFeed, withNews } from '../../src/analysis/overview/feed.ts';
import { startAudit, type Audit } from '../../src/analysis/audit/audit.ts';
import { compareTroubles, isUncovered, troubleOf, TROUBLES } from '../../src/analysis/audit/trouble.ts';
import { auditMetrics } from '../../src/useCases/exporter/auditMetrics.ts';
import { tasksOf } from '../../src/useCases/exporter/followAudit.ts';
import { contingenciesOf } from '../../src/analysis/audit/contingencies.ts';
import { failoverStatus } from '../../src/analysis/explanation/failoverStatus.ts';
import { createWorkloadSummaries } from '../../src/analysis/explanation/workloadNow.ts';
import { overviewOf } from '../../src/analysis/overview/overview.ts';
import type { ObjectIdentity } from '../../src/karmada/api/meta.ts';
import { survivalWords, worstWords } from '../../src/views/audit/auditAnswer.ts';
import { conditionWords } from '../../src/views/dashboard/headline.ts';
import { evictionTaskList } from '../../src/views/eviction/evictionTaskList.ts';
import { timelineAnswer } from '../../src/views/timeline/timelineAnswer.ts';
import { needsSimulation, simulatedTasks } from '../../src/analysis/explanation/tasks/simulatedTasks.ts';
import { entitledClusters } from '../../src/karmada/eviction/works.ts';
import { bindingIdentity, objectKey, workloadOf } from '../../src/karmada/objects/identities.ts';
import type { MemberAssumptions } from '../../src/karmada/members/memberAssumptions.ts';
import type { ScenarioEvent } from '../../src/simulator/scenario.ts';
import {
  forecastEachCluster,
  forecastLosses,
  type ForecastOfBinding,
} from '../../src/analysis/forecast/losses.ts';
import { compareSides, type ComparedSide } from '../../src/simulator/comparison/compareSides.ts';
import type { ComparedWorkload } from '../../src/simulator/comparison/differences.ts';
import { simulate } from '../../src/simulator/simulation/simulate.ts';
import type { ResumableWorld } from '../../src/simulator/store/savedSimulation.ts';
import type { Outcome, WorkloadOutcome } from '../../src/simulator/verdicts/outcome.ts';
import { evictsByTaints } from '../../src/karmada/configuration/taintEviction.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { resolveConfiguration } from '../../src/karmada/configuration/resolveConfiguration.ts';
import type { Configuration } from '../../src/karmada/configuration/configuration.ts';
import type { ResourceBinding, TargetCluster } from '../../src/karmada/api/work.ts';
import { deepEqual } from '../../src/kubernetes/deepEqual.ts';
import { rfc3339, rfc3339Milliseconds } from '../../src/kubernetes/time.ts';
import { unverified } from '../../src/karmada/configuration/assumptions.ts';
import { usualMembers } from '../../src/simulator/store/savedSimulation.ts';
import { OTHER_ORDERS } from '../../src/simulator/simulation/otherOrders.ts';
import type { FailoverVerdict } from '../../src/analysis/explanation/failoverVerdict.ts';
import { explainIn } from '../../src/useCases/explanation/explainFailover.ts';
import type { OpenedState } from '../../src/useCases/state/openState.ts';
import { quietPorts } from '../useCases/quietPorts.ts';
import { drainOf } from '../analysis/drain/drainOf.ts';
import { answerText, lineText } from '../views/shownText.ts';
import { explainSimulated } from '../analysis/explanation/explainSimulated.ts';

/** A state on which all commands are run. */
export interface AskedState {
  world: ResumableWorld;
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  members: MemberAssumptions;
}

const clustersText = (clusters: readonly TargetCluster[]) =>
  clusters
    .map(({ name, replicas = 0 }) => `${name}×${replicas}`)
    .sort()
    .join(' ') || 'nowhere';

const verdictText = ({ outcome, after }: { outcome: Outcome; after: TargetCluster[] }) =>
  `${outcome} ${clustersText(after)}`;

function played({ world, now, configuration, members }: AskedState, events: ScenarioEvent[] = []) {
  return simulate(world, { start: now, members, events }, configuration, { otherOrders: 2 });
}

/**
 * Differences between `failover explain` and `failover simulate` for each workload to which something happens, and
 * between its desired replicas and those of `failover status`.
 */
export function explainedOtherwise(state: AskedState, events: ScenarioEvent[] = []): string[] {
  const { world, now, configuration, members } = state;
  const { workloads } = played(state, events);
  const summaries = new Map(
    createWorkloadSummaries()(world, configuration).map((one) => [objectKey(one.binding), one]),
  );
  return world.bindings.flatMap((binding) => {
    const identity = bindingIdentity(binding);
    const reported = workloads.find((one) => objectKey(one.binding) === objectKey(identity));
    if (!reported) return [];
    const { copies, ready, evicting } = summaries.get(objectKey(identity))!;
    // copies under eviction may still run, even unreported
    const isShort = copies && evicting.length === 0 && ready && ready.ready < ready.wanted;
    if (isShort && !reported.gap)
      return [`${identity.name}: ${copies.placed} of ${copies.wanted} copies in status, no gap simulated`];
    if (reported.outcome === 'stays' && !reported.gap) return [];
    const scenario = { start: now, members, events };
    const simulation = simulate(world, scenario, configuration, { otherOrders: 2, trace: identity });
    const { verdict } = explainSimulated(world, {
      binding,
      simulation,
      configuration,
      now,
      workloadReadyAfter: members.workloadReadyAfter,
    });
    const text = (one: WorkloadOutcome | typeof verdict) =>
      JSON.stringify([
        verdictText(one),
        one.certainty,
        one.dependsOn ?? [],
        one.gap ?? null,
        one.deletedReady ?? null,
        one.down ?? null,
        one.reason ?? null,
        one.possibleEnds ?? null,
      ]);
    const wanted = ready?.wanted;
    return [
      ...(text(reported) === text(verdict) ? [] : [`${text(reported)}, explained ${text(verdict)}`]),
      ...(wanted === undefined || wanted === verdict.replicas?.wanted
        ? []
        : [`${wanted} replicas wanted in status, explained ${verdict.replicas?.wanted}`]),
    ].map((problem) => `${identity.name}: ${problem}`);
  });
}

/**
 * Differences between the whole answer of `failover explain`, with its trials, and `failover simulate`, for each workload
 * now and if each cluster fails.
 */
export function answeredOtherwise(opened: OpenedState): string[] {
  const { world, now, configuration } = opened;
  const state = { world, now, configuration, members: usualMembers(world) };
  return [undefined, ...world.clusters.map(({ metadata }) => metadata.name)].flatMap((failing) => {
    const fails = failing === undefined ? [] : [failing];
    const events = fails.map((cluster) => ({ at: now, action: { type: 'fail', cluster } }) as const);
    const options = { otherOrders: OTHER_ORDERS, unverified: unverified(opened.assumptions) };
    const { workloads } = simulate(
      world,
      { start: now, members: state.members, events },
      configuration,
      options,
    );
    return workloads.flatMap((reported) => {
      const { kind, namespace, name } = reported;
      const { explanation } = explainIn(
        opened,
        {
          target: `${kind}/${name}`,
          ...(namespace !== undefined && { namespace }),
          failures: fails.map((cluster) => ({ cluster, after: 0 })),
          clusters: [],
        },
        quietPorts(),
      );
      const text = ({ outcome, after, certainty, dependsOn = [] }: WorkloadOutcome | FailoverVerdict) =>
        `${verdictText({ outcome, after })} ${certainty}: ${dependsOn.join('; ')}`;
      return text(explanation.verdict) === text(reported)
        ? []
        : [`${name} if ${failing} fails: ${text(reported)}, explained ${text(explanation.verdict)}`];
    });
  });
}

/**
 * Differences between `eviction inspect` and `failover simulate`: its outcome, its certainty, and when its tasks end.
 */
export function inspectedOtherwise(state: AskedState): string[] {
  const { world, now, configuration } = state;
  const simulation = played(state);
  const { workloads, events } = simulation;
  const simulated = needsSimulation(world, world.bindings) ? { played: simulatedTasks(simulation) } : {};
  const items = explainEvictionTasks(world, world.bindings, { now, configuration, ...simulated });
  return items.flatMap((item) => {
    const key = objectKey(item.binding);
    const reported = workloads.find((one) => objectKey(one.binding) === key)!;
    const ends = events.find(
      ({ type, object, cluster }) =>
        type === 'TaskEnded' && objectKey(object) === key && cluster?.split(',').includes(item.fromCluster),
    );
    const problems: string[] = [];
    const all = (one: typeof reported | typeof item) =>
      JSON.stringify([
        verdictText(one),
        one.certainty,
        one.possibleEnds ?? null,
        one.flapping ?? null,
        one.down ?? null,
      ]);
    if (all(item) !== all(reported)) problems.push(`${all(reported)}, inspected ${all(item)}`);
    if (item.endsAt !== (ends ? rfc3339Milliseconds(ends.time) : null))
      problems.push(`ends at ${ends?.time}, inspected ${item.endsAt}`);
    const deadline = item.deadline === null ? undefined : Date.parse(item.deadline);
    // Karmada processes tasks at whole seconds, and whenever something else triggers it.
    if (deadline !== undefined && ends && ends.time > deadline + 3000)
      problems.push(`ends at ${rfc3339(ends.time)}, after its deadline ${item.deadline}`);
    return problems.map(
      (problem) => `${item.workload.name} from ${item.fromCluster} (${item.verdict}): ${problem}`,
    );
  });
}

/**
 * Differences between the forecasts of `eviction inspect --watch` and `failover simulate`, if nothing is evicted again
 * and everything placed becomes ready: it takes the clusters as they are now.
 */
export function foreseenOtherwise(state: AskedState): string[] {
  const { world, now, configuration } = state;
  const { workloads, events } = played(state);
  const evictedLater = new Set(
    events.filter(({ type }) => type === 'Evicted').map(({ object }) => objectKey(object)),
  );
  return explainEvictionTasks(world, world.bindings, { now, configuration }).flatMap((item) => {
    const key = objectKey(item.binding);
    const reported = workloads.find((one) => objectKey(one.binding) === key)!;
    if (evictedLater.has(key) || (reported.outcome === 'lost' && reported.after.length > 0)) return [];
    return verdictText(item) === verdictText(reported)
      ? []
      : [
          `${item.workload.name} from ${item.fromCluster}: ${verdictText(reported)}, foreseen ${verdictText(item)}`,
        ];
  });
}

/** Fates that represent an outcome of Karmada's earlier evictions. */
const FATES: Record<Outcome, PlannedWorkload['fate'][]> = {
  moves: ['moves'],
  starts: ['moves'],
  restarted: ['moves', 'blocked'],
  'partly-moves': ['partly-moves', 'leaves'],
  blocked: ['partly-moves', 'blocked'],
  lost: ['lost'],
  flaps: ['flaps'],
  deleted: ['leaves'],
  stays: ['stays'],
  tolerates: ['stays'],
};

/**
 * Differences between `drain CLUSTER` and `failover simulate` for workloads already evicting from the cluster, by
 * either method.
 */
export function drainedOtherwise(state: AskedState, cluster: string): string[] {
  const { world, now, configuration, members } = state;
  const { workloads } = played(state);
  const methods = evictsByTaints(configuration) ? (['evict', 'taint'] as const) : (['evict'] as const);
  return methods.flatMap((method) => {
    const options = { ...drainOf([cluster]), method };
    const plan = planDrain(world, options, configuration, now, {
      karmadaVersion: 'v1.18.2',
      members,
      otherOrders: 2,
    });
    return plan.workloads.flatMap((planned) => {
      const reported = workloads.find((one) => objectKey(one.binding) === objectKey(planned.binding))!;
      const problems: string[] = [];
      if (planned.outcome && !FATES[planned.outcome].includes(planned.fate) && planned.order !== undefined)
        problems.push(`outcome ${planned.outcome}, but fate ${planned.fate}`);
      // Without the drain it may come back to the cluster, which the drain cordons.
      const comesBack = reported.after.some(({ name }) => name === cluster);
      const gone = !comesBack && !planned.before.some(({ name }) => name === cluster);
      if (
        gone &&
        planned.outcome &&
        verdictText({ ...planned, outcome: planned.outcome }) !== verdictText(reported)
      )
        problems.push(`${verdictText(reported)}, drained ${planned.outcome} ${clustersText(planned.after)}`);
      if (gone && planned.certainty !== reported.certainty)
        problems.push(`${reported.certainty}, drained ${planned.certainty}`);
      return problems.map((problem) => `${planned.name} (${method}): ${problem}`);
    });
  });
}

/**
 * Differences between `failover simulate --fail CLUSTER` and what the dashboard, `failover status CLUSTER` and `failover
 * explain` say of each workload on the cluster, or leaving it, dependents too; and that the counts are of the same
 * workloads.
 */
export function countedOtherwise(state: AskedState): string[] {
  const { world, now, configuration, members } = state;
  const [when, options] = [{ start: now, members }, { otherOrders: 2 }];
  const forecasts = [...forecastEachCluster(world, when, configuration, options)];
  const { verdicts } = withNews(emptyFeed, { type: 'forecasts', forecasts }, now);
  const losses = forecastLosses(world, world.bindings, when, configuration, {
    ...options,
    forecasts: forecasts.length,
  });
  const known = new Map(forecasts.map(({ cluster }) => [cluster, losses(cluster)]));
  const forecast = (cluster: string) => known.get(cluster)!;
  const text = (one: ForecastOfBinding | null | undefined) => {
    if (!one) return 'unknown';
    const { outcome, after, certainty, down, reason, possibleEnds = [] } = one;
    const ends = possibleEnds.map(clustersText).sort().join(' or ');
    return `${outcome} ${clustersText(after)} ${certainty} ${down ? 'down ' : ''}${reason} ${ends}`;
  };
  const summaries = createWorkloadSummaries()(world, configuration);
  const calm = played(state);
  return world.clusters.flatMap(({ metadata: { name } }) => {
    const { workloads } = played(state, [{ at: now, action: { type: 'fail', cluster: name } }]);
    const reported = new Map(workloads.map((one) => [objectKey(one.binding), one]));
    const [status] = failoverStatus(world, { configuration, cluster: name, forecast }).clusters;
    const inStatus = new Map(status!.bindings!.map((one) => [objectKey(one.binding), one.ifItFails]));
    const placed = summaries.filter(({ clusters }) => clusters.some((one) => one.name === name));
    const shown = forecasts.find(({ cluster }) => cluster === name)!;
    const counts = [shown.ifItFails, status!.ifItFails].map((each) =>
      Object.values(each ?? {}).reduce((sum, one) => sum + one, 0),
    );
    const fewest = Math.max(placed.length, status!.workloads);
    const problems = placed.flatMap(({ key, binding: identity }) => {
      const simulated = reported.get(objectKey(identity));
      const binding = world.bindings.find((one) => objectKey(bindingIdentity(one)) === objectKey(identity))!;
      const { ifItFails } = explainWorkload(world, {
        ...{ binding, simulation: calm, configuration, now, forecast, failures: [], clusters: [] },
        ...{ unverified: new Set(), workloadReadyAfter: members.workloadReadyAfter },
      });
      const answers = {
        dashboard: verdicts.get(key)?.find(({ cluster }) => cluster === name),
        status: inStatus.get(objectKey(identity)),
        explain: ifItFails?.find(({ cluster }) => cluster === name),
      };
      return Object.entries(answers).flatMap(([command, answer]) => {
        // Simulations of all clusters try fewer other orders than one alone, and say so.
        const untried = answer?.dependsOn?.some((what) => /other orders were not tried/.test(what));
        const expected = text(
          simulated?.certainty === 'certain' && untried ? { ...simulated, certainty: 'estimate' } : simulated,
        );
        return text(answer) === expected
          ? []
          : [`${name}: ${identity.name}: ${expected}, in ${command} ${text(answer)}`];
      });
    });
    return [
      ...problems,
      ...(counts.every((count) => count >= fewest)
        ? []
        : [`${name}: ${fewest} workloads, counted ${counts}`]),
    ];
  });
}

/**
 * Differences between `failover audit` and `failover status` for the failure of each cluster, down already or not, and between the
 * headline of the audit and its column AT WORST.
 */
export function auditedOtherwise(state: AskedState): string[] {
  const { world, now, configuration, members } = state;
  const options = { otherOrders: 2, forecasts: world.clusters.length };
  const forecast = forecastLosses(world, world.bindings, { start: now, members }, configuration, options);
  const result = auditOf(state);
  const headline = lineText(survivalWords(result));
  const atWorst = result.workloads.map((one) => lineText(worstWords(one)));
  const miscounted = (['lost', 'down', 'blocked'] as const).flatMap((trouble) => {
    const count = atWorst.filter((text) => new RegExp(`^${trouble}\\b`).test(text)).length;
    return numberOf(headline, new RegExp(trouble)) === count ? [] : [`${count} ${trouble}, not: ${headline}`];
  });
  const ofClusters = result.contingencies.flatMap(({ name, outcomes, uncertain, cost }) => {
    const { ifItFails, uncertainIfItFails, costIfItFails } = forecast(name);
    const audited = [outcomes, uncertain, cost];
    const counted = [ifItFails, uncertainIfItFails, costIfItFails];
    return deepEqual(audited, counted)
      ? []
      : [`${name}: ${JSON.stringify(counted)}, audited ${JSON.stringify(audited)}`];
  });
  return [...miscounted, ...ofClusters];
}

function auditOf({ world, now, configuration, members }: AskedState): Audit {
  const contingencies = contingenciesOf(world.clusters, { only: ['cluster'] });
  const options = { otherOrders: 2, forecasts: contingencies.length, contingencies };
  const audit = startAudit(world, world.bindings, { start: now, members }, configuration, options);
  while (audit.step());
  return audit.result();
}

/**
 * Differences between the metrics of `exporter run` and `failover simulate`, `failover status` and `eviction inspect`:
 * the workloads in trouble if a cluster fails, the eviction tasks, and whether failover is on.
 */
export function exportedOtherwise(state: AskedState): string[] {
  const { world, now, configuration } = state;
  const calm = played(state);
  const simulated = needsSimulation(world, world.bindings) ? { played: simulatedTasks(calm) } : {};
  const items = explainEvictionTasks(world, world.bindings, { now, configuration, ...simulated });
  const { failover } = failoverStatus(world, { configuration });
  const standing = { audit: auditOf(state), failover, tasks: tasksOf(items), took: 0, now };
  const exported = new Map<string, number>();
  auditMetrics(
    {
      set: (name, _help, value, labels = {}) =>
        void exported.set([name.replace('karmada_failover_', ''), ...Object.values(labels)].join(' '), value),
    },
    {
      standing: () => ({ ...standing, karmadaVersion: 'v1.18.2', assumptions: [], kept: undefined }),
      age: () => 0,
      notReady: () => undefined,
    },
    Infinity,
  );

  const bindings = new Map(world.bindings.map((one) => [objectKey(bindingIdentity(one)), one]));
  const troubles = (outcomes: readonly WorkloadOutcome[]) =>
    new Map(
      outcomes.map((one) => [objectKey(one.binding), troubleOf(one, bindings.get(objectKey(one.binding))!)]),
    );
  const already = troubles(calm.workloads);
  const copiesOf = ({ spec }: ResourceBinding) => entitledClusters(spec, configuration.rules);
  const expected = new Map<string, number>([
    ...Object.entries({
      held: items.filter(({ verdict }) => verdict === 'held'),
      stuck: items.filter(({ verdict }) => verdict === 'stuck' || verdict === 'overdue'),
      waiting: items.filter(({ verdict }) => verdict === 'waiting' || verdict === 'new'),
      'about-to-lose': items.filter(
        ({ outcome, deletedReady }) => outcome === 'lost' || deletedReady?.length,
      ),
    }).map(([name, of]): [string, number] => [`eviction_tasks ${name}`, of.length]),
    [`on ${failover.state}`, failover.state === 'on' ? 1 : failover.state === 'partly' ? 0.5 : 0],
  ]);
  const atRisk = new Set<string>();
  for (const { metadata } of world.clusters) {
    const action = { type: 'fail', cluster: metadata.name } as const;
    const caused = [...troubles(played(state, [{ at: now, action }]).workloads)].filter(
      ([key, trouble]) =>
        copiesOf(bindings.get(key)!).size > 0 && compareTroubles(trouble, already.get(key)) < 0,
    );
    for (const trouble of TROUBLES) {
      const those = caused.filter(([, one]) => one === trouble);
      expected.set(`loss_workloads ${metadata.name} ${trouble}`, those.length);
      if (isUncovered(trouble)) for (const [key] of those) atRisk.add(key);
    }
  }
  const named = [...exported.keys()].filter((key) => key.startsWith('workload_at_risk '));
  const missing = [...atRisk].filter((key) => {
    const { kind, namespace = '', name } = workloadOf(bindings.get(key)!);
    return !named.some((one) => one.startsWith(`workload_at_risk ${namespace} ${kind} ${name} `));
  });
  return [
    ...[...expected].flatMap(([name, value]) =>
      exported.get(name) === value ? [] : [`${name}: ${value}, exported ${exported.get(name)}`],
    ),
    ...missing.map((key) => `${key} is at risk, not exported`),
  ];
}

/**
 * Differences between `failover diff` and `failover simulate` for a workload that fares differently on an older release
 * of Karmada with its defaults; undefined if there is none.
 */
export function comparedOtherwise(
  { world, now, members, configuration: own }: AskedState,
  older: string,
): string[] | undefined {
  const side = (version: string, configured?: Configuration): ComparedSide => {
    const { dialect } = dialectOf(version);
    const resolved = resolveConfiguration(dialect, [], []);
    const configuration = configured ?? resolved.configuration;
    return { title: version, world, dialect, resolved: { ...resolved, configuration }, changes: [] };
  };
  const sides = { from: side(older), to: side('v1.18.2', own) };
  const diff = compareSides(sides, { start: now, members }, { otherOrders: 2 });
  const text = (one: Omit<ComparedWorkload, 'dependsOn'> | undefined) =>
    one &&
    JSON.stringify([
      verdictText(one),
      one.certainty,
      one.gap ?? null,
      one.reason ?? null,
      one.possibleEnds ?? null,
    ]);
  if (diff.scenarios.every(({ workloads }) => workloads.length === 0)) return undefined;
  return diff.scenarios.flatMap(({ title, cluster, workloads }) => {
    const events: ScenarioEvent[] =
      cluster === undefined ? [] : [{ at: now, action: { type: 'fail', cluster } }];
    return (['from', 'to'] as const).flatMap((which) => {
      const { configuration } = sides[which].resolved;
      const reported = new Map(
        played({ world, now, members, configuration }, events).workloads.map((one) => [
          objectKey(one.binding),
          one,
        ]),
      );
      return workloads.flatMap(({ binding, [which]: compared }) => {
        const simulated = text(reported.get(objectKey(binding)));
        return text(compared) === simulated
          ? []
          : [`${title}, ${sides[which].title}: ${binding.name}: ${simulated}, compared ${text(compared)}`];
      });
    });
  });
}

/** The state some time after an event has started; with what only a simulation knows, or without. */
export function stateAfter(
  { world, now, configuration, members }: AskedState,
  events: ScenarioEvent[],
  seconds: number,
  remembered: boolean,
): AskedState {
  const until = now + seconds * 1000;
  let saved: ResumableWorld | undefined;
  simulate(
    world,
    { start: now, until, members, events: events.filter(({ at }) => at <= until) },
    configuration,
    { save: (one) => (saved = one) },
  );
  const { simulation: _memory, ...captured } = saved!;
  return { world: remembered ? saved! : captured, now: until, configuration, members };
}

/** The number of these words in a headline: "6 evictions" for /eviction/; 0 if it has none. */
function numberOf(text: string, words: RegExp): number {
  return Number(new RegExp(`(\\d+) (?:more )?(?:workloads? )?(?:${words.source})`).exec(text)?.[1] ?? 0);
}

/**
 * Differences between the dashboard and `failover simulate` and `eviction inspect`: each eviction, the first deadlines,
 * the headline.
 */
export function overviewedOtherwise(state: AskedState): string[] {
  const { world, now, configuration } = state;
  const simulation = played(state);
  const simulated = needsSimulation(world, world.bindings) ? { played: simulatedTasks(simulation) } : {};
  const items = explainEvictionTasks(world, world.bindings, { now, configuration, ...simulated });
  const { workloads, ...overview } = overviewOf(world, {
    now,
    configuration,
    ...simulated,
    unverified: new Set<string>(),
  });
  const reported = new Map(simulation.workloads.map((one) => [objectKey(one.binding), one]));
  const text = ({ evidence: _, ...one }: EvictionTaskExplanation) => JSON.stringify(one);
  const problems = overview.evictions.flatMap((shown, at) => {
    const outcome = reported.get(objectKey(shown.binding))!;
    const wrong: string[] = [];
    if (text(shown) !== text(items[at]!)) wrong.push(`${text(shown)}, inspected ${text(items[at]!)}`);
    if (verdictText(shown) !== verdictText(outcome) || shown.certainty !== outcome.certainty)
      wrong.push(`${verdictText(shown)} ${shown.certainty}, simulated ${verdictText(outcome)}`);
    return wrong.map((one) => `${shown.workload.name} from ${shown.fromCluster}: ${one}`);
  });
  for (const due of overview.events)
    if (due.type === 'deadlines') {
      const own = items.filter(
        ({ fromCluster, deadline }) =>
          fromCluster === due.cluster && deadline !== null && Date.parse(deadline) > now,
      );
      const losses = own.filter(({ atDeadline }) => atDeadline === 'lost');
      const uncertain = losses.filter(({ certainty }) => certainty !== 'certain').length;
      const first = Math.min(...own.map(({ deadline }) => Date.parse(deadline!)));
      if (due.time !== first || due.lost !== losses.length || due.uncertain !== uncertain)
        problems.push(
          `${due.cluster}: ${JSON.stringify(due)}, inspected ${losses.length} lost, ${uncertain} uncertain`,
        );
    }
  const head = lineText(conditionWords({ ...emptyFeed, overview: { ...overview }, workloads }, now, ' | '));
  const list = answerText(
    evictionTaskList({ items, now, detailed: false, karmadaVersion: 'v1.18.2', assumptions: [] }),
  );
  // A workload with several tasks is lost once.
  const lost = [
    ...new Map(
      items.filter(({ outcome }) => outcome === 'lost').map((one) => [objectKey(one.binding), one]),
    ).values(),
  ];
  const uncertain = lost.filter(({ certainty }) => certainty !== 'certain').length;
  const down = workloads.filter((one) => one.down).length;
  const [first = ''] = list.split('\n');
  const counts = [
    [head, /evictions?\b/, items.length],
    [head, /lost/, lost.length],
    [head, /uncertain/, uncertain],
    [head, /down/, down],
    [first, /evictions?:/, items.length],
    [first, /lost/, lost.length],
    [first, /uncertain/, uncertain],
  ] as const;
  return [
    ...problems,
    ...counts.flatMap(([line, words, count]) =>
      numberOf(line, words) === count ? [] : [`${count} ${words.source}, not: ${line}`],
    ),
  ];
}

/**
 * Differences between `timeline` and `eviction inspect` for the evictions in progress: which they are, since when,
 * where the workload is now; and how many workloads its headline counts.
 * @param history up to this instant: reconstructed from the state, or as recorded
 */
export function recalledOtherwise(
  { world, now, configuration }: AskedState,
  history = reconstructedHistory(world, now, configuration),
): string[] {
  const items = explainEvictionTasks(world, world.bindings, { now, configuration });
  const inFlight = history.evictions.filter(({ placedNow }) => placedNow !== undefined);
  const text = (workload: ObjectIdentity, from: string, since: string | null, to: readonly TargetCluster[]) =>
    `${objectKey(workload)} from ${from} since ${since} on ${clustersText(to)}`;
  const inspected = items.map((one) =>
    text(
      one.workload,
      one.fromCluster,
      history.seen ? '' : one.createdAt,
      one.toClusters.map(({ name, replicas = 0 }) => ({ name, replicas })),
    ),
  );
  const recalled = inFlight.map(({ workload, from, evicted, placedNow }) =>
    text(workload, from, history.seen ? '' : evicted === undefined ? null : rfc3339(evicted), placedNow!),
  );
  const problems = [
    ...inspected.filter((one) => !recalled.includes(one)).map((one) => `inspected, not recalled: ${one}`),
    ...recalled.filter((one) => !inspected.includes(one)).map((one) => `recalled, not inspected: ${one}`),
  ];
  const answer = timelineAnswer({
    history,
    karmadaVersion: 'v1.18.2',
    assumptions: [],
    single: false,
    isChosen: true,
  });
  const [head = ''] = answerText(answer).split('\n');
  const refused = world.bindings.filter(({ status }) =>
    status?.conditions?.some(({ type, status: value }) => type === 'Scheduled' && value === 'False'),
  ).length;
  const evicted = new Set(items.map(({ binding }) => objectKey(binding))).size;
  if (!history.seen && numberOf(head, /evicted/) !== evicted) problems.push(`${evicted} evicted: ${head}`);
  if (!history.seen && numberOf(head, /not placed/) !== refused)
    problems.push(`${refused} not placed: ${head}`);
  return problems;
}
