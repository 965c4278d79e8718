import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareRecording, type ComparedStart } from './compareRecording.ts';
import { readRecording } from './recording.ts';

// Random incidents on real Karmada v1.18.2 (npm run e2e -- random), those that differed most when recorded. The other-* come from another
// generator: more members, policies for labels and namespaces, members that fail together or flap, taints that change while they are
// tolerated. known-differences.json lists what still differs, which may only shrink, and how many bindings agree without being excused as a
// race, which may only grow.
const data = join(import.meta.dirname, 'data', 'incidents');
const known = JSON.parse(readFileSync(join(data, 'known-differences.json'), 'utf8')) as Record<
  string,
  { fromStart: string[]; fromTheMiddle: number; agree: { fromStart: number; fromTheMiddle: number } }
>;

const differing = ({ bindings }: ComparedStart) =>
  bindings.different.filter(({ race }) => race === undefined).map(({ key }) => key);

/** The one whose simulations a quick run compares; `incidents.long.test.ts` has the others. */
export const QUICK = ['0017a'];
export const ALL = Object.keys(known);

/** Compares an incident with its simulations, including those from the middle. */
export function goesAsRecorded(name: string): void {
  const { fromStart, fromTheMiddle, agree } = known[name]!;
  const [first, ...later] = compareRecording(readRecording(join(data, name)), 30);

  test('every binding takes its recorded steps, except for known differences', () => {
    expect(first!.error).toBeUndefined();
    // a known difference that now agrees is not known any longer
    expect(differing(first!).sort()).toEqual(fromStart);
    expect(first!.bindings.same.length).toBeGreaterThanOrEqual(agree.fromStart);
  });

  test('no workload with certainty "certain" differs, whatever the reason', () => {
    const different = [first!, ...later].flatMap(({ bindings }) => bindings.different);
    expect(different.filter(({ certain }) => certain).map(({ key }) => key)).toEqual([]);
  });

  test('simulations from later moments have the known number of differences', () => {
    expect(later.flatMap(differing).length).toBe(fromTheMiddle);
    expect(later.flatMap(({ bindings }) => bindings.same).length).toBeGreaterThanOrEqual(agree.fromTheMiddle);
  });
}
