import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasColours } from '../terminal/capabilities.ts';

/** Whether a command line asks for help: by a flag before "--", by its first word, or by being empty. */
export function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return argv.length === 0 || argv[0] === 'help' || own.some(isHelpFlag);
}

function isHelpFlag(word: string): boolean {
  return word === '--help' || word === '-h';
}

const VALUED = /^--help=(.*)$/s;

/**
 * The words of a command line without --help=false, and with --help for --help=true: oclif does not accept values for
 * it.
 */
export async function withPlainHelp(argv: readonly string[]): Promise<string[]> {
  if (!argv.some((word) => VALUED.test(word))) return [...argv];
  const { booleanValue } = await import('./kubectlArguments.ts');
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.flatMap((word, at) => {
    const value = at < end ? VALUED.exec(word)?.[1] : undefined;
    const isAsked = value === undefined ? undefined : booleanValue(value);
    return isAsked === undefined ? [word] : isAsked ? ['--help'] : [];
  });
}

/** The width of help, even on wider terminals: long lines are hard to read, and one text serves all widths. */
export const HELP_WIDTH = 80;

const { bun } = process.versions;
/** The values in help that depend on the machine and the installation, and their placeholders in written help. */
export const RUNTIME = `${process.platform}-${process.arch} ${bun === undefined ? `node-${process.version}` : `bun-v${bun}`}`;
export const RUNTIME_PLACE = '<runtime>';

/** The help file for a command or a topic, by its words; without words, for the whole program. `root` is the package's directory. */
export function helpFile(root: string, words: readonly string[]): string {
  return join(root, 'dist/help', `${['karmada-failover', ...words].join(' ')}.txt`);
}

/**
 * Prints the help that a command line asks for, as oclif laid it out at build time (scripts/help-texts.mjs), because
 * loading oclif takes as long as starting Node. False if oclif must do it: for unknown words, for words beyond those of
 * a command or topic, and on narrower terminals.
 */
export function showWrittenHelp(argv: readonly string[], root: string): boolean {
  const { stdout, env } = process;
  const words = (argv[0] === 'help' ? argv.slice(1) : argv).filter((word) => !isHelpFlag(word));
  const isNarrow = stdout.isTTY && stdout.columns > 0 && stdout.columns < HELP_WIDTH;
  if (isNarrow || env['OCLIF_COLUMNS'] || !words.every((word) => /^[a-z-]+$/.test(word))) return false;
  const help = readIfThere(helpFile(root, words));
  if (help === undefined) return false;
  stdout.on('error', (error) => {
    void import('./endWithoutStdout.ts').then(({ endWithoutStdout }) => endWithoutStdout(error));
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
