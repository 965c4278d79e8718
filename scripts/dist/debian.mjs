// A Debian package of an executable, made by nfpm: NFPM names its binary, otherwise Go builds it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { EXECUTABLE } from './platforms.mjs';

const NFPM = 'github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2';
const DOC = '/usr/share/doc/kubectl-karmada-failover';

/** Packs a platform's folder from run.mjs; returns the name of the file in `out`. */
export function debianPackage({ name, arch, executable }, { version, description, license }, out) {
  const epoch = '1970-01-01T00:00:00Z';
  const content = (src, dst, mode = 0o644) => ({ src, dst, file_info: { mode, mtime: epoch } });
  const folder = mkdtempSync(join(tmpdir(), 'debian-'));
  const config = join(folder, 'nfpm.yaml');
  writeFileSync(
    config,
    stringify({
      name: 'kubectl-karmada-failover',
      arch,
      version,
      mtime: epoch,
      section: 'admin',
      maintainer: 'The kubectl-karmada-failover authors <authors@localhost>',
      description,
      license,
      depends: ['libc6'],
      contents: [
        content(join(out, name, executable), `/usr/bin/${EXECUTABLE}`, 0o755),
        { src: EXECUTABLE, dst: '/usr/bin/kubectl_complete-karmada_failover', type: 'symlink' },
        content(join(out, name, 'THIRD-PARTY'), `${DOC}/THIRD-PARTY`),
        content(resolve('LICENSE'), `${DOC}/copyright`),
        content(resolve('README.md'), `${DOC}/README.md`),
        content(resolve('examples'), `${DOC}/examples`),
      ],
    }),
  );
  const file = `${EXECUTABLE}-${version}-${name}.deb`;
  const [command, ...first] = process.env.NFPM ? [process.env.NFPM] : ['go', 'run', NFPM];
  const argv = [...first, 'package', '--packager=deb', `--config=${config}`, `--target=${join(out, file)}`];
  const env = { ...process.env, SOURCE_DATE_EPOCH: '0' };
  execFileSync(command, argv, { stdio: ['ignore', 'ignore', 'inherit'], env });
  rmSync(folder, { recursive: true });
  return file;
}
