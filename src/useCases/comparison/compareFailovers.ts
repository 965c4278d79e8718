import type { ConvertedInWorld } from '../../analysis/taintPolicy/conversion/convertWorld.ts';
import {
  type AnsweredAssumption,
  type Assumption,
  parseAssumption,
  parseAssumptions,
} from '../../karmada/configuration/assumptions.ts';
import { resolveConfiguration } from '../../karmada/configuration/resolveConfiguration.ts';
import { type Dialect, dialectOf, acceptsWithoutEffect } from '../../karmada/dialects/dialects.ts';
import { isObject } from '../../kubernetes/json.ts';
import {
  type FailoverDiff,
  NOTHING_HAPPENS,
  type ComparedSide,
  compareSides,
} from '../../simulator/comparison/compareSides.ts';
import type { ScenarioAction } from '../../simulator/scenario.ts';
import { OTHER_ORDERS } from '../../simulator/simulation/otherOrders.ts';
import type { Ports } from '../ports.ts';
import {
  type MadeScenario,
  type ScenarioRequest,
  checkPatches,
  makeScenario,
} from '../scenario/makeScenario.ts';
import { memberAssumptions, scenarioProblem } from '../scenario/runScenario.ts';
import { unknownFieldWarnings } from '../scenario/unknownFields.ts';
import { assumptionsFromScenario, givenAssumptions } from '../state/assumptions.ts';
import {
  type OpenedState,
  withProvenValues,
  openState,
  worldAndWarning,
  worldAsRead,
} from '../state/openState.ts';
import type { OpenedScenario, StateRequest } from '../state/stateRequest.ts';

/** Two control planes to compare: the current one, and one that differs from it. */
export interface ComparisonRequest {
  /** without assumptions: the two versions may know different gates and flags */
  state: Omit<StateRequest, 'assume'>;
  /** assumptions about both, each NAME=VALUE */
  assume: readonly string[];
  scenario: ScenarioRequest;
  opened?: OpenedScenario | undefined;
  second: {
    /** absent: the version of the first */
    version?: string | undefined;
    /** each is NAME=VALUE; `source` is what messages call the input */
    assume: { values: readonly string[]; source: string };
    /** changes to its world at the start, each with its input */
    changes: readonly { action: ScenarioAction; source: string }[];
    opened?: OpenedScenario | undefined;
    /** its difference, for the title */
    called: readonly string[];
  };
  /** the events of a scenario, in words; empty without events */
  titleOf(made: MadeScenario): string;
}

/** A ClusterTaintPolicy whose form on one side differs from the state's. */
type SidesPolicy = ConvertedInWorld & { side: 'from' | 'to' };

interface ComparedFailovers {
  diff: FailoverDiff;
  /** the ClusterTaintPolicies that were converted to the form of a version */
  converted: SidesPolicy[];
  assumptions: AnsweredAssumption[];
}

/**
 * Simulates on both an undisturbed run, and the failure of each cluster or the given scenario, and compares the
 * outcomes. Rejects with a Problem if the state lacks a requested object.
 */
export async function compareFailovers(request: ComparisonRequest, ports: Ports): Promise<ComparedFailovers> {
  const { scenario: asked, opened, second } = request;
  const changing = second.changes.length > 0 || second.opened !== undefined;
  const state = await openState(request.state, ports, {
    scenario: opened,
    live: changing ? { templates: {} } : {},
  });
  const { world, now } = state;
  const fromDialect = dialectOf(state.karmadaVersion).dialect;
  const toDialect = second.version === undefined ? fromDialect : dialectOf(second.version).dialect;
  for (const { action, source } of second.changes) checkPatches([{ action }], world, source);
  const given = makeScenario(asked, opened, world, now, ports);
  const other = second.opened === opened ? given : makeScenario(asked, second.opened, world, now, ports);
  const changes = second.changes.map(({ action, source }) => [action, source] as const);
  for (const warning of unknownFieldWarnings(changes, toDialect.version, toDialect.rules))
    ports.warn(warning);
  const { values, source } = second.assume;
  const worldOf = worldsByVersion(state, ports);
  const [fromSees, toSees] = [worldOf(fromDialect), worldOf(toDialect)];
  const resolved = configurations(request, state, ports);
  const sides = {
    from: {
      title: fromDialect.version,
      world: fromSees.world,
      dialect: fromDialect,
      resolved: resolved(fromDialect, toDialect, opened, [], ports),
      changes: [],
    },
    to: {
      title: [toDialect.version, ...second.called].join(' with '),
      world: toSees.world,
      dialect: toDialect,
      resolved: resolved(
        toDialect,
        fromDialect,
        second.opened,
        givenAssumptions(values, toDialect, source),
        // names that only the first side knows are listed among the settings
        { ...ports, warn: () => undefined },
      ),
      changes: second.changes.map(({ action }) => ({ at: now, action })),
    },
  };
  const titles = [given, other].map((made) => request.titleOf(made));
  // a file that only sets the end is a scenario, too
  const isGiven =
    [given, other].some(({ scenario }) => scenario.events.length > 0) ||
    [opened, second.opened].some((one) => one?.file.until !== undefined);
  const scenarios = isGiven
    ? {
        title: [...new Set(titles.map((title) => title || NOTHING_HAPPENS))].join(' → '),
        from: given.scenario,
        to: other.scenario,
      }
    : undefined;
  const isReadyAfterGiven =
    opened?.file.members.workloadReadyAfter !== undefined || asked.readyAfter !== undefined;
  try {
    const diff = compareSides(sides, given.scenario, { given: scenarios, otherOrders: OTHER_ORDERS });
    const assumptions = [
      ...state.assumptions.filter(({ name }) => name === 'now' || name === 'karmadaVersion'),
      ...sides.from.resolved.values,
      ...memberAssumptions(given.scenario, isReadyAfterGiven, world, ports.names),
    ];
    const converted = [
      ...fromSees.converted.map((one) => ({ side: 'from' as const, ...one })),
      ...toSees.converted.map((one) => ({ side: 'to' as const, ...one })),
    ];
    return { diff, converted, assumptions };
  } catch (error) {
    const ofChanges = second.changes.map(({ action, source }) => [action, source] as const);
    throw scenarioProblem(error, new Map([...given.sources, ...other.sources, ...ofChanges]));
  }
}

/** The configurations of both sides, which may be of different versions. */
function configurations(
  { assume, opened: first }: ComparisonRequest,
  { loaded, proven = new Map() }: OpenedState,
  ports: Ports,
) {
  return (
    dialect: Dialect,
    other: Dialect,
    opened: OpenedScenario | undefined,
    own: ReturnType<typeof givenAssumptions>,
    ofBoth: Ports,
  ): ComparedSide['resolved'] =>
    withProvenValues(
      resolveConfiguration(
        dialect,
        loaded.components.commandLines,
        [
          ...(loaded.assumed?.gatesAndFlags ?? []),
          ...(opened ? scenarioAssumptions(opened, dialect, other, opened === first ? ofBoth : ports) : []),
          ...commonAssumptions(assume, dialect, other, ofBoth),
          ...own,
        ],
        ports.names,
      ),
      proven,
    );
}

/** The world as each version sees it; warns once about what is left out. */
function worldsByVersion(state: OpenedState, { warn }: Ports) {
  const said = new Set<string>();
  return ({ version, rules }: Dialect): ReturnType<typeof worldAndWarning> => {
    const seen = worldAndWarning(worldAsRead(state), version, rules);
    for (const warning of seen.warnings) if (!said.has(warning)) warn(warning);
    seen.warnings.forEach((warning) => said.add(warning));
    return seen;
  };
}

/**
 * The assumptions about both sides that the version of `dialect` knows. Warns about names that only the other version
 * knows, which have no effect here. Throws a Problem for names that neither version knows, and for invalid values.
 */
function commonAssumptions(
  values: readonly string[],
  dialect: Dialect,
  other: Dialect,
  { names, warn }: Ports,
): Assumption[] {
  const knows = (one: Dialect, value: string) => {
    const found = parseAssumption(value, names.assume, one);
    return Array.isArray(found) || found.unknown === undefined;
  };
  return values.flatMap((value) => {
    if (knows(dialect, value) || !knows(other, value))
      return givenAssumptions([value], dialect, names.assume);
    const name = value.split('=')[0]!.trim();
    warn(`${names.assume} ${value}: ${noEffect(dialect, name)}`);
    return [];
  });
}

/**
 * The `assume` block of a side's scenario, name by name. Warns about names that only the other version knows, which
 * have no effect here. Throws a Problem for names that neither version knows, and for invalid values.
 */
function scenarioAssumptions(
  scenario: OpenedScenario,
  dialect: Dialect,
  other: Dialect,
  { warn }: Ports,
): Assumption[] {
  const { path, file } = scenario;
  return Object.entries(file.assume).flatMap(([component, values]) => {
    const blocks = isObject(values)
      ? Object.entries(values).map(([name, value]) => ({ [component]: { [name]: value } }))
      : [{ [component]: values }];
    return blocks.flatMap((block) => {
      const unknownTo = (one: Dialect) => {
        const found = parseAssumptions(block, path, one);
        return !Array.isArray(found) && found.unknown !== undefined;
      };
      if (!unknownTo(dialect) || unknownTo(other)) return assumptionsFromScenario(block, scenario, dialect);
      const [name = ''] = Object.keys(Object.values(block)[0] ?? {});
      warn(`scenario ${path}: assume: ${JSON.stringify(block)}: ${noEffect(dialect, name)}`);
      return [];
    });
  });
}

function noEffect(dialect: Dialect, name: string): string {
  return acceptsWithoutEffect(dialect, name)
    ? `${dialect.version} accepts it without effect`
    : `${dialect.version} does not know it: no effect there`;
}
