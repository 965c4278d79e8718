import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteStage } from './faultProxy.ts';
import type { Random } from './random.ts';
import { program } from '../program.ts';

/** The result of a drain over all its processes. */
export interface DrainRun {
  /** how often the process was started */
  starts: number;
  /** how often it was killed, by what it was doing */
  kills: Record<'at any time' | WriteStage, number>;
  /** exit codes of the processes that ended by themselves */
  exitCodes: number[];
  seconds: number;
}

export interface DrainProcess {
  /** called with writes of the process, kills it at some of them */
  onWrite(stage: WriteStage): void;
  /**
   * Runs the command until it ends by itself with 0 or, with `isDone`, with 3 (not finished, because of workloads that cannot leave).
   * Restarts it after each kill, and when it has given up.
   */
  run(args: string[], isDone: () => boolean): Promise<DrainRun>;
}

const GIVE_UP_AFTER = 40;

/**
 * @param kills how often the process is killed with SIGKILL, mostly during a write
 * @param log a file for the process' output
 */
export function drainProcess(log: string, random: Random, kills: number): DrainProcess {
  const killed = { 'at any time': 0, before: 0, acted: 0, answered: 0 };
  let killsLeft = kills;
  let target: { stage: WriteStage; writes: number } | undefined;
  let killNow: (why: keyof typeof killed) => void = () => undefined;

  const onWrite = (stage: WriteStage): void => {
    if (stage !== target?.stage || --target.writes > 0) return;
    killNow(stage);
  };

  const live = (args: string[]): Promise<number | 'killed'> =>
    new Promise((done) => {
      const child = spawn(...program(...args), { stdio: ['ignore', 'pipe', 'pipe'] });
      const keep = (text: Buffer) => appendFileSync(log, text);
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      let byUs = false;
      let timer: NodeJS.Timeout | undefined;
      killNow = (why) => {
        if (byUs || killsLeft === 0) return;
        byUs = true;
        killsLeft--;
        killed[why]++;
        child.kill('SIGKILL');
      };
      target = undefined;
      if (killsLeft > 0) {
        // one in three at any time: during start, planning, or waiting
        const anyTime = random.chance(1 / 3);
        if (!anyTime)
          target = {
            stage: random.pick<WriteStage>({ before: 1, acted: 1, answered: 1 }) ?? 'acted',
            writes: random.between(1, 5),
          };
        timer = setTimeout(() => killNow('at any time'), anyTime ? random.between(100, 4000) : 45_000);
      }
      const endWithUs = () => child.kill('SIGKILL');
      process.once('exit', endWithUs);
      child.on('close', (code) => {
        process.off('exit', endWithUs);
        clearTimeout(timer);
        killNow = () => undefined;
        appendFileSync(log, `--- ${byUs ? 'killed' : `exit code ${code}`}\n`);
        done(byUs ? 'killed' : (code ?? 1));
      });
    });

  return {
    onWrite,
    async run(args, isDone) {
      const began = performance.now();
      const exitCodes: number[] = [];
      let starts = 0;
      while (exitCodes.length < GIVE_UP_AFTER) {
        starts++;
        appendFileSync(log, `--- start ${starts}: ${args.join(' ')}\n`);
        const end = await live(args);
        if (end === 'killed') continue;
        exitCodes.push(end);
        if (end === 0 || (end === 3 && isDone())) break;
        await sleep(500);
      }
      return { starts, kills: killed, exitCodes, seconds: (performance.now() - began) / 1000 };
    },
  };
}
