// Audits all pairs of clusters of a state, in its own process, and simulates a sample of them with all bindings: outcomes and troubles must
// match; differences in downtime are printed.
//   --state FILE   --sample N
import { parseArgs } from 'node:util';
import { ports } from '../../src/cli/ports.ts';
import { createPairScreen } from '../../src/analysis/audit/pairs.ts';
import { troubleOf } from '../../src/analysis/audit/trouble.ts';
import { forecastEvents } from '../../src/analysis/forecast/losses.ts';
import { bindingKey, snapshotKey } from '../../src/karmada/objects/identities.ts';
import type { ScenarioAction } from '../../src/simulator/scenario.ts';
import { usualMembers } from '../../src/simulator/store/savedSimulation.ts';
import { openState } from '../../src/useCases/state/openState.ts';
import { cpuSeconds } from '../measure.ts';

export interface Pairs {
  pairs: number;
  /** of these, not simulated with all bindings */
  combined: number;
  /** how many were simulated both ways, and how many outcomes of workloads differ */
  compared: number;
  different: string[];
  /** seconds by which downtimes differ: the median and the most */
  apart: { median: number; most: number };
  /** seconds of CPU: for all single failures, and for all pairs except those that must be simulated whole */
  cpu: { singles: number; pairs: number };
  /** MiB */
  peak: number;
}

const { values } = parseArgs({
  options: { state: { type: 'string' }, sample: { type: 'string', default: '20' } },
});
const { world, now, configuration } = await openState({ source: { files: [values.state!] } }, ports);
const members = usualMembers(world);
const names = world.clusters.map(({ metadata }) => metadata.name).sort();
const couples = names.flatMap((one, at) =>
  names.slice(at + 1).map((other): [string, string] => [one, other]),
);
const forecast = forecastEvents(world, { start: now, members }, configuration, { forecasts: couples.length });
const bindings = new Map(world.bindings.map((one) => [bindingKey(one), one]));
const keys = new Set(bindings.keys());
const fail = (cluster: string): ScenarioAction => ({ type: 'fail', cluster });
const screen = createPairScreen(forecast, keys, fail, members);
if (!screen) throw new Error('pairs of this state are not combined');

let began = cpuSeconds();
for (const name of names) screen.simulate(name);
const singles = cpuSeconds() - began;
began = cpuSeconds();
const combined = couples.filter(([one, other]) => screen.pair(one, other));
const pairs = cpuSeconds() - began;

const different: string[] = [];
const apart: number[] = [];
const step = Math.max(1, Math.floor(combined.length / Number(values.sample)));
const sample = combined.filter((_, at) => at % step === 0);
for (const couple of sample) {
  const own = [...new Set(couple.flatMap((name) => forecast.on(name)))];
  const brute = new Map(
    forecast.outcomes(couple.map(fail), own, keys).outcomes.map((one) => [snapshotKey(one.binding), one]),
  );
  for (const found of screen.pair(...couple) ?? []) {
    const key = snapshotKey(found.binding);
    const [binding, expected] = [bindings.get(key)!, brute.get(key)];
    brute.delete(key);
    if (
      expected?.outcome !== found.outcome ||
      troubleOf(expected, binding) !== troubleOf(found, binding) ||
      expected.gap?.open !== found.gap?.open
    )
      different.push(`${couple.join('+')} ${key}: ${found.outcome}, not ${expected?.outcome}`);
    else if (expected.gap && found.gap && !found.gap.open)
      apart.push(Math.abs(expected.gap.seconds - found.gap.seconds));
  }
  // a workload that neither cluster touches fares as if nothing failed
  for (const [key, { outcome }] of brute)
    if (own.includes(key) || outcome !== 'stays') different.push(`${couple.join('+')} ${key}: ${outcome}`);
}
apart.sort((a, b) => a - b);
const result: Pairs = {
  pairs: couples.length,
  combined: combined.length,
  compared: sample.length,
  different,
  apart: { median: apart[apart.length >> 1] ?? 0, most: apart.at(-1) ?? 0 },
  cpu: { singles, pairs },
  peak: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(result));
