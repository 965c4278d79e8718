import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { replayAll } from '../../recordings/replayAll.ts';
import { incidentOfSeed } from './incidentOfSeed.ts';
import { recordIncident } from './recordIncident.ts';

/**
 * npm run e2e -- random --seeds N [--first-seed S] [--out DIR] [--report FILE]: plays random incidents, records them and compares them with
 * their simulations. Returns the exit code.
 */
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
  const folders: string[] = [];
  let notRecorded = 0;
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    const began = performance.now();
    const log = (line: string) =>
      console.log(`seed ${seed}: ${((performance.now() - began) / 1000).toFixed(0)} s ${line}`);
    try {
      folders.push(...(await recordIncident(incidentOfSeed(seed), values.out, log)));
    } catch (error) {
      notRecorded++;
      log(`not recorded: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const all = replayAll(folders, 10, { detail: console.log, summary: console.log });
  if (values.report) writeFileSync(values.report, JSON.stringify(all, undefined, 1));
  return all.totals.bindings.failed > 0 || notRecorded > 0 ? 1 : 0;
}
