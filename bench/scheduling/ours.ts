// Child process of the scheduling bench: schedules the bindings in several passes and prints the rate as JSON. Each pass compiles the
// clusters again and gets fresh objects, so that nothing is cached between passes; garbage from creating them is collected before the clock
// starts.
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClusterSnapshot } from '../../src/karmada/scheduling/clusterSnapshot.ts';
import { schedulerOptions } from '../../src/karmada/scheduling/schedulerOptions.ts';
import { schedule } from '../../src/karmada/scheduling/schedule.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { cpuSeconds, median } from '../measure.ts';
import { readWorkload, type Answer, type Workload } from './workload.ts';

export interface OurRate {
  /** over all passes */
  bindingsPerCpuSecond: number;
  /** of the first pass, which V8 mostly interprets */
  firstPass: number;
  differentAnswers: number;
}

const { values } = parseArgs({
  options: {
    workload: { type: 'string', default: 'bench/data' },
    clusters: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '2' },
  },
});
const workload = readWorkload(values.workload, Number(values.clusters));
const text = JSON.stringify({ bindings: workload.bindings, clusters: workload.clusters });

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' }) => void;

const rates: number[] = [];
let used = 0;
let scheduled = 0;
let differentAnswers = 0;
while (used < Number(values.seconds)) {
  const { bindings, clusters } = JSON.parse(text) as Workload;
  // a full collection would make V8 forget the shapes of the objects
  collectGarbage({ type: 'minor' });
  const started = cpuSeconds();
  const answers = scheduleAll(bindings, clusters);
  const seconds = cpuSeconds() - started;
  if (rates.length === 0) differentAnswers = differences(answers, workload.results);
  rates.push(bindings.length / seconds);
  used += seconds;
  scheduled += bindings.length;
}
const result: OurRate = { bindingsPerCpuSecond: scheduled / used, firstPass: rates[0]!, differentAnswers };
console.log(JSON.stringify({ ...result, median: median(rates) }));

function scheduleAll(bindings: Workload['bindings'], clusters: Workload['clusters']): Answer[] {
  const snapshot = createClusterSnapshot(clusters, schedulerOptions(dialectOf('v1.18.2').dialect.defaults));
  return bindings.map(({ spec, status }) => {
    const result = schedule(snapshot, spec, status);
    return 'error' in result ? { error: result.error.kind } : { clusters: result.clusters };
  });
}

function differences(answers: readonly Answer[], expected: readonly Answer[]): number {
  return answers.filter((answer, index) => comparable(answer) !== comparable(expected[index]!)).length;
}

function comparable({ clusters = [], error = '' }: Answer): string {
  return JSON.stringify([error, clusters.map(({ name, replicas = 0 }) => `${name} ${replicas}`).sort()]);
}
