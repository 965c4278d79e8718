import { binaries, components } from '../../karmada/dialects/flags.ts';
import { type Dialect, acceptsWithoutEffect } from '../../karmada/dialects/dialects.ts';
import type {
  ConfigurationValue,
  ResolvedConfiguration,
} from '../../karmada/configuration/resolveConfiguration.ts';
import { evictsByTaints, taintEvictionSwitches } from '../../karmada/configuration/taintEviction.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import type { Scenario, ScenarioEvent } from '../scenario.ts';
import type { ResumableWorld } from '../store/savedSimulation.ts';
import { createStartingWorld } from '../store/startingWorld.ts';
import { scenarioComparison } from './compareScenarios.ts';
import type { WorkloadDifference } from './differences.ts';
import { type Rules, switches } from '../../karmada/dialects/rules.ts';
import type { Switch } from '../../karmada/dialects/history.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { World } from '../../karmada/world.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { identityOf } from '../../karmada/objects/identities.ts';

/** One of the two control planes that are compared. */
export interface ComparedSide {
  title: string;
  /** the world as this side's version reads it */
  world: ResumableWorld;
  dialect: Dialect;
  resolved: ResolvedConfiguration;
  /** differences between this side's world and the start */
  changes: ScenarioEvent[];
}

/** The name of the scenario without further failures. */
export const NOTHING_HAPPENS = 'nothing happens';

/** The workloads with different outcomes in one scenario. */
interface ScenarioDifference {
  title: string;
  /** the cluster that fails, if that is the scenario */
  cluster?: string;
  workloads: WorkloadDifference[];
}

/** A feature gate or flag to set so that the second side behaves like the first. */
interface Setting {
  name: string;
  component: string;
  from: ConfigurationValue['value'];
  /** null: the second version does not know it, or ignores it */
  to: ConfigurationValue['value'] | null;
  /** the second version accepts it, but ignores it */
  withoutEffect?: true;
}

export interface FailoverDiff {
  from: ComparedSide;
  to: ComparedSide;
  /** the scenario without further failures comes first */
  scenarios: ScenarioDifference[];
  /** no scenario was given, and no Ready cluster runs a workload */
  nothingToFail?: true;
  settings: Setting[];
  rules: ChangedRule[];
  purgeModes: UnknownPurgeMode[];
  /** whether the second version's webhook stops adding default tolerations to policies, or starts to */
  defaultTolerations?: 'no longer added' | 'added';
}

/** Whether there is any difference that a workload or an operator would notice. */
export function hasDifferences({ scenarios, purgeModes, defaultTolerations }: FailoverDiff): boolean {
  return (
    scenarios.some(({ workloads }) => workloads.length > 0) ||
    purgeModes.length > 0 ||
    defaultTolerations !== undefined
  );
}

/** A scenario, with a form for each side. */
interface PlayedOnBoth {
  title: string;
  /** the cluster that fails, if that is the scenario */
  cluster?: string;
  from: Scenario;
  to: Scenario;
}

interface CompareOptions {
  /** one scenario instead of the failures; without events, it only sets the end */
  given?: PlayedOnBoth | undefined;
  /** how many other processing orders to try for workloads that differ, fewer in a large world; absent: none */
  otherOrders?: number;
}

/**
 * Simulates the same on both sides: no further failures first, since clusters may be down and evictions in progress, then
 * the failure of each Ready cluster that runs a workload, or one scenario. Throws a ScenarioError for missing objects,
 * InvalidQuantity for a cluster's invalid quantities.
 *
 * @param common for all failures: when they begin, how members behave, and when to stop
 */
export function compareSides(
  sides: { from: ComparedSide; to: ComparedSide },
  { start, until, members }: Omit<Scenario, 'events'>,
  { given, otherOrders = 0 }: CompareOptions = {},
): FailoverDiff {
  const { from, to } = sides;
  const startOf = ({ world, resolved }: ComparedSide) =>
    createStartingWorld(world, resolved.configuration, { start, members });
  const starts = { from: startOf(from), to: startOf(to) };
  const comparison = scenarioComparison({ ...starts, members });
  const common = { start, ...(until === undefined ? {} : { until }), members };
  const onBoth = (events: ScenarioEvent[]) => ({ from: { ...common, events }, to: { ...common, events } });
  const failing = from.world.clusters
    .filter((cluster) => isReady(cluster) && starts.from.on(cluster.metadata.name).length > 0)
    .map(({ metadata }) => metadata.name)
    .sort();
  const played: PlayedOnBoth[] = given
    ? [
        {
          title: NOTHING_HAPPENS,
          from: { ...given.from, events: [] },
          to: { ...given.to, events: [] },
        },
        ...(given.title === NOTHING_HAPPENS ? [] : [given]),
      ]
    : [
        { title: NOTHING_HAPPENS, ...onBoth([]) },
        ...failing.map((cluster) => ({
          title: `${cluster} fails`,
          cluster,
          ...onBoth([{ at: start, action: { type: 'fail', cluster } }]),
        })),
      ];
  const onSide = ({ changes }: ComparedSide, scenario: Scenario): Scenario => ({
    ...scenario,
    events: [...changes, ...scenario.events],
  });
  const tried = { orders: otherOrders, share: 2 * played.length };
  const scenarios = played.map(({ title, cluster, ...on }): ScenarioDifference => ({
    title,
    ...(cluster === undefined ? {} : { cluster }),
    workloads: comparison({ from: onSide(from, on.from), to: onSide(to, on.to) }, tried),
  }));
  const [a, b] = [from.dialect.rules, to.dialect.rules];
  return {
    from,
    to,
    scenarios,
    ...(given || failing.length > 0 ? {} : { nothingToFail: true as const }),
    settings: settingsToKeep(from, to),
    rules: changedRules(a, b),
    purgeModes: unknownPurgeModes(from.world, a, b),
    ...(a.admission.defaultTolerations !== b.admission.defaultTolerations && {
      defaultTolerations: a.admission.defaultTolerations ? 'no longer added' : 'added',
    }),
  };
}

/**
 * Gates and flags whose values differ, and those that only the first version knows. A gate unknown to a version is off
 * there; an unknown eviction switch is on.
 */
function settingsToKeep(from: ComparedSide, to: ComparedSide): Setting[] {
  const now = new Map(to.resolved.values.map(({ name, value }) => [name, value]));
  const before = new Set(from.resolved.values.map(({ name }) => name));
  const isGate = (name: string) =>
    [from, to].some(({ dialect }) => Object.hasOwn(dialect.featureGates, name));
  const stopsEvictions = new Set<string>(
    evictsByTaints(from.resolved.configuration)
      ? taintEvictionSwitches(to.resolved.configuration).flatMap(({ name, on }) => (on ? [] : name))
      : [],
  );
  return [
    ...from.resolved.values.flatMap(({ name, value }) => {
      const after = now.get(name) ?? null;
      if (after === value || (after === null && value === false && isGate(name))) return [];
      const ignored = after === null && acceptsWithoutEffect(to.dialect, name);
      return {
        name,
        component: componentOf(from.dialect, name),
        from: value,
        to: after,
        ...(ignored && { withoutEffect: true as const }),
      };
    }),
    ...to.resolved.values.flatMap(({ name, value }) =>
      before.has(name) || !(isGate(name) ? value === true : stopsEvictions.has(name))
        ? []
        : [{ name, component: componentOf(to.dialect, name), from: !value, to: value }],
    ),
  ];
}

function componentOf({ flags, featureGates }: Dialect, name: string): string {
  const dot = name.indexOf('.');
  const named = components.find((component) => component === name.slice(0, dot));
  const owner = named ?? components.find((component) => Object.hasOwn(flags[component], name));
  return owner ? binaries[owner] : binaries[featureGates[name]?.decidedBy ?? 'controllerManager'];
}

/** A rule that differs between two versions of Karmada. */
interface ChangedRule {
  /** "taints.evictionPace" */
  name: string;
  decides: string;
  from: unknown;
  to: unknown;
}

/** The rules that differ, except error messages, which do not affect failover. */
function changedRules(from: Rules, to: Rules): ChangedRule[] {
  const changed: ChangedRule[] = [];
  for (const [group, ofGroup] of Object.entries(switches)) {
    if (group === 'admission') continue;
    for (const [name, { decides }] of Object.entries(ofGroup as Record<string, Switch<unknown>>)) {
      const [a, b] = [valueOf(from, group, name), valueOf(to, group, name)];
      if (!deepEqual(a, b)) changed.push({ name: `${group}.${name}`, decides, from: a, to: b });
    }
  }
  return changed;
}

function valueOf(rules: Rules, group: string, name: string): unknown {
  return (rules as unknown as Record<string, Record<string, unknown>>)[group]?.[name] ?? null;
}

/** A policy whose purgeMode the second version does not accept. */
interface UnknownPurgeMode {
  policy: ObjectIdentity;
  field: string;
  purgeMode: string;
  known: readonly string[];
}

/** The purge modes in application and cluster failover policies that only the first of two versions accepts. */
export function unknownPurgeModes({ policies }: World, from: Rules, to: Rules): UnknownPurgeMode[] {
  return policies.flatMap((policy) =>
    (
      [
        ['application', from.api.applicationPurgeModes, to.api.applicationPurgeModes],
        ['cluster', from.api.clusterPurgeModes, to.api.clusterPurgeModes],
      ] as const
    ).flatMap(([part, before, after]) => {
      const purgeMode: string | undefined = policy.spec?.failover?.[part]?.purgeMode;
      if (!after || purgeMode === undefined || after.includes(purgeMode)) return [];
      if (before && !before.includes(purgeMode)) return [];
      return {
        policy: identityOf(policy),
        field: `spec.failover.${part}.purgeMode`,
        purgeMode,
        known: after,
      };
    }),
  );
}
