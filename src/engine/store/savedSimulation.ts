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
}
