import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteStage } from '../faultProxy.ts';
import type { Random } from '../random.ts';
import { program } from '../../program.ts';

/** Processes of `controller run` that follow each other as leaders. */
export interface Leaders {
  /** called with their writes; kills the leader at some of them */
  onWrite(stage: WriteStage, path: string): void;
  /** how often leaders were killed with SIGKILL, by what they were doing */
  readonly kills: Record<'at any time' | WriteStage, number>;
  /** exit codes of processes that ended by themselves although they should have continued */
  readonly exits: (number | null)[];
  readonly starts: number;
  /** how often one of them became leader */
  readonly terms: number;
  /** Ends them all with SIGTERM; resolves with their exit codes. */
  stop(): Promise<(number | null)[]>;
}

/** Their writes that are decisions: not the Lease. */
const DECIDED = /\/(clusters|resourcebindings|clusterresourcebindings)\//;
/** The log entries about starting and stopping to lead. */
const LEADS = '"self":true';
const LEADS_NO_MORE = 'The Lease was not renewed in time';

interface Life {
  child: ChildProcess;
  leads: boolean;
  killed: boolean;
}

/**
 * Keeps two processes running, and kills the leader, mostly while it writes.
 * @param files a directory for their logs
 * @param kills the most kills
 */
export function keepLeaders(
  args: readonly string[],
  { files, random, kills: most }: { files: string; random: Random; kills: number },
): Leaders {
  const kills = { 'at any time': 0, before: 0, acted: 0, answered: 0 };
  const exits: (number | null)[] = [];
  const codes: (number | null)[] = [];
  const lives = new Set<Life>();
  let [starts, terms, left, stopping] = [0, 0, most, false];
  let target: { stage: WriteStage; writes: number } | undefined;

  function kill(life: Life | undefined, why: keyof typeof kills): void {
    if (!life || life.killed || left === 0) return;
    target = undefined;
    life.killed = true;
    left--;
    kills[why]++;
    life.child.kill('SIGKILL');
  }

  function begins(life: Life): void {
    terms++;
    life.leads = true;
    target = undefined;
    if (random.chance(1 / 3))
      setTimeout(() => life.leads && kill(life, 'at any time'), random.between(0, 3000));
    else
      target = {
        stage: random.pick<WriteStage>({ before: 1, acted: 1, answered: 1 }) ?? 'acted',
        writes: random.between(1, 12),
      };
  }

  async function keep(slot: number): Promise<void> {
    const log = join(files, `controller-${slot}.log`);
    while (!stopping) {
      starts++;
      const child = spawn(...program('controller', 'run', ...args), {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const life: Life = { child, leads: false, killed: false };
      lives.add(life);
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        appendFileSync(log, text);
        if (text.includes(LEADS_NO_MORE)) life.leads = false;
        if (text.includes(LEADS)) begins(life);
      });
      const endWithUs = () => child.kill('SIGKILL');
      process.once('exit', endWithUs);
      const code = await new Promise<number | null>((done) => child.on('close', done));
      process.off('exit', endWithUs);
      lives.delete(life);
      appendFileSync(log, `--- ${life.killed ? 'killed' : `exit code ${code}`}\n`);
      if (stopping) codes.push(life.killed ? 0 : code);
      else if (!life.killed) {
        exits.push(code);
        await sleep(500);
      }
    }
  }

  const kept = [keep(1), keep(2)];
  return {
    onWrite(stage, path) {
      if (!DECIDED.test(path) || stage !== target?.stage || --target.writes > 0) return;
      kill(
        [...lives].find(({ leads }) => leads),
        stage,
      );
    },
    kills,
    exits,
    get starts() {
      return starts;
    },
    get terms() {
      return terms;
    },
    async stop() {
      stopping = true;
      for (const { child } of lives) child.kill('SIGTERM');
      await Promise.all(kept);
      return codes;
    },
  };
}
