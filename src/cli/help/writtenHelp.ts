import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasColours } from '../../terminal/hasColours.ts';
import { isHelpFlag } from './asksForHelp.ts';

/** Columns of help, on wider terminals too: long lines are hard to read, and one text serves all of them. */
export const HELP_WIDTH = 80;

/** What help says of Node and the machine, and what stands there in written help. */
export const RUNTIME = `${process.platform}-${process.arch} node-${process.version}`;
export const RUNTIME_PLACE = '<runtime>';

/** Where the help for a command or a topic is written, given its words; for none, that of the whole. `root` is the package's directory. */
export function helpFile(root: string, words: readonly string[]): string {
  return join(root, 'dist/help', `${['karmada-failover', ...words].join(' ')}.txt`);
}

/**
 * Prints the help that a command line asks for as oclif laid it out when the bundle was built (scripts/help-texts.mjs), because it takes
 * as long to load oclif as to start Node. False if only oclif can tell: of command lines that hold more than the words of a command or a
 * topic, of words that name none, and on terminals that are narrower.
 */
export function showWrittenHelp(argv: readonly string[], root: string): boolean {
  const { stdout, env } = process;
  const words = (argv[0] === 'help' ? argv.slice(1) : argv).filter((word) => !isHelpFlag(word));
  const isNarrow = stdout.isTTY && stdout.columns > 0 && stdout.columns < HELP_WIDTH;
  if (isNarrow || env['OCLIF_COLUMNS'] || !words.every((word) => /^[a-z-]+$/.test(word))) return false;
  const help = readIfThere(helpFile(root, words));
  if (help === undefined) return false;
  stdout.on('error', (error) => {
    void import('../endWithoutStdout.ts').then(({ endWithoutStdout }) => endWithoutStdout(error));
  });
  // eslint-disable-next-line no-control-regex
  const styled = hasColours(process) ? help : help.replaceAll(/\u001b\[\d+m/g, '');
  stdout.write(styled.replace(RUNTIME_PLACE, RUNTIME));
  return true;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
