import { spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { cluster, deployment, world } from '../simulator/simulation/controlPlane.ts';
import { program } from '../program.ts';
import { root } from './cli.ts';
import type { LiveServer } from './liveServer.ts';

/** Clusters with these names, a policy that taints failing ones, and a workload that may run on two of them. */
export function fleet(...names: string[]): KubernetesObject[] {
  const web = deployment('web', {
    placement: { clusterAffinity: { clusterNames: ['east-1', 'west-1'] } },
    replicas: 2,
    clusters: [{ name: 'east-1', replicas: 2 }],
  });
  return servedWithPolicies([...names.map((name) => cluster(name)), web]);
}

/** Objects as an API server has them, and a policy that taints failing clusters. */
export function servedWithPolicies(objects: readonly object[]): KubernetesObject[] {
  const policies = world([], []).taintPolicies.map((policy) => ({
    ...policy,
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
  }));
  return [...objects, ...policies].map((object) => {
    const { metadata } = object as KubernetesObject;
    return { ...object, metadata: { ...metadata, uid: `uid-${metadata.name}`, resourceVersion: '5' } };
  }) as KubernetesObject[];
}

/** An exporter in its own process, that audits as often as allowed. */
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

/** The response of a server on this machine; undefined while none listens. */
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

/** Waits for a condition, ten minutes at most: with other processes running, one may be slow. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await isSo()); turn++) {
    if (turn > 6000) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Why a test cannot run without this tool of Debian's package prometheus; undefined if it is installed. CI installs it, and skips
 * nothing.
 */
export function lacking(tool: 'promtool' | 'prometheus'): string | undefined {
  if (spawnSync(tool, ['--version']).status === 0) return undefined;
  if (process.env['NOTHING_SKIPPED']) throw new Error(`${tool} is missing: apt-get install prometheus`);
  return `skipped: ${tool} is missing (apt-get install prometheus)`;
}
