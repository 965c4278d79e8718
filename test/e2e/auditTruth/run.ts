import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isRecording } from '../../recordings/recording.ts';
import { median } from '../../recordings/replay.ts';
import { recordIncident } from '../random/recordIncident.ts';
import { heldAgainstAudit, type Compared } from './heldAgainstAudit.ts';
import { worldOfSeed } from './worldOfSeed.ts';

/** The share of outcomes that must be right, and the allowed error of downtimes (median). */
const LEAST_RIGHT = 0.97;
const MAX_OFF = 0.1;

/**
 * npm run e2e -- audit-truth [--worlds N] [--first-seed S] [--out DIR] [--report FILE]: in each world every cluster
 * fails and comes back, and each workload's result is compared with the audit of the state before. `--worlds 0`
 * compares the content of DIR again. Returns the exit code.
 */
export async function runAuditTruth(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      worlds: { type: 'string', default: '3' },
      'first-seed': { type: 'string', default: '1' },
      out: { type: 'string', default: 'node_modules/.cache/e2e/audit-truth' },
      report: { type: 'string' },
    },
  });
  const { out } = values;
  const first = Number(values['first-seed']);
  for (let seed = first; seed < first + Number(values.worlds); seed++) {
    const began = performance.now();
    await recordIncident(worldOfSeed(seed), out, (line) =>
      console.log(`world ${seed}: ${((performance.now() - began) / 1000).toFixed(0)} s ${line}`),
    );
  }
  const folders = existsSync(out)
    ? readdirSync(out)
        .sort()
        .map((name) => join(out, name))
        .filter(isRecording)
    : [];
  const compared = folders.flatMap((folder) => {
    const all = heldAgainstAudit(folder);
    for (const one of all) if (!isRight(one)) console.log(`${folder} ${text(one)}`);
    return all;
  });
  if (values.report) writeFileSync(values.report, JSON.stringify(compared, undefined, 1));
  return summary(folders.length, compared) ? 0 : 1;
}

function isRight({ said, seen }: Compared): boolean {
  return said === seen;
}

function text({ workload, certain, said, seen, downtime }: Compared): string {
  const times = downtime ? `; missing ${seconds(downtime.said)}, was ${seconds(downtime.seen)}` : '';
  return `${workload}${certain ? ' (certain)' : ''}: said ${said}, was ${seen}${times}`;
}

function seconds(given: number | null): string {
  return given === null ? 'lasting' : `${given.toFixed(1)} s`;
}

/** The relative error of a downtime, by the longer one; 1 if only one of them ends. */
function offBy({ said, seen }: NonNullable<Compared['downtime']>): number {
  if (said === null || seen === null) return said === seen ? 0 : 1;
  return Math.abs(said - seen) / Math.max(said, seen);
}

/** Prints how much was right; returns whether that suffices. */
function summary(failures: number, compared: readonly Compared[]): boolean {
  const count = (all: readonly Compared[]) => {
    const right = all.filter(isRight).length;
    return `${right} of ${all.length} (${((100 * right) / all.length).toFixed(1)} %)`;
  };
  const own = compared.filter(({ isOnIt }) => isOnIt);
  const certain = compared.filter((one) => one.certain);
  const wrong = certain.filter((one) => !isRight(one)).length;
  const downtimes = own.flatMap(({ downtime }) => downtime ?? []);
  const toTheEnd = downtimes.filter(({ said, seen }) => said === null && seen === null);
  const off = downtimes.filter((one) => !toTheEnd.includes(one)).map(offBy);
  const middle = median(off) ?? 0;
  console.log(
    `${failures} failures; outcomes right: ${count(compared)}, of workloads on the cluster ${count(own)}`,
  );
  console.log(`called certain: ${certain.length}, of these wrong: ${wrong}`);
  console.log(
    `downtimes: ${toTheEnd.length} that last, as said; ${off.length} others, off by ${(100 * middle).toFixed(1)} % (median)`,
  );
  const isEnough = own.filter(isRight).length >= LEAST_RIGHT * own.length;
  return own.length > 0 && wrong === 0 && isEnough && middle <= MAX_OFF;
}
