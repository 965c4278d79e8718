import { readFileSync, writeSync } from 'node:fs';
import { endAsHangUp } from '../interrupt.ts';
import type { Guardian } from './guardian.ts';

export interface FullScreenOptions {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream & { fd: number };
  guardian: Guardian;
  /** called when the terminal is ours again after a suspension or another program */
  onReturn(): void;
  /** called when SIGINT or SIGTERM ends the process, after the terminal is restored; absent: the screen's opener listens for them */
  onEnd?: ((exitCode: number) => void) | undefined;
  /** called once the terminal is gone; absent: that ends the process at once */
  onHangUp?: (() => void) | undefined;
}

/** The whole terminal: the alternate screen, without a cursor, in raw mode. */
export interface FullScreen {
  /** whether the terminal is ours now; otherwise nothing may be written to it */
  isOurs(): boolean;
  /** restores the terminal, once */
  close(): void;
  /** to be called if reading or writing shows that the terminal is gone */
  hungUp(): void;
  isGone(): boolean;
  /** stops the process as Ctrl-Z does; `onReturn` follows `fg` */
  suspend(): void;
  /** lends the terminal to another program */
  lend<T>(use: () => Promise<T>): Promise<T>;
}

/**
 * The alternate screen, no cursor, no wrapping at the right edge, and the mouse wheel as arrow keys (1007), which leaves the mouse free to
 * select text.
 */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?1007s\u001b[?1007h\u001b[2J';
/** The alternate screen is cleared before it is left: after a resize tmux may keep its full lines. */
export const LEAVE_FULL_SCREEN =
  '\u001b[?2026l\u001b[2J\u001b[0m\u001b[?1007r\u001b[?7h\u001b[?25h\u001b[?1049l';

/** The exit codes that shells report for signals. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Milliseconds between checks whether the process is in its shell's foreground. */
const BACKGROUND = 1000;

const ignore = () => undefined;

/** Takes the terminal, and restores it however the process ends; the guardian handles ends that the process cannot see. */
export function openFullScreen(options: FullScreenOptions): FullScreen {
  const { stdin, stdout, guardian, onReturn, onEnd, onHangUp = endAsHangUp } = options;
  let ours = false;
  let closed = false;
  let inBackground: NodeJS.Timeout | undefined;

  /** written at once, since the process may be about to end */
  const send = (text: string) => {
    try {
      writeSync(stdout.fd, text);
    } catch {
      // the terminal is gone, and nothing is left to restore
    }
  };
  const take = () => {
    if (ours || closed) return;
    clearInterval(inBackground);
    if (!inForeground()) {
      inBackground = setInterval(() => inForeground() && returned(), BACKGROUND).unref();
      return;
    }
    ours = true;
    guardian.notify('taking');
    stdin.setRawMode(true);
    guardian.notify('taken');
    stdin.resume();
    send(ENTER);
  };
  const giveBack = () => {
    if (!ours) return;
    ours = false;
    try {
      stdin.setRawMode(false);
    } catch {
      // as above
    }
    stdin.pause();
    send(LEAVE_FULL_SCREEN);
    guardian.notify('given');
  };
  const close = () => {
    if (closed) return;
    giveBack();
    closed = true;
    guardian.dismiss();
    clearInterval(inBackground);
    process.off('exit', close).off('uncaughtException', close);
    process.off('SIGCONT', returned).off('SIGHUP', hungUp);
    // not while a signal is being handled: if only signal-exit (of Ink) still listens, it ends the process
    setImmediate(() => {
      for (const [name, listener] of listeners) process.off(name, listener);
    });
  };
  /** The shell may have changed the terminal while the process was stopped, even if another process stopped it. */
  const returned = () => {
    if (closed) return;
    if (ours) {
      stdin.setRawMode(false);
      guardian.notify('given');
    }
    ours = false;
    take();
    if (ours) onReturn();
  };

  const listeners = onEnd
    ? Object.entries(SIGNALS).map(([name, code]) => {
        const listener = () => {
          close();
          onEnd(code);
        };
        return [name as NodeJS.Signals, listener] as const;
      })
    : [];
  for (const [name, listener] of listeners) process.on(name, listener);
  let isGone = false;
  const hungUp = () => {
    if (isGone) return;
    isGone = true;
    giveBack();
    onHangUp();
  };
  process.on('SIGHUP', hungUp);
  // before the error message, which would be lost with the alternate screen
  process.prependListener('uncaughtException', close);
  process.on('exit', close).on('SIGCONT', returned);
  take();
  return {
    isOurs: () => ours,
    close,
    hungUp,
    isGone: () => isGone,
    suspend() {
      giveBack();
      // stops the whole job, as Ctrl-Z does on a terminal in cooked mode
      process.kill(0, 'SIGTSTP');
    },
    async lend(use) {
      process.off('SIGCONT', returned);
      // Ctrl-C now belongs to the other program
      const ending = process.listeners('SIGINT');
      process.removeAllListeners('SIGINT').on('SIGINT', ignore);
      giveBack();
      try {
        return await use();
      } finally {
        process.off('SIGINT', ignore);
        const own = new Set<unknown>(listeners.map(([, listener]) => listener));
        for (const listener of ending) if (!closed || !own.has(listener)) process.on('SIGINT', listener);
        if (!closed) process.on('SIGCONT', returned);
        returned();
      }
    },
  };
}

/**
 * Whether this process may change its terminal: the shell would stop a background process that did. If unknown (no Linux, no controlling
 * terminal), it may.
 */
function inForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // proc(5): "pid (comm) state ppid pgrp session tty_nr tpgid …"; comm may contain anything
    const [, , group, , , ofTerminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ofTerminal === '-1' || ofTerminal === group;
  } catch {
    return true;
  }
}
