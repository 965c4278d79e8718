// node scripts/run-ts.mjs test/commands/killedRecorders.ts [RUNS] [FLAGS OF record…]: kills recorders (kill -9) at random instants during
// fifty changes a second, and prints how much of the time before is missing in their files.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecording } from '../../src/state/recording/recording.ts';
import { shop } from '../state/recording/recorded.ts';
import { liveServer } from './liveServer.ts';
import { program } from '../program.ts';

/** Milliseconds between two changes, and the latest kill after the file was made. */
const [EVERY, LATEST] = [20, 4000];

const [runs = '50', ...flags] = process.argv.slice(2);
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const server = await liveServer(shop());
const folder = mkdtempSync(join(tmpdir(), 'killed-'));
const { namespace, name } = server.store.all().find(({ kind }) => kind === 'ResourceBinding')!.metadata;
const path = `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings/${name}`;
/** when the binding got this many replicas; epoch milliseconds */
const written: number[] = [];
const writing = setInterval(() => {
  server.store.patch(path, { spec: { replicas: written.push(Date.now()) } });
}, EVERY);

const lost: number[] = [];
const problems: string[] = [];
for (let run = 0; run < Number(runs); run++) {
  const file = join(folder, `${run}.rec`);
  const recorder = spawn(...program('record', file, ...flags), {
    env: { ...process.env, KUBECONFIG: server.kubeconfig },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => recorder.on('exit', resolve));
  while (!existsSync(file) && recorder.exitCode === null) await wait(EVERY);
  await wait(Math.random() * LATEST);
  const killed = Date.now();
  recorder.kill('SIGKILL');
  await ended;
  try {
    const recording = await openRecording([file]);
    const last = recording.worldAt(recording.to).bindings.find(({ metadata }) => metadata.name === name);
    lost.push((killed - (written[(last?.spec.replicas ?? 0) - 1] ?? written[0]!)) / 1000);
  } catch (error) {
    problems.push(String(error));
  }
}
clearInterval(writing);
server.close();
rmSync(folder, { recursive: true, force: true });
lost.sort((a, b) => a - b);
const at = (place: number) => lost[Math.floor((lost.length - 1) * place)]?.toFixed(2);
console.log(
  `${runs} recorders killed; not in the file: the last ${at(0.5)} s (median), ${at(0.9)} s (nine of ten), ${at(1)} s (most)`,
);
if (problems.length > 0) console.log(`${problems.length} hold no state: ${problems[0]}`);
process.exit(0);
