// The platforms with an executable, by the names that Go and kubectl use, and the Bun build for each: for amd64, builds that need no AVX2.
// package.json pins the versions of Bun.
export const EXECUTABLE = 'kubectl-karmada_failover';

export const platforms = [
  { os: 'linux', arch: 'amd64', bun: 'linux-x64-baseline' },
  { os: 'linux', arch: 'arm64', bun: 'linux-aarch64' },
  { os: 'darwin', arch: 'amd64', bun: 'darwin-x64-baseline' },
  { os: 'darwin', arch: 'arm64', bun: 'darwin-aarch64' },
  { os: 'windows', arch: 'amd64', bun: 'windows-x64-baseline' },
  { os: 'windows', arch: 'arm64', bun: 'windows-aarch64' },
].map(({ os, arch, bun }) => ({
  os,
  arch,
  name: `${os}-${arch}`,
  executable: os === 'windows' ? `${EXECUTABLE}.exe` : EXECUTABLE,
  bunPackage: `@oven/bun-${bun}`,
  bunTarget: `bun-${bun.replace('aarch64', 'arm64')}`,
}));

/** The platform of this process. */
export function thisPlatform() {
  const os = { win32: 'windows' }[process.platform] ?? process.platform;
  const arch = { x64: 'amd64' }[process.arch] ?? process.arch;
  const found = platforms.find((platform) => platform.os === os && platform.arch === arch);
  if (!found) throw new Error(`there is no Bun for ${process.platform} on ${process.arch}`);
  return found;
}
