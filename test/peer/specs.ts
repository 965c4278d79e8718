import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { cache, karmadaVersion, ownModule } from '../e2e/controlPlane/goModules.ts';

const SPECS = 'github.com/karmada-io/karmada/test/e2e/suites/base';

/** Karmada's own end-to-end specs of the version under test as one program, unchanged; built unless cached. */
export function builtSpecs(log: (line: string) => void): string {
  const target = join(cache, 'modules', karmadaVersion(), 'e2e.test');
  if (existsSync(target)) return target;
  log(`building Karmada's end-to-end specs of ${karmadaVersion()} (the first time this takes some minutes)`);
  const module = ownModule();
  const partial = `${target}.${process.pid}`;
  execFileSync('go', ['test', '-c', '-trimpath', '-ldflags=-s -w', '-o', partial, SPECS], {
    cwd: module,
    env: { ...process.env, GOFLAGS: '-mod=mod' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  renameSync(partial, target);
  return target;
}
