import { basename, dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** The entry of the executable: the command line, what kubectl runs to complete it, and the threads of a dashboard. */
async function run(): Promise<number | undefined> {
  // where the files are that it embeds, for its threads too
  const root = dirname(process.argv[1]!);
  if (!isMainThread) return void (await (await import('./dashboardFeed.ts')).main());
  const words = process.argv.slice(2);
  const name = basename(process.argv0).replace(/\.exe$/i, '');
  if (name === 'kubectl_complete-karmada_failover')
    return process.exit(await (await import('./complete.ts')).main(words));
  return (await import('./main.ts')).main(words, root);
}

void run().then((code) => {
  process.exitCode = code;
});
