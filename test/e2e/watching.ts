import { spawn } from 'node:child_process';
import type { Bed } from './controlPlane/bed.ts';
import { program } from '../program.ts';

/** Runs a command of ours with --watch during a test: its printed lines, and how to end it. */
export function watching(bed: Bed, ...args: string[]): { stop(): Promise<unknown>; lines(): string[] } {
  const child = spawn(...program(...args, '--watch'), {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, KUBECONFIG: bed.kubeconfig },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const closed = new Promise((done) => child.on('close', done));
  return {
    stop() {
      child.kill();
      return closed;
    },
    lines: () => text.split('\n').filter((line) => line !== ''),
  };
}
