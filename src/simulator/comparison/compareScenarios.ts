import type { MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import type { Scenario } from '../scenario.ts';
import { setStage } from '../simulation/stage.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import type { ListedOutcome, SimulationEnd } from '../verdicts/outcome.ts';
import { endOfUnchanged } from '../verdicts/outcomes.ts';
import {
  differenceOf,
  bySecondSimulation,
  type SimulatedScenario,
  type SimulatedWorkloads,
  simulateScenario,
  type WorkloadDifference,
  type WorkloadPair,
} from './differences.ts';

/** Two starts, possibly the same, with the behaviour of members on each. */
interface ComparedStarts {
  from: StartingWorld;
  to: StartingWorld;
  members: MemberAssumptions;
}

/** Other processing orders, tried if anything differs. */
interface TriedOrders {
  /** how many; 0: none */
  orders: number;
  /** how many scenarios share this budget */
  share: number;
}

/**
 * Simulates a scenario on both starts, and lists the workloads whose outcomes differ, in the order of the second start.
 */
type ScenarioComparison = (
  scenarios: { from: Scenario; to: Scenario },
  tried: TriedOrders,
) => WorkloadDifference[];

interface Difference extends WorkloadPair {
  key: string;
  difference: WorkloadDifference;
}

/** Compares scenarios one by one. Workloads that no scenario touches are judged and compared only once. */
export function scenarioComparison({ from, to, members }: ComparedStarts): ScenarioComparison {
  const alone = { from: untouchedWorkloads(from, members), to: untouchedWorkloads(to, members) };
  const known = new Map<string, Difference[]>();

  /** The differences between workloads that no scenario touches. */
  function apart(a: SimulationEnd, b: SimulationEnd): readonly Difference[] {
    const [ofFrom, ofTo] = [alone.from(a), alone.to(b)];
    if (ofFrom === ofTo) return [];
    const ends = `${endOfUnchanged(a)} ${endOfUnchanged(b)}`;
    let found = known.get(ends);
    if (!found) {
      const keys = new Set([...ofTo.keys(), ...ofFrom.keys()]);
      found = [...keys].flatMap((key) => different(key, { from: ofFrom.get(key), to: ofTo.get(key) }));
      known.set(ends, found);
    }
    return found;
  }

  return (scenarios, { orders, share }) => {
    const a = simulateScenario(from, scenarios.from);
    const b = simulateScenario(to, scenarios.to);
    const compare = (ofFrom: SimulatedWorkloads, ofTo: SimulatedWorkloads) => {
      const touched = new Set([...ofTo.keys(), ...ofFrom.keys()]);
      const pairOf = (key: string): WorkloadPair => ({
        from: ofFrom.has(key) ? ofFrom.get(key) : alone.from(a.ended).get(key),
        to: ofTo.has(key) ? ofTo.get(key) : alone.to(b.ended).get(key),
      });
      return [
        ...apart(a.ended, b.ended).filter(({ key }) => !touched.has(key)),
        ...[...touched].flatMap((key) => different(key, pairOf(key))),
      ]
        .sort(bySecondSimulation)
        .map(({ difference }) => difference);
    };
    const differences = compare(a.touched, b.touched);
    if (orders === 0 || differences.length === 0) return differences;
    const inOrders = (played: SimulatedScenario) => played.inOtherOrders(orders, share);
    return compare(inOrders(a), inOrders(b));
  };
}

function different(key: string, pair: WorkloadPair): Difference[] {
  const difference = differenceOf(pair);
  return difference ? [{ ...pair, key, difference }] : [];
}

type Untouched = ReadonlyMap<string, ListedOutcome>;

/** The outcomes of the workloads that no scenario on this start touches, by the end of the simulation. */
function untouchedWorkloads(start: StartingWorld, members: MemberAssumptions) {
  const known = byStart.get(start) ?? new Map<string, Untouched>();
  byStart.set(start, known);
  return (end: SimulationEnd): Untouched => {
    let found = known.get(endOfUnchanged(end));
    if (!found) {
      const scenario = { start: start.start, members, events: [] };
      found = setStage(start, scenario, { outcomesAlone: true }).outcomes.untouched(end);
      known.set(endOfUnchanged(end), found);
    }
    return found;
  };
}

const byStart = new WeakMap<StartingWorld, Map<string, Untouched>>();
