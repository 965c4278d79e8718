import { afterAll, describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plainStyle } from '../../src/presentation/text/style.ts';
import { renderText } from '../../src/presentation/text/renderText.ts';
import { openRecording } from '../../src/state/recording/recording.ts';
import { recordedHistory } from '../../src/useCases/timeline/recordedHistory.ts';
import { historyVerdict } from '../../src/views/report/historyReport.ts';
import { timelineAnswer } from '../../src/views/timeline/timelineAnswer.ts';
import { failoverOn } from '../simulator/simulation/controlPlane.ts';
import { recordingPlace } from '../state/recording/recorded.ts';
import { writeRecordedFile } from './recordedFile.ts';
import { plainly } from '../views/shownText.ts';
import { readRecording } from './recording.ts';
import { contradictedSentences } from './sentences.ts';

// Each sentence about a recording, compared only with its changes.
const data = join(import.meta.dirname, 'data', 'incidents');
const incidents = readdirSync(data, { withFileTypes: true }).filter((one) => one.isDirectory());

const place = recordingPlace();
afterAll(place.end);

/** The timeline and the report of an incident, as text. */
async function sentencesOf(name: string): Promise<string> {
  const file = place.file();
  await writeRecordedFile(readRecording(join(data, name)), file);
  const recording = await openRecording([file]);
  const history = recordedHistory(recording, recording.to, failoverOn);
  const answer = timelineAnswer({ history, karmadaVersion: 'v1.18.2', assumptions: [], single: false });
  const texts = [false, true].map((wide) =>
    renderText(answer.presentation({ ...plainly, wide }), { style: plainStyle, width: undefined }),
  );
  return [...texts, historyVerdict(history)].join('\n');
}

describe.each(incidents.map(({ name }) => name))('random incident %s', (name) => {
  test('the recording contradicts no sentence of the timeline or the report', async () => {
    expect(contradictedSentences(readRecording(join(data, name)), await sentencesOf(name))).toEqual([]);
  });
});

test('sentences with a wrong time, cluster or number are detected', async () => {
  const incident = readRecording(join(data, '0017a'));
  const text = await sentencesOf('0017a');
  const wrong = (made: string) => contradictedSentences(incident, made).length;
  expect(wrong(text.replaceAll(/^( *\d{4}-)\d\d/gm, (_, year: string) => `${year}12`))).toBeGreaterThan(50);
  expect(wrong(text.replaceAll('member1', 'member9'))).toBeGreaterThan(5);
  expect(wrong(text.replaceAll(/(\d+) workloads? evicted/g, '99 workloads evicted'))).toBeGreaterThan(1);
});
