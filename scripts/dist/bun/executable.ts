import { basename, dirname } from 'node:path';

/** The entry of the executable (compile.mjs): the command line, or, under its other name, the completion program that kubectl runs. */
async function run(): Promise<number> {
  const [, entry = '', ...words] = process.argv;
  if (/^kubectl_complete-/.test(basename(process.argv0)))
    return process.exit(await (await import('../../../src/complete.ts')).main(words));
  // the directory of the embedded files
  return (await import('../../../src/main.ts')).main(words, dirname(entry));
}

void run().then((code) => {
  process.exitCode = code;
});
