import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cache, go, isPinned, karmadaModule, karmadaVersion, pinned } from './goModules.ts';

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

/** Whether a component is Karmada's own, and so of the version under test. */
function isKarmada(component: Component): boolean {
  return component.startsWith('karmada-');
}

/** Where the pinned components are kept: one directory for each set of versions. */
function pinnedDirectory(): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(pinned, file)));
  return join(cache, hash.digest('hex').slice(0, 16));
}

/** Where the binary of a component is, or will be once it is built. */
export function binary(component: Component): string {
  const directory =
    isKarmada(component) && !isPinned() ? join(cache, `karmada-${karmadaVersion()}`) : pinnedDirectory();
  return join(directory, component);
}

/**
 * Builds the components that are not in the cache yet, the longest first.
 *
 * @param log told what is built and how long it took
 */
export function buildMissing(log: (line: string) => void): void {
  const order: Component[] = ['kube-apiserver', ...(Object.keys(packages) as Component[])];
  for (const component of order) {
    const target = binary(component);
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    const module = isKarmada(component) ? karmadaModule() : pinned;
    const { path, version }: Package = packages[component];
    const started = performance.now();
    log(`building ${component} (the first time this takes many minutes)`);
    const stamp = version
      ? ` -X ${version.into}=${go(module, 'list', '-m', '-f', '{{.Version}}', version.of)}`
      : '';
    const partial = `${target}.${process.pid}`;
    execFileSync('go', ['build', '-trimpath', `-ldflags=-s -w${stamp}`, '-o', partial, path], {
      cwd: module,
      env: module === pinned ? process.env : { ...process.env, GOFLAGS: '-mod=mod' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(partial, target);
    log(`built ${component} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
}
