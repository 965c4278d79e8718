import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { program } from '../program.ts';

export const root = join(import.meta.dirname, '../..');

/** What a shell sees of a command. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command line in the project's directory, as it is built, without a terminal. */
export function run(argv: string[], { stdin = '', env = {} }: { stdin?: string; env?: object } = {}): Ran {
  const { status, stdout, stderr } = spawnSync(...program(...argv), {
    cwd: root,
    encoding: 'utf8',
    input: stdin,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    maxBuffer: 1 << 28,
  });
  return { code: status, stdout, stderr };
}

/** The document that a command prints with -o json; fails unless it ends well and says nothing else. */
export function json(argv: string[], options?: { stdin?: string }): Record<string, never> {
  const { code, stdout, stderr } = run([...argv, '-o', 'json'], options);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, never>;
}
