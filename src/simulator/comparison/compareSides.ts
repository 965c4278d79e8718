import { binaries, components } from '../../karmada/dialects/flags.ts';
import { type Dialect, takesWithoutEffect } from '../../karmada/dialects/dialects.ts';
import type {
  ConfigurationValue,
  ResolvedConfiguration,
} from '../../karmada/configuration/resolveConfiguration.ts';
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
export interface Side {
  title: string;
  /** the world as its version sees it */
  world: ResumableWorld;
  dialect: Dialect;
  resolved: ResolvedConfiguration;
  /** what differs in the world from the start */
  changes: ScenarioEvent[];
}

/** The workloads that fare differently in one scenario. */
interface ScenarioDifference {
  title: string;
  /** the cluster that fails, if that is the scenario */
  cluster?: string;
  workloads: WorkloadDifference[];
}

/** A feature gate or flag to set so that the second side behaves as the first. */
interface Setting {
  name: string;
  component: string;
  from: ConfigurationValue['value'];
  /** null: the second version does not know it, or takes it without effect */
  to: ConfigurationValue['value'] | null;
  /** the second version takes it, and ignores it */
  withoutEffect?: true;
}

export interface FailoverDiff {
  from: Side;
  to: Side;
  scenarios: ScenarioDifference[];
  settings: Setting[];
  rules: ChangedRule[];
  purgeModes: UnknownPurgeMode[];
  /** whether the second version's webhook no longer adds default tolerations to policies, or adds them now */
  defaultTolerations?: 'no longer added' | 'added';
}

/** Whether anything differs that a workload or an operator would notice. */
export function differs({ scenarios, purgeModes, defaultTolerations }: FailoverDiff): boolean {
  return (
    scenarios.some(({ workloads }) => workloads.length > 0) ||
    purgeModes.length > 0 ||
    defaultTolerations !== undefined
  );
}

interface CompareOptions {
  /** one scenario instead of the failures, for each side its own */
  given?: { title: string; from: Scenario; to: Scenario } | undefined;
  /** how many other orders of Karmada to try for differing workloads, fewer if the world is large; absent: none */
  otherOrders?: number;
}

/**
 * Simulates the same on both sides: the failure of each Ready cluster that runs something, or one scenario. Throws a
 * ScenarioError for objects that do not exist, InvalidQuantity for a cluster's invalid quantities.
 *
 * @param common for all failures: when they begin, how members behave, and when to stop
 */
export function compareSides(
  sides: { from: Side; to: Side },
  { start, until, members }: Omit<Scenario, 'events'>,
  { given, otherOrders = 0 }: CompareOptions = {},
): FailoverDiff {
  const { from, to } = sides;
  const worlds = [from, to].map(({ world, resolved }) =>
    createStartingWorld(world, resolved.configuration, { start, members }),
  );
  const comparison = scenarioComparison({ from: worlds[0]!, to: worlds[1]!, members });
  const compare = (scenarios: { from: Scenario; to: Scenario }): WorkloadDifference[] => {
    const onSide = ({ changes }: Side, scenario: Scenario): Scenario => ({
      ...scenario,
      events: [...changes, ...scenario.events],
    });
    return comparison(
      { from: onSide(from, scenarios.from), to: onSide(to, scenarios.to) },
      { orders: otherOrders, share: 2 * (given ? 1 : failing.length) },
    );
  };
  const failing = from.world.clusters
    .filter((cluster) => isReady(cluster) && worlds[0]!.on(cluster.metadata.name).length > 0)
    .map(({ metadata }) => metadata.name)
    .sort();
  const scenarios: ScenarioDifference[] = given
    ? [{ title: given.title, workloads: compare(given) }]
    : failing.map((cluster) => {
        const scenario: Scenario = {
          start,
          ...(until === undefined ? {} : { until }),
          members,
          events: [{ at: start, action: { type: 'fail', cluster } }],
        };
        return { title: `${cluster} fails`, cluster, workloads: compare({ from: scenario, to: scenario }) };
      });
  const [a, b] = [from.dialect.rules, to.dialect.rules];
  return {
    from,
    to,
    scenarios,
    settings: settingsToKeep(from, to),
    rules: changedRules(a, b),
    purgeModes: unknownPurgeModes(from.world, a, b),
    ...(a.admission.defaultTolerations === b.admission.defaultTolerations
      ? {}
      : { defaultTolerations: a.admission.defaultTolerations ? 'no longer added' : 'added' }),
  };
}

/**
 * Gates and flags with another value, and those that only the first version knows. A gate that a version does not know
 * is off there.
 */
function settingsToKeep(from: Side, to: Side): Setting[] {
  const now = new Map(to.resolved.values.map(({ name, value }) => [name, value]));
  const before = new Set(from.resolved.values.map(({ name }) => name));
  const isGate = (name: string) =>
    [from, to].some(({ dialect }) => Object.hasOwn(dialect.featureGates, name));
  return [
    ...from.resolved.values.flatMap(({ name, value }) => {
      const after = now.get(name) ?? null;
      if (after === value || (after === null && value === false && isGate(name))) return [];
      const ignored = after === null && takesWithoutEffect(to.dialect, name);
      return [
        {
          ...{ name, component: componentOf(from.dialect, name), from: value, to: after },
          ...(ignored && { withoutEffect: true as const }),
        },
      ];
    }),
    ...to.resolved.values.flatMap(({ name, value }) =>
      before.has(name) || value !== true || !isGate(name)
        ? []
        : [{ name, component: componentOf(to.dialect, name), from: false, to: value }],
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

/** The rules that differ, without the words of errors, which do not affect failover. */
function changedRules(from: Rules, to: Rules): ChangedRule[] {
  const changed: ChangedRule[] = [];
  for (const [room, ofRoom] of Object.entries(switches)) {
    if (room === 'admission') continue;
    for (const [name, { decides }] of Object.entries(ofRoom as Record<string, Switch<unknown>>)) {
      const [a, b] = [valueOf(from, room, name), valueOf(to, room, name)];
      if (!deepEqual(a, b)) changed.push({ name: `${room}.${name}`, decides, from: a, to: b });
    }
  }
  return changed;
}

function valueOf(rules: Rules, room: string, name: string): unknown {
  return (rules as unknown as Record<string, Record<string, unknown>>)[room]?.[name] ?? null;
}

/** A policy whose purgeMode the second version no longer knows. */
interface UnknownPurgeMode {
  policy: ObjectIdentity;
  field: string;
  purgeMode: string;
  known: readonly string[];
}

/** The purge modes in policies that only the first of two versions accepts, of application and of cluster failover. */
export function unknownPurgeModes({ policies }: World, from: Rules, to: Rules): UnknownPurgeMode[] {
  return policies.flatMap((policy) =>
    (
      [
        ['application', from.api.applicationPurgeModes, to.api.applicationPurgeModes],
        ['cluster', from.api.clusterPurgeModes, to.api.clusterPurgeModes],
      ] as const
    ).flatMap(([part, before, after]) => {
      const purgeMode: string | undefined = policy.spec?.failover?.[part]?.purgeMode;
      if (!after || purgeMode === undefined || (after as readonly string[]).includes(purgeMode)) return [];
      if (before && !(before as readonly string[]).includes(purgeMode)) return [];
      return [
        { policy: identityOf(policy), field: `spec.failover.${part}.purgeMode`, purgeMode, known: after },
      ];
    }),
  );
}
