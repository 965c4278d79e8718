import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Bed } from './controlPlane/bed.ts';
import { program } from '../program.ts';

const ENTRY = 'bin/kubectl-karmada_failover.js';

/**
 * The program that tests run: that of KARMADA_FAILOVER_BIN; otherwise it builds the command line and copies it, so that later builds do not
 * affect it.
 */
export function copyTool(scratch: string): string {
  const named = process.env['KARMADA_FAILOVER_BIN'];
  if (named !== undefined) return resolve(named);
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const target = join(scratch, 'tool');
  mkdirSync(target, { recursive: true });
  for (const entry of ['bin', 'dist', 'package.json', 'oclif.manifest.json'])
    cpSync(entry, join(target, entry), { recursive: true });
  symlinkSync(resolve('node_modules'), join(target, 'node_modules'));
  return join(target, ENTRY);
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Milliseconds after which a command counts as hanging. */
const LONGEST = 200_000;

/**
 * Runs the command line against a bed's control plane: the copy that `npm run e2e` made, otherwise the one in place. Throws, with all its
 * output, if it does not end.
 */
export function karmadaFailover(bed: Bed, ...args: string[]): Promise<Ended> {
  return new Promise((done, fail) => {
    const connection = args.includes('--kubeconfig') ? [] : ['--kubeconfig', bed.kubeconfig];
    const child = spawn(...program(...args, ...connection), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => (output[stream] += text));
    child.on('error', fail);
    // a hanging process would keep the Lease from later ones, and the tests from ending
    const endless = setTimeout(() => {
      child.kill('SIGKILL');
      fail(new Error(`${args.join(' ')} has not ended in ${LONGEST / 1000} s:\n${saidBy(output)}`));
    }, LONGEST);
    child.on('close', (code) => {
      clearTimeout(endless);
      done({ code, ...output });
    });
  });
}

/** The same; throws, with all its output, for another exit code. */
export async function endsWith(bed: Bed, code: number, ...args: string[]): Promise<Ended> {
  const ended = await karmadaFailover(bed, ...args);
  if (ended.code === code) return ended;
  throw new Error(`${args.join(' ')} ended with ${ended.code} instead of ${code}:\n${saidBy(ended)}`);
}

function saidBy({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): string {
  return [stdout, stderr].filter(Boolean).join('\n');
}
