import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './cli.ts';
import type { LiveServer } from './liveServer.ts';
import { preloading, program } from '../program.ts';

const REDRAW = '\u000c';

/** The dashboard in its own process, with a driver that types and waits for text on the screen. */
export function open(server: LiveServer, ...more: string[]) {
  return openCommand(server, ['dashboard', ...more]);
}

/** A command with a screen, in the same way. */
export function openCommand(server: LiveServer, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { PATH, HOME } = process.env;
  const own = {
    PATH,
    HOME,
    KUBECONFIG: server.kubeconfig,
    ...preloading(join(import.meta.dirname, 'asScreen.cjs')),
    TERM: 'xterm',
    NO_COLOR: '1',
  };
  const child = spawn(...program(...words, '--karmada-version', 'v1.18'), {
    cwd: root,
    env: { ...own, ...env },
    stdio: 'pipe',
    // nothing is left running if a test fails
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
  let drawn = '';
  let stderr = '';
  let heard: () => void = () => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    drawn += text;
    heard();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    stderr: () => stderr,
    /** the signal that ended it */
    signal: () => child.signalCode,
    /** what it has drawn since the last look, without control sequences */
    drawn: () => plain(drawn),
    type: (keys: string) => void child.stdin.write(keys),
    /** Redraws the screen until it contains this; changed cells alone are not readable text. */
    async until(text: string): Promise<void> {
      for (;;) {
        drawn = '';
        const more = new Promise<void>((resolve) => (heard = resolve));
        child.stdin.write(REDRAW);
        await Promise.race([more, ended]);
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (plain(drawn).includes(text)) return;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`it ended before it said "${text}": ${stderr}`);
      }
    },
  };
}

// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
