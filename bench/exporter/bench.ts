// Runs the exporter on a control plane that changes all the time: its share of a core after the first audit, the age of its answer, and
// whether its memory grows. Fails if an answer is missing, never on time. Reads /proc, so Linux only.
//   --bindings 1000  --clusters 50  --changes 50 (a second)  --seconds 120  --every 30s
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { BIN, hasCommand, printTable, readable } from '../measure.ts';
import { stateFile } from '../stateFile.ts';

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '1000' },
    clusters: { type: 'string', default: '50' },
    changes: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '120' },
    every: { type: 'string', default: '30s' },
  },
});
/** The run is measured after each of this many parts. */
const PARTS = 6;
/** Clock ticks per second, as /proc counts. */
const TICKS = 100;

if (!hasCommand('exporter', 'run'))
  console.log('  nothing measured: there is no command "exporter run" here');
else await measure();

async function measure(): Promise<void> {
  const { file } = await stateFile({
    bindings: Number(values.bindings),
    clusters: Number(values.clusters),
    seed: 1,
    works: false,
  });
  const serve = ['scripts/run-ts.mjs', 'bench/keys/server.ts', file, values.changes];
  const server = spawn(process.execPath, serve, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [kubeconfig] = (await once(createInterface(server.stdout), 'line')) as [string];
  const port = await freePort();
  const exporter = spawn(
    process.execPath,
    [
      ...[BIN, 'exporter', 'run', '--every', values.every, '--bind-address', `127.0.0.1:${port}`],
      ...['--kubeconfig', kubeconfig, '--karmada-version', 'v1.18', '--assume', 'Failover=true'],
      ...['--assume', 'enable-no-execute-taint-eviction=true'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  try {
    const began = Date.now();
    while ((await metric(port, 'karmada_failover_audit_duration_seconds')) === undefined) {
      if (exporter.exitCode !== null) throw new Error(`the exporter ended with ${exporter.exitCode}`);
      await seconds(1);
    }
    console.log(
      `  ${values.bindings} bindings, ${values.clusters} clusters, ${values.changes} changes a second; first answer after ${readable((Date.now() - began) / 1000)} s, ${readable(cpu(exporter.pid!))} s of CPU`,
    );
    const rows = [['after', 'of a core; target 30 %', 'memory', 'age of the answer', 'last audit']];
    for (let part = 1; part <= PARTS; part++) {
      const [before, at] = [cpu(exporter.pid!), Date.now()];
      let oldest = 0;
      while (Date.now() - at < (Number(values.seconds) / PARTS) * 1000) {
        await seconds(1);
        oldest = Math.max(oldest, (await metric(port, 'karmada_failover_audit_age_seconds')) ?? 0);
      }
      const share = (cpu(exporter.pid!) - before) / ((Date.now() - at) / 1000);
      const took = await metric(port, 'karmada_failover_audit_duration_seconds');
      rows.push([
        `${readable((part * Number(values.seconds)) / PARTS)} s`,
        `${readable(share * 100)} %`,
        `${readable(memory(exporter.pid!))} MiB`,
        `${readable(oldest)} s`,
        `${readable(took ?? NaN)} s`,
      ]);
      if (took === undefined) process.exitCode = 1;
    }
    printTable(rows);
  } finally {
    exporter.kill();
    server.kill();
  }
}

/** The value of a metric without labels; undefined while there is none. */
async function metric(port: number, name: string): Promise<number | undefined> {
  // an idle connection may have been closed
  const asked = () => fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
  const answer = (await asked()) ?? (await asked());
  const found = new RegExp(`^${name} (.*)$`, 'm').exec((await answer?.text()) ?? '');
  return found ? Number(found[1]) : undefined;
}

/** Seconds of CPU time of a process, over all its threads. */
function cpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Resident memory of a process, in MiB. */
function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

function seconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
