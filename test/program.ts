import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The folder of the project. */
export const root = join(import.meta.dirname, '..');

/** What a process is started with. */
type Start = [file: string, argv: string[]];

const NAME = 'kubectl-karmada_failover';
const COMPLETION = 'kubectl_complete-karmada_failover';

/**
 * The program under test: what KARMADA_FAILOVER_BIN names, an executable or a script of Node with that of completion beside it; otherwise
 * what is built here.
 */
function bin(): string {
  return resolve(process.env['KARMADA_FAILOVER_BIN'] ?? `bin/${NAME}.js`);
}

/** Whether the program brings all that it runs on. */
export function isExecutable(): boolean {
  return !bin().endsWith('.js');
}

/** How tests start the program. */
export function program(...argv: readonly string[]): Start {
  return isExecutable() ? [bin(), [...argv]] : [process.execPath, [bin(), ...argv]];
}

/** Puts the program on a PATH, under the names by which kubectl looks for it. */
export function installIn(directory: string): void {
  for (const name of [NAME, COMPLETION])
    symlinkSync(isExecutable() ? bin() : join(dirname(bin()), `${name}.js`), join(directory, name));
}

let installed: string | undefined;

/** How tests start what kubectl runs to complete a line. */
export function completionProgram(...argv: readonly string[]): Start {
  if (installed === undefined) installIn((installed = mkdtempSync(join(tmpdir(), 'installed-'))));
  const file = join(installed, COMPLETION);
  return isExecutable() ? [file, [...argv]] : [process.execPath, [file, ...argv]];
}

/** The environment in which the program runs a script first. */
export function preloading(script: string): { NODE_OPTIONS: string; BUN_OPTIONS: string } {
  return { NODE_OPTIONS: `--require ${script}`, BUN_OPTIONS: `--preload ${script}` };
}
