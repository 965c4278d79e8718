import type { Random } from '../random.ts';
import type { Json } from '../world.ts';
import type { Workplace } from '../workplace.ts';

/** One input, and its target. */
export interface FuzzCase {
  kind: string;
  /** the command under test, for counting; absent if there is none */
  command?: string;
  /** what may be shrunk while the failure persists */
  input: Json;
  /** the target, in words that allow repeating the case */
  given: string;
  run(input: Json): Promise<string | undefined>;
}

/** Makes a case; only the random numbers decide which one. */
export type Make = (random: Random, place: Workplace) => FuzzCase;
