import { parseArgs } from 'node:util';
import { incidentOfSeed } from './incidentOfSeed.ts';
import { recordIncident } from './recordIncident.ts';

/** npm run e2e -- random --seeds N [--first-seed S] [--out DIR]: lets random incidents happen and compares them. */
export async function runRandomIncidents(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: 'string', default: '1' },
      'first-seed': { type: 'string', default: '1' },
      out: { type: 'string', default: 'node_modules/.cache/e2e/incidents' },
      report: { type: 'string' },
    },
  });
  const first = Number(values['first-seed']);
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    const began = performance.now();
    const log = (line: string) =>
      console.log(`seed ${seed}: ${((performance.now() - began) / 1000).toFixed(0)} s ${line}`);
    try {
      await recordIncident(incidentOfSeed(seed), values.out, log);
    } catch (error) {
      log(`not recorded: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return 0;
}
