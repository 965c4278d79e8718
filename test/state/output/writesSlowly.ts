import { writeSafeFile } from '../../../src/state/output/safeFile.ts';

/** Half of a text, and then no end. */
function* endless(): Generator<string> {
  yield 'x'.repeat(200_000);
  for (;;) {
    yield 'x'.repeat(64 * 1024);
    process.stdout.write('going on\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}

// Writes the given file until it is killed.
await writeSafeFile(process.argv[2] ?? '', endless(), { toStdout: async () => undefined, holdsState: true });
