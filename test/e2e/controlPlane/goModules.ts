import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const KARMADA = 'github.com/karmada-io/karmada';

/** The Go module that pins all components, Karmada's at the version under test unless another is requested. */
export const pinned = resolve('test/e2e/bed');

/** Where binaries and generated modules are cached. */
export const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'karmada-failover-e2e');

/** The version of Karmada under test: that of E2E_KARMADA, such as v1.17.1, or the pinned one. */
export function karmadaVersion(): string {
  return process.env.E2E_KARMADA || pinnedVersion();
}

/** Tests this version from now on, in child processes, too. Throws for an invalid version. */
export function testKarmada(version: string | undefined): void {
  if (version === undefined) return;
  if (!/^v1\.\d+\.\d+/.test(version))
    throw new Error(`--karmada: ${version} is not a version such as v1.17.1`);
  process.env.E2E_KARMADA = version;
}

function pinnedVersion(): string {
  const found = /karmada-io\/karmada (v\S+)/.exec(readFileSync(join(pinned, 'go.mod'), 'utf8'))?.[1];
  if (!found) throw new Error(`${join(pinned, 'go.mod')} requires no Karmada`);
  return found;
}

/** Whether the version under test is the pinned one. */
export function isPinned(): boolean {
  return karmadaVersion() === pinnedVersion();
}

/** The directory of the Go module that builds the version under test: the pinned one, or that of `ownModule`. */
export function karmadaModule(): string {
  return isPinned() ? pinned : ownModule();
}

/**
 * The directory of a Go module generated from the requirements of the version under test: the Go version and the replacements come from its
 * module, and the requirements follow, including those of its tests. Throws Go's error for a version that does not exist.
 */
export function ownModule(): string {
  const version = karmadaVersion();
  const directory = join(cache, 'modules', version);
  if (existsSync(join(directory, 'go.mod'))) return directory;
  const { GoMod } = JSON.parse(go(pinned, 'mod', 'download', '-json', `${KARMADA}@${version}`)) as {
    GoMod: string;
  };
  const own = JSON.parse(go(pinned, 'mod', 'edit', '-json', GoMod)) as GoModFile;
  const at = ({ Path, Version }: ModuleAt) => (Version ? `${Path} ${Version}` : Path);
  const lines = [
    `// Karmada ${version} as its own module has it built.`,
    `module karmada-failover.example/test-bed-${version}`,
    `go ${own.Go}`,
    `require ${KARMADA} ${version}`,
    ...(own.Replace ?? []).map((one) => `replace ${at(one.Old)} => ${at(one.New)}`),
  ];
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'go.mod'), `${lines.join('\n')}\n`);
  return directory;
}

interface ModuleAt {
  Path: string;
  Version?: string;
}

/** The fields of `go mod edit -json` that are read. */
interface GoModFile {
  Go: string;
  Replace?: { Old: ModuleAt; New: ModuleAt }[] | null;
}

/** Runs go in a module and returns its output; a generated module gets its checksums this way. */
export function go(directory: string, ...args: string[]): string {
  const env = directory === pinned ? process.env : { ...process.env, GOFLAGS: '-mod=mod' };
  return execFileSync('go', args, { cwd: directory, encoding: 'utf8', env }).trim();
}

/** Where Karmada's own sources are, with its installation manifests. */
export function karmadaSources(directory = karmadaModule()): string {
  go(directory, 'mod', 'download', KARMADA);
  return go(directory, 'list', '-m', '-f', '{{.Dir}}', KARMADA);
}
