import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Keeps the logs of failed files, removes the others, and reports how long each file took. */
export default class Reporter {
  #seconds = [];

  onTestResult({ path }, { numFailingTests, testExecError, perfStats }) {
    const name = basename(path, '.e2e.ts');
    const failed = numFailingTests > 0 || Boolean(testExecError);
    this.#seconds.push([name, (perfStats.end - perfStats.start) / 1000, failed]);
    const scratch = realpathSync(tmpdir());
    // as mkdtemp names them
    const ofThisFile = new RegExp(`^karmada-failover-e2e-${name}-\\w{6}$`);
    for (const entry of readdirSync(scratch).filter((entry) => ofThisFile.test(entry))) {
      const directory = join(scratch, entry);
      if (failed) process.stderr.write(`what ${name} left, logs and recordings, is in ${directory}\n`);
      else if (process.env.E2E_KEEP_FILES) rmSync(directory, { recursive: true, force: true });
    }
  }

  onRunComplete() {
    const rows = this.#seconds.map(
      ([name, seconds, failed]) =>
        `${seconds.toFixed(0).padStart(6)} s  ${name}${failed ? '  failed' : ''}\n`,
    );
    process.stderr.write(`\n${rows.join('')}`);
  }
}
