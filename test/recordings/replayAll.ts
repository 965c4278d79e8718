import { basename } from 'node:path';
import { compareRecording } from './compareRecording.ts';
import { readRecording } from './recording.ts';
import { describeRecording, describeTotals, totals, type ComparedRecording, type Totals } from './report.ts';

/** Recordings and the results of their comparisons. */
export interface Replayed {
  totals: Totals;
  recordings: ComparedRecording[];
}

/**
 * Simulates the recordings in those folders, each from its start and from its quiet moments at least this many seconds apart, and reports
 * agreements and differences, finally as "N passed, M failed".
 */
export function replayAll(
  folders: string[],
  everySeconds: number,
  { detail, summary }: Record<'detail' | 'summary', (line: string) => void>,
): Replayed {
  const recordings = folders.map((folder) => {
    const compared = {
      name: basename(folder),
      starts: compareRecording(readRecording(folder), everySeconds),
    };
    for (const line of describeRecording(compared)) detail(line);
    return compared;
  });
  const all = totals(recordings);
  for (const line of describeTotals(all)) summary(line);
  summary(`${all.bindings.passed} passed, ${all.bindings.failed} failed`);
  return { totals: all, recordings };
}
