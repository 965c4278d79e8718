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
 * The program under test: that of KARMADA_FAILOVER_BIN, an executable or a Node script with the completion program next to it; otherwise
 * the local build.
 */
function bin(): string {
  return resolve(process.env['KARMADA_FAILOVER_BIN'] ?? `bin/${NAME}.js`);
}

/** Whether the program includes its runtime. */
export function isExecutable(): boolean {
  return !bin().endsWith('.js');
}

/** How tests start the program. */
export function program(...argv: readonly string[]): Start {
  return isExecutable() ? [bin(), [...argv]] : [process.execPath, [bin(), ...argv]];
}

/** Puts the program on a PATH, under the names that kubectl looks for. */
export function installIn(directory: string): void {
  for (const name of [NAME, COMPLETION])
    symlinkSync(isExecutable() ? bin() : join(dirname(bin()), `${name}.js`), join(directory, name));
}

let installed: string | undefined;

/** How tests start the program that kubectl runs to complete a line. */
export function completionProgram(...argv: readonly string[]): Start {
  if (installed === undefined) installIn((installed = mkdtempSync(join(tmpdir(), 'installed-'))));
  const file = join(installed, COMPLETION);
  return isExecutable() ? [file, [...argv]] : [process.execPath, [file, ...argv]];
}

/** The environment in which the program runs a script first. */
export function preloading(script: string): { NODE_OPTIONS: string; BUN_OPTIONS: string } {
  return { NODE_OPTIONS: `--require ${script}`, BUN_OPTIONS: `--preload ${script}` };
}
