import { basename, dirname } from 'node:path';

/** The entry of the executable (compile.mjs): the command line, and under its other name what kubectl runs to complete one. */
async function run(): Promise<number> {
  const [, entry = '', ...words] = process.argv;
  if (/^kubectl_complete-/.test(basename(process.argv0)))
    return process.exit(await (await import('../../../src/complete.ts')).main(words));
  // the directory of what is embedded
  return (await import('../../../src/main.ts')).main(words, dirname(entry));
}

void run().then((code) => {
  process.exitCode = code;
});
