// Writes oclif's help for each command and topic into dist/help, for src/cli/oclif/run.ts to print. It runs the bundle as on a terminal of
// the same width.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const { commands } = JSON.parse(readFileSync(resolve(root, 'oclif.manifest.json'), 'utf8'));

delete process.env.NO_COLOR;
Object.assign(process.stdout, { isTTY: true });
Object.assign(process.env, { FORCE_COLOR: '1', TERM: 'xterm' });
// every loaded bundle adds listeners
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

const require = createRequire(import.meta.url);
const BUNDLE = require.resolve('../bin/bundle.js');
/** The bundle as a new process would load it: oclif changes commands when it prints them. */
function freshBundle() {
  Reflect.deleteProperty(require.cache, BUNDLE);
  return require(BUNDLE).load('main.cjs');
}
const { HELP_WIDTH, RUNTIME, RUNTIME_PLACE, helpFile } = freshBundle();
// always asks oclif, even if written texts exist
process.env.OCLIF_COLUMNS = HELP_WIDTH;

async function printedHelp(words) {
  let text = '';
  process.stdout.write = (piece) => (text += piece);
  const code = await freshBundle().main([...words, '--help'], root);
  if (code !== 0) throw new Error(`no help for "${words.join(' ')}"`);
  return text.replace(RUNTIME, RUNTIME_PLACE);
}

/** The words of the program, of each topic and of each command. */
const subjects = new Set(
  Object.keys(commands).flatMap((id) =>
    id.split(':').map((_, at, words) => words.slice(0, at + 1).join(' ')),
  ),
);
mkdirSync(dirname(helpFile(root, [])), { recursive: true });
for (const subject of ['', ...subjects]) {
  const words = subject.split(' ').filter(Boolean);
  writeFileSync(helpFile(root, words), await printedHelp(words));
}
process.exitCode = 0;
