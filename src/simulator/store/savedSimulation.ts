import type { Copy, Member } from '../../karmada/controllers/kinds.ts';
import type { SavedQueues } from '../../karmada/queues/savedQueues.ts';
import { defaultMembers, type MemberAssumptions } from '../../karmada/members/memberAssumptions.ts';
import type { ScenarioEvent } from '../scenario.ts';
import type { World } from '../../karmada/world.ts';

/** A world, possibly saved by a simulation, from which the next one continues. */
export interface ResumableWorld extends World {
  simulation?: SavedSimulation;
}

/** The state besides the objects that a simulation needs to resume seamlessly. Plain JSON. */
export interface SavedSimulation {
  /** by name */
  members: Record<string, Member>;
  /** by key */
  copies: Record<string, Copy>;
  queues: SavedQueues;
  assumptions: MemberAssumptions;
  /** the remaining events of the scenario */
  events: ScenarioEvent[];
  /** epoch milliseconds of the last external event */
  lastEvent: number;
  /** by "apiVersion/kind": sample statuses of custom resources, see `sampleStatuses` */
  reported?: Record<string, unknown>;
  /** the number of events reported in its timeline */
  told: number;
  flapping: SavedFlapping;
}

/** A workload that Karmada keeps moving back and forth. */
export interface Flapping {
  /** milliseconds from one return to the same placement to the next */
  period: number;
  /** the reason of its eviction tasks: TaintUntolerated, ApplicationFailure */
  cause: string;
}

/** The history of bindings that return to an earlier placement. */
export interface SavedFlapping {
  /** epoch milliseconds of the last change that was not part of a cycle */
  newsAt: number;
  cyclesAlone: boolean;
  /** by binding: the instants of each placement */
  seen: Record<string, { at: Record<string, number[]>; last?: string; cause?: string; flapping?: Flapping }>;
}

/**
 * The behaviour of members in a world: the default, or as in the simulation that saved it, if one did.
 *
 * @param readyAfter milliseconds until new replicas are ready; undefined: the default
 */
export function usualMembers({ simulation }: ResumableWorld, readyAfter?: number): MemberAssumptions {
  const usual = simulation?.assumptions ?? defaultMembers;
  return readyAfter === undefined ? usual : { ...usual, workloadReadyAfter: readyAfter, guessed: false };
}
