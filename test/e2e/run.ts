// npm run e2e [-- PATTERN…]: builds what is missing and runs the tests against real Karmada.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bed } from './controlPlane/bed.ts';
import { buildMissing, hasGo } from './controlPlane/binaries.ts';
import { copyTool } from './tool.ts';

if (!hasGo()) {
  console.log('skipped: the test bed is built with Go, and no go was found on the PATH');
  console.log('0 passed, 0 failed');
} else {
  buildMissing(console.log);
  const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'karmada-failover-e2e-run-'));
  // a Ctrl-C reaches the tests as well; this waits for them, to take down what they leave behind
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.exitCode = await runTests(scratch, copyTool(scratch));
  if (await takeDownAll(scratch)) rmSync(scratch, { recursive: true, force: true });
  else console.log(`logs and recordings of what failed are in ${scratch}`);
}

function runTests(scratch: string, tool: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        'node_modules/jest/bin/jest.js',
        '--config=test/e2e/jest.config.js',
        ...process.argv.slice(2),
      ],
      { stdio: 'inherit', env: { ...process.env, TMPDIR: scratch, E2E_KEEP_FILES: '1', E2E_TOOL: tool } },
    );
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Ends what still runs of the test beds that are left, those of failed tests. Returns whether there were none. */
async function takeDownAll(scratch: string): Promise<boolean> {
  const left = readdirSync(scratch)
    .map((name) => join(scratch, name))
    .filter((directory) => existsSync(join(directory, 'bed.json')));
  for (const directory of left) await Bed.at(directory).down({ keepFiles: true });
  return left.length === 0;
}
