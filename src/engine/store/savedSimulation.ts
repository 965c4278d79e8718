import type { Copy, Member } from '../controllers/kinds.ts';
import type { SavedQueues } from '../controllers/savedQueues.ts';
import type { MemberAssumptions, ScenarioEvent } from '../scenario.ts';
import type { World } from '../world.ts';

/** A world that a simulation may have saved: the next one then goes on from there. */
export interface ResumableWorld extends World {
  simulation?: SavedSimulation;
}

/** What a simulation needs beside the objects of a control plane to go on as if it had never been saved. Plain JSON. */
export interface SavedSimulation {
  /** by name */
  members: Record<string, Member>;
  /** by key */
  copies: Record<string, Copy>;
  queues: SavedQueues;
  assumptions: MemberAssumptions;
  /** what the scenario has still to bring */
  events: ScenarioEvent[];
  /** epoch milliseconds: nothing has come, or comes, from outside after that */
  lastEvent: number;
  /** by "apiVersion/kind": how custom resources report themselves, see `sampleStatuses` */
  reported?: Record<string, unknown>;
  /** how many events its timeline has told of */
  told: number;
  flapping: SavedFlapping;
}

/** A workload that Karmada moves to and fro without end. */
export interface Flapping {
  /** milliseconds from one time that it is placed so to the next */
  period: number;
  /** the reason of its evictions, as the tasks give it: TaintUntolerated, ApplicationFailure */
  cause: string;
}

/** What has been seen so far of bindings that come back to where they were. */
export interface SavedFlapping {
  /** epoch milliseconds; when something last happened that was no cycle */
  newsAt: number;
  cyclesAlone: boolean;
  /** by binding: the instants at which it was placed so, by placement */
  seen: Record<string, { at: Record<string, number[]>; last?: string; cause?: string; flapping?: Flapping }>;
}
