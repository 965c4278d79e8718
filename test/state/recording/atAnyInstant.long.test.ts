import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openRecording } from '../../../src/state/recording/recording.ts';
import { lastAt, recordingPlace, recordTurns, shown, START, turns, wasShown } from './recorded.ts';

const place = recordingPlace();
afterAll(() => place.end());

describe('a recording', () => {
  test('shows the recorded world at any time, in any order of requests', async () => {
    await fc.assert(
      fc.asyncProperty(turns(40), fc.array(fc.nat(60_000), { maxLength: 8 }), async (plan, instants) => {
        const file = place.file();
        const moments = await recordTurns(file, plan);
        const recording = await openRecording([file]);
        expect([recording.from, recording.to, recording.isTorn]).toEqual([START, moments.at(-1)!.at, false]);
        expect(recording.ended).toBe('it was over');
        for (const { at } of [...moments, ...instants.map((one) => ({ at: START + one }))])
          expect(shown(recording.worldAt(at))).toEqual(wasShown(lastAt(moments, at)));
      }),
      { numRuns: 25 },
    );
  });
});
