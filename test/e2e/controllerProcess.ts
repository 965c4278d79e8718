import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { eventually } from './controlPlane/processes.ts';
import { program } from '../program.ts';

/** Karmada's own controllers that ours replace are off. */
export const OFF = {
  'enable-taint-manager': 'false',
  controllers: '*,-clustertaintpolicy,-gracefulEviction,-applicationFailover',
};

/** Sets this for `controller run`, which cannot see the flags of a bed's processes. */
export const SAID = Object.entries(OFF).map(([name, value]) => `--assume=${name}=${value}`);

/** A process of `controller run`. */
export interface ControllerProcess {
  child: ChildProcess;
  /** its stderr so far */
  log(): string;
  /** its exit code; null if it was ended by a signal */
  ended: Promise<number | null>;
  /** resolves once it holds the Lease */
  leads(): Promise<unknown>;
}

/** Processes of `controller run` on one control plane. */
export interface ControllerProcesses {
  start(...args: string[]): ControllerProcess;
  /**
   * When they decided the evictions that were written since the last stop, by their own clock: ascending epoch
   * milliseconds. A busy machine lets a watch see one late, and the next one at once; the rate holds between decisions.
   */
  decidedEvictions(): number[];
  /** Ends all that still run, and waits for them. */
  stop(): Promise<void>;
}

/** @param settings the arguments of all of them */
export function controllerProcesses(kubeconfig: string, settings: readonly string[]): ControllerProcesses {
  const running = new Set<ChildProcess>();
  let evictedAt: number[] = [];
  return {
    start(...args) {
      const start = program(
        'controller',
        'run',
        ...settings,
        ...args,
        '-o',
        'json',
        '--kubeconfig',
        kubeconfig,
      );
      const child = spawn(...start, { stdio: ['ignore', 'pipe', 'pipe'] });
      running.add(child);
      createInterface(child.stdout!).on('line', (line) => {
        const { type, written, time } = JSON.parse(line) as { type: string; written?: boolean; time: string };
        if (type === 'evicted' && written) evictedAt.push(Date.parse(time));
      });
      let text = '';
      child.stderr.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      const ended = new Promise<number | null>((done) =>
        child.on('close', (code) => {
          running.delete(child);
          done(code);
        }),
      );
      const leads = async () => {
        const over = await eventually(
          'the lead',
          () => Promise.resolve(text.includes('"self":true') ? 'leads' : child.exitCode !== null && 'ended'),
          { within: 90_000 },
        );
        if (over === 'ended') throw new Error(`it ended with ${child.exitCode} and never led:\n${text}`);
      };
      return { child, log: () => text, ended, leads };
    },
    decidedEvictions: () => evictedAt.toSorted((a, b) => a - b),
    async stop() {
      for (const child of running) child.kill('SIGTERM');
      await eventually('the end of our processes', () => Promise.resolve(running.size === 0), {
        within: 30_000,
      });
      evictedAt = [];
    },
  };
}
