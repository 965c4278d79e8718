import type { Random } from '../random.ts';
import type { Json } from '../world.ts';
import type { Workplace } from '../workplace.ts';

/** One input, and what it is given to. */
export interface FuzzCase {
  kind: string;
  /** the command that it is given to, to be counted; absent if it is none */
  command?: string;
  /** what may be made smaller while the find stays */
  input: Json;
  /** what it is given to, in words that can be repeated */
  given: string;
  run(input: Json): Promise<string | undefined>;
}

/** Makes a case; the random numbers alone decide which one. */
export type Make = (random: Random, place: Workplace) => FuzzCase;
