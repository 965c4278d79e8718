import { spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { cluster, deployment, world } from '../simulator/simulation/controlPlane.ts';
import { program } from '../program.ts';
import { root } from './cli.ts';
import type { LiveServer } from './liveServer.ts';

/** Clusters by these names, a policy that taints those that fail, and a workload that may run on two of them. */
export function fleet(...names: string[]): KubernetesObject[] {
  const web = deployment('web', {
    placement: { clusterAffinity: { clusterNames: ['east-1', 'west-1'] } },
    replicas: 2,
    clusters: [{ name: 'east-1', replicas: 2 }],
  });
  const policies = world([], []).taintPolicies.map((policy) => ({
    ...policy,
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
  }));
  return [...names.map((name) => cluster(name)), web, ...policies].map((object) => {
    const { metadata } = object as KubernetesObject;
    return { ...object, metadata: { ...metadata, uid: `uid-${metadata.name}`, resourceVersion: '5' } };
  }) as KubernetesObject[];
}

/** An exporter in a process of its own, that audits as often as it may. */
export function startExporter(server: Pick<LiveServer, 'kubeconfig'>, port: number, ...argv: string[]) {
  const known = ['--assume', 'Failover=true', '--assume', 'enable-no-execute-taint-eviction=true'];
  known.push('--karmada-version', 'v1.18', '--every', '100ms');
  const where = ['--bind-address', `127.0.0.1:${port}`];
  const child = spawn(...program('exporter', 'run', ...known, ...where, ...argv), {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], KUBECONFIG: server.kubeconfig },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    ended,
    stderr: () => stderr,
    stop: (signal: NodeJS.Signals = 'SIGTERM') => void child.kill(signal),
  };
}

/** What a server on this machine says; undefined while nobody listens. */
export function ask(port: number, path: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ status: number | undefined; headers: object; body: string } | undefined>((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    asked.on('error', () => resolve(undefined)).end();
  });
}

/** Waits until it is so, ten minutes at most: processes beside others may get little time. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await isSo()); turn++) {
    if (turn > 6000) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Why a test cannot run without this program of Debian's package prometheus; undefined if it is there. CI installs it, and skips nothing. */
export function lacking(tool: 'promtool' | 'prometheus'): string | undefined {
  if (spawnSync(tool, ['--version']).status === 0) return undefined;
  if (process.env['NOTHING_SKIPPED']) throw new Error(`${tool} is missing: apt-get install prometheus`);
  return `skipped: ${tool} is missing (apt-get install prometheus)`;
}
