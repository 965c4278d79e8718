import { afterAll, describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { reconstructedHistory } from '../../src/analysis/history/reconstructedHistory.ts';
import { openRecording } from '../../src/state/recording/recording.ts';
import { recordedHistory } from '../../src/useCases/timeline/recordedHistory.ts';
import { failoverOn } from '../simulator/simulation/controlPlane.ts';
import { recordingPlace } from '../state/recording/recorded.ts';
import { writeRecordedFile } from './recordedFile.ts';
import { readRecording } from './recording.ts';
import { contradictions } from './reconstructedAndSeen.ts';

// What a state still shows of an incident on real Karmada, compared with everything observed of it. It may report less, and says what it
// does not know; what it reports must be true.
const data = join(import.meta.dirname, 'data', 'incidents');
const incidents = readdirSync(data, { withFileTypes: true }).filter((one) => one.isDirectory());
const MOMENTS = 6;

const place = recordingPlace();
afterAll(place.end);

describe.each(incidents.map(({ name }) => name))('random incident %s', (name) => {
  test('a timeline that is reconstructed from any of its states agrees with the recording', async () => {
    const file = place.file();
    await writeRecordedFile(readRecording(join(data, name)), file);
    const recording = await openRecording([file]);
    const { from, to } = recording;
    const moments = Array.from({ length: MOMENTS }, (_, i) => from + ((to - from) * (i + 1)) / MOMENTS);
    const reported = moments.map((at) => reconstructedHistory(recording.worldAt(at), at, failoverOn));
    const wrong = reported.flatMap((one) =>
      contradictions(one, recordedHistory(recording, one.end, failoverOn)),
    );
    expect(wrong).toEqual([]);
    expect(reported.some(({ evictions }) => evictions.length > 0)).toBe(true);
    expect(reported.every(({ doubts }) => doubts.length > 0)).toBe(true);
  });
});
