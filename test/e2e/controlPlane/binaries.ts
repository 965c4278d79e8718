import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { designedDirectory, designedModule } from './designedKarmada.ts';
import { cache, go, isPinned, karmadaModule, karmadaSources, karmadaVersion, pinned } from './goModules.ts';

/** Package of each component, and the variable that its version is linked into. */
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

/** Agents are played if clusters are simulated. */
function isDesigned(component: Component): boolean {
  return isKarmada(component) && component !== 'karmada-agent';
}

/** The Go module in which a component is built. */
function moduleOf(component: Component, build: Build): string {
  if (!isKarmada(component)) return pinned;
  return build === 'designed' ? designedModule(karmadaSources(pinned)) : karmadaModule();
}

/** Where the pinned components are cached: one directory per set of versions. */
function pinnedDirectory(): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(pinned, file)));
  return join(cache, hash.digest('hex').slice(0, 16));
}

/** How Karmada is built: as released, or the pinned version with the API of document 001 (designedKarmada.ts). */
export type Build = 'released' | 'designed';

/** The path of a component's binary, before or after it is built. */
export function binary(component: Component, build: Build = 'released'): string {
  const ofVersion = () => (isPinned() ? pinnedDirectory() : join(cache, `karmada-${karmadaVersion()}`));
  const ofKarmada = () => (build === 'designed' ? designedDirectory() : ofVersion());
  return join(isKarmada(component) ? ofKarmada() : pinnedDirectory(), component);
}

/**
 * Builds the components missing in the cache, the longest first.
 * @param log called with each built component and its duration
 * @param build what is needed in addition to the released components
 */
export function buildMissing(log: (line: string) => void, build: Build = 'released'): void {
  const all = Object.keys(packages) as Component[];
  const order: [Component, Build][] = [
    ['kube-apiserver', 'released'],
    ...all.map((component): [Component, Build] => [component, 'released']),
    ...(build === 'designed' ? all.filter(isDesigned).map((one): [Component, Build] => [one, build]) : []),
  ];
  for (const [component, build] of order) {
    const target = binary(component, build);
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    const module = moduleOf(component, build);
    const { path, version }: Package = packages[component];
    const started = performance.now();
    log(
      `building ${component}${build === 'designed' ? ' with the design’s API' : ''} (the first time this takes many minutes)`,
    );
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
