// npm run e2e [-- PATTERN…]: builds what is missing and runs the tests against real Karmada.
import { spawnSync } from 'node:child_process';
import { buildMissing, hasGo } from './controlPlane/binaries.ts';

if (!hasGo()) {
  console.log('skipped: the test bed is built with Go, and no go was found on the PATH');
  console.log('0 passed, 0 failed');
} else {
  buildMissing(console.log);
  const { status } = spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--config=test/e2e/jest.config.js',
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}
