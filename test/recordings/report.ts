import type { ComparedStart } from './compareRecording.ts';
import type { Gap } from './gaps.ts';
import { median } from './replay.ts';

/** A recording and its simulations. */
export interface ComparedRecording {
  name: string;
  starts: ComparedStart[];
}

/** The results of comparisons. */
export interface Totals {
  recordings: number;
  starts: number;
  bindings: Tally;
  /** only from the start of each recording */
  fromStart: Tally;
  works: Tally;
  /** bindings of certain outcome among those that moved, those of them that deviated, whatever the reason, and that ended elsewhere */
  certain: number;
  certainDiffer: number;
  certainEndElsewhere: number;
  gaps: { workloads: number; medianOff: number; recordedMinutes: number; simulatedMinutes: number };
  errors: number;
}

export interface Tally {
  passed: number;
  failed: number;
  excused: number;
}

export function totals(recordings: ComparedRecording[]): Totals {
  const starts = recordings.flatMap((recording) => recording.starts);
  const different = starts.flatMap(({ bindings }) => bindings.different);
  const certain = different.filter((one) => one.certain);
  const gaps = starts.flatMap((start) => start.gaps);
  const minutes = (seconds: number[]) => seconds.reduce((sum, one) => sum + one, 0) / 60;
  return {
    recordings: recordings.length,
    starts: starts.length,
    bindings: tally(starts.map(({ bindings }) => bindings)),
    fromStart: tally(recordings.flatMap(({ starts: [first] }) => (first ? [first.bindings] : []))),
    works: tally(starts.map(({ works }) => works)),
    certain: starts.reduce((sum, start) => sum + start.certain, 0),
    certainDiffer: certain.length,
    certainEndElsewhere: certain.filter(
      ({ recorded, simulated }) => recorded.at(-1)?.placement !== simulated.at(-1)?.placement,
    ).length,
    gaps: {
      workloads: gaps.filter(isGap).length,
      medianOff: median(gapsOff(gaps)) ?? 0,
      recordedMinutes: minutes(gaps.map(({ recorded }) => recorded)),
      simulatedMinutes: minutes(gaps.map(({ simulated }) => simulated)),
    },
    errors: starts.filter(({ error }) => error !== undefined).length,
  };
}

function tally(compared: { same: string[]; different: { race?: string }[] }[]): Tally {
  const different = compared.flatMap((one) => one.different);
  const excused = different.filter(({ race }) => race !== undefined).length;
  return {
    passed: compared.reduce((sum, { same }) => sum + same.length, 0),
    failed: different.length - excused,
    excused,
  };
}

/** Momentary gaps count as none. */
function isGap({ recorded, simulated }: Gap): boolean {
  return Math.max(recorded, simulated) >= 1;
}

/** The relative difference between the recorded and the simulated gap of each workload, by the larger one, ascending. */
export function gapsOff(gaps: Gap[]): number[] {
  return gaps
    .filter(isGap)
    .map(({ recorded, simulated }) => Math.abs(recorded - simulated) / Math.max(recorded, simulated))
    .sort((a, b) => a - b);
}

const clock = (time: number) => new Date(time).toISOString().slice(11, 23);
const percent = ({ passed, failed }: Tally) =>
  passed + failed === 0 ? '–' : `${((100 * passed) / (passed + failed)).toFixed(1)} %`;

/** A recording in words: one line per start, and the differences. */
export function describeRecording({ name, starts }: ComparedRecording): string[] {
  return starts.flatMap((start) => {
    const { at, bindings, works, gaps, off, error } = start;
    const [ours, theirs] = [tally([bindings]), tally([works])];
    const lines = [
      `${name} ${clock(at)}  bindings ${tallyText(ours)}, Works ${tallyText(theirs)}; steps off by ${(median(off) ?? 0).toFixed(1)} s, gaps by ${(100 * (median(gapsOff(gaps)) ?? 0)).toFixed(0)} % (medians)`,
    ];
    if (error) lines.push(`  no simulation: ${error}`);
    for (const { key, recorded, simulated, race, certain } of bindings.different) {
      lines.push(`  differs: ${key}${race ? ` (race: ${race})` : certain ? ' (called certain)' : ''}`);
      for (const [title, steps] of [
        ['recorded ', recorded],
        ['simulated', simulated],
      ] as const)
        for (const { time, placement } of steps) lines.push(`    ${title} ${clock(time)} ${placement}`);
    }
    for (const { key, recorded, simulated, race } of works.different) {
      const text = (steps: typeof recorded) =>
        steps.map(({ time, what }) => `${what} ${clock(time)}`).join(', ');
      lines.push(
        `  Work differs: ${key}${race ? ` (race: ${race})` : ''}: recorded ${text(recorded) || 'nothing'}; simulated ${text(simulated) || 'nothing'}`,
      );
    }
    return lines;
  });
}

/** The results of all recordings, in words. */
export function describeTotals(all: Totals): string[] {
  const { bindings, fromStart, works, gaps } = all;
  return [
    `${all.recordings} recordings, ${all.starts} starts${all.errors ? `, ${all.errors} of them without a simulation` : ''}`,
    `bindings: ${tallyText(bindings)} (${percent(bindings)}); from the start ${tallyText(fromStart)} (${percent(fromStart)})`,
    `Works: ${tallyText(works)} (${percent(works)})`,
    `called certain: ${all.certain} of ${bindings.passed + bindings.failed + bindings.excused}; ${all.certainDiffer} of these differ, ${all.certainEndElsewhere} end elsewhere`,
    `gaps of ${gaps.workloads} workloads: off by ${(100 * gaps.medianOff).toFixed(1)} % (median); ${gaps.recordedMinutes.toFixed(1)} minutes recorded, ${gaps.simulatedMinutes.toFixed(1)} simulated`,
  ];
}

function tallyText({ passed, failed, excused }: Tally): string {
  return `${passed} passed, ${failed} failed${excused ? `, ${excused} races` : ''}`;
}
