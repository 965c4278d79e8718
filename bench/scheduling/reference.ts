import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cacheDirectory } from '../measure.ts';

/** One measurement of Karmada's scheduler. */
export interface ReferenceRate {
  bindingsPerCpuSecond: number;
  differentAnswers: number;
}

export interface Reference {
  /** the source of the rates */
  note: string;
  rate(workload: string, clusters: number, snapshotCopy: boolean): ReferenceRate;
}

interface RecordedRates {
  note: string;
  results: { clusters: number; snapshotCopy: boolean; best: number }[];
}

/**
 * Karmada's own scheduler: built from bench/reference and run now if there is a Go toolchain, otherwise the best rates recorded on another
 * machine.
 */
export function findReference(): Reference {
  const source = resolve('bench/reference');
  const version = spawnSync('go', ['version'], { encoding: 'utf8' });
  if (version.status !== 0) return recorded('no Go toolchain here');
  const hash = createHash('sha256').update(version.stdout);
  for (const file of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(join(source, file)));
  const binary = join(cacheDirectory(), `reference-${hash.digest('hex').slice(0, 12)}`);
  if (!existsSync(binary)) {
    console.log('  building the reference, which downloads Karmada and takes minutes the first time');
    const build = spawnSync('go', ['build', '-o', binary, '.'], { cwd: source, stdio: 'inherit' });
    if (build.status !== 0) return recorded('the reference could not be built');
  }
  return {
    note: 'Karmada v1.18.2, measured in this run',
    rate: (workload, clusters, snapshotCopy) => {
      const args = [`-workload=${workload}`, `-clusters=${clusters}`, `-snapshot-copy=${snapshotCopy}`];
      const { status, stdout, stderr } = spawnSync(binary, args, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`the reference failed: ${stderr}`);
      return JSON.parse(stdout) as ReferenceRate;
    },
  };
}

function recorded(why: string): Reference {
  const { note, results } = JSON.parse(readFileSync('bench/data/throughput.json', 'utf8')) as RecordedRates;
  return {
    note: `Karmada v1.18.2, not measured now (${why}) but recorded elsewhere: best of ${note}`,
    rate: (_workload, clusters, snapshotCopy) => {
      const rate = results.find((r) => r.clusters === clusters && r.snapshotCopy === snapshotCopy);
      if (!rate) throw new Error(`no rate recorded for ${clusters} clusters`);
      return { bindingsPerCpuSecond: rate.best, differentAnswers: 0 };
    },
  };
}
