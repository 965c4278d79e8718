import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The Go module that pins the components and the versions they are built from. */
export const module = resolve('test/e2e/bed');

/** Package of each component, and the variable its version is linked into. */
const packages = {
  etcd: { path: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': { path: 'k8s.io/kubernetes/cmd/kube-apiserver', version: KUBERNETES() },
  'kube-controller-manager': {
    path: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    version: KUBERNETES(),
  },
  kubectl: { path: 'k8s.io/kubernetes/cmd/kubectl', version: KUBERNETES() },
  'karmada-aggregated-apiserver': karmada('aggregated-apiserver'),
  'karmada-controller-manager': karmada('controller-manager'),
  'karmada-scheduler': karmada('scheduler'),
  'karmada-webhook': karmada('webhook'),
  'karmada-agent': karmada('agent'),
} satisfies Record<string, Package>;

interface Package {
  path: string;
  version?: { of: string; into: string };
}

export type Component = keyof typeof packages;

function KUBERNETES() {
  return { of: 'k8s.io/kubernetes', into: 'k8s.io/component-base/version.gitVersion' };
}

function karmada(command: string): Package {
  const root = 'github.com/karmada-io/karmada';
  return { path: `${root}/cmd/${command}`, version: { of: root, into: `${root}/pkg/version.gitVersion` } };
}

/** Whether there is a Go toolchain to build with. */
export function hasGo(): boolean {
  return spawnSync('go', ['version']).status === 0;
}

function go(...args: string[]): string {
  return execFileSync('go', args, { cwd: module, encoding: 'utf8' }).trim();
}

/** Where Karmada's own sources lie, with the manifests it is installed from. */
export function karmadaSources(): string {
  go('mod', 'download', 'github.com/karmada-io/karmada');
  return go('list', '-m', '-f', '{{.Dir}}', 'github.com/karmada-io/karmada');
}

/** Where binaries are kept: one directory for each set of versions. */
export function binaryDirectory(): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(module, file)));
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'karmada-failover-e2e', hash.digest('hex').slice(0, 16));
}

export function binary(component: Component): string {
  return join(binaryDirectory(), component);
}

/**
 * Builds the components that are not in the cache yet, the longest first.
 *
 * @param log told what is built and how long it took
 */
export function buildMissing(log: (line: string) => void): void {
  const directory = binaryDirectory();
  mkdirSync(directory, { recursive: true });
  const order: Component[] = ['kube-apiserver', ...(Object.keys(packages) as Component[])];
  for (const component of order) {
    const target = binary(component);
    if (existsSync(target)) continue;
    const { path, version }: Package = packages[component];
    const started = performance.now();
    log(`building ${component} (the first time this takes many minutes)`);
    const stamp = version ? ` -X ${version.into}=${go('list', '-m', '-f', '{{.Version}}', version.of)}` : '';
    const partial = `${target}.${process.pid}`;
    execFileSync('go', ['build', '-trimpath', `-ldflags=-s -w${stamp}`, '-o', partial, path], {
      cwd: module,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(partial, target);
    log(`built ${component} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
}
