// Reads a state and runs every check of `doctor` on it, in its own process: seconds of CPU for each part.
//   --state FILE
import { parseArgs } from 'node:util';
import { diagnose } from '../../src/analysis/findings/state/diagnose.ts';
import { stateChecks } from '../../src/analysis/findings/state/stateCatalogue.ts';
import type { StateCheck } from '../../src/analysis/findings/state/stateCheck.ts';
import { ports } from '../../src/cli/ports.ts';
import { examinationOf } from '../../src/useCases/doctor/examinationOf.ts';
import { openStateToRead } from '../../src/useCases/state/openState.ts';
import { cpuSeconds } from '../measure.ts';

export interface CheckTimes {
  reading: number;
  /** what the scheduler says to the loss of each cluster */
  bounds: number;
  others: number;
  findings: number;
}

/** The checks that use the bounds: the first of them computes them. */
const OF_BOUNDS: ReadonlySet<string> = new Set([
  ...['no-second-home', 'pinned-config-deleted', 'loss-breaks-spread', 'no-room-elsewhere'],
]);

const { values } = parseArgs({ options: { state: { type: 'string' } } });
const quiet = { ...ports, warn: () => undefined, note: () => undefined };
let began = cpuSeconds();
const state = await openStateToRead({ source: { files: [values.state!] } }, quiet);
const reading = cpuSeconds() - began;

let bounds = 0;
const timed = (check: StateCheck): StateCheck => ({
  ...check,
  find(seen) {
    const start = cpuSeconds();
    const found = check.find(seen);
    bounds += cpuSeconds() - start;
    return found;
  },
});
const checks = stateChecks.map((one) => (OF_BOUNDS.has(one.id) ? timed(one) : one));
began = cpuSeconds();
const { findings } = diagnose(examinationOf(state, state.world.bindings, ports.names), checks);
const others = cpuSeconds() - began - bounds;
console.log(JSON.stringify({ reading, bounds, others, findings: findings.length } satisfies CheckTimes));
