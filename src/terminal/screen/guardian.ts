import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { isatty } from 'node:tty';

/** Restores a terminal if its process ends without being able to: by SIGKILL, out of memory, or by a crash of Node. */
export interface Guardian {
  /** to be called before the terminal is changed, after it is changed, and after it is restored */
  notify(what: 'taking' | 'taken' | 'given'): void;
  /** ends the guardian: nothing is left to guard */
  dismiss(): void;
}

/** For terminals without a guardian. */
const NOBODY: Guardian = { notify: () => undefined, dismiss: () => undefined };

/**
 * The shell that reads until the end of its input, which is the end of this process, whatever the reason. If the
 * terminal was taken then, it leaves the screen at once, before the user's shell prints its prompt. Then it gives that
 * shell a moment to set its own terminal modes, as bash, zsh and fish do, and restores any modes left by this process.
 * It is in no job and no session of the terminal, so keys typed there do not reach it.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM TSTP
before=$(stty -g) || exit
echo ready
exec >&-
while read -r word <&4; do
  case $word in
    taking) ours=yes ;;
    taken) raw=$(stty -g) ;;
    given) ours= ;;
  esac
done
[ -n "$ours" ] || exit
printf %s "$1" >&3
sleep 0.2 || sleep 1
[ "$(stty -g)" != "$raw" ] || stty "$before"
`;

/**
 * Starts the guardian of a terminal; resolves once it has read the terminal's modes, or if there can be none (Windows, no shell, no
 * terminal). It ends with this process, and never keeps it running.
 * @param leave the sequence that leaves the screen
 */
export async function openGuardian(
  { stdin, stdout }: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream & { fd: number } },
  leave: string,
): Promise<Guardian> {
  const { fd: keys } = stdin as { fd?: number };
  if (process.platform === 'win32' || !isTerminal(keys) || !isTerminal(stdout.fd)) return NOBODY;
  const { spawn } = await import('node:child_process');
  let shell: ChildProcess;
  try {
    shell = spawn('/bin/sh', ['-c', SCRIPT, 'karmada-failover-terminal', leave], {
      stdio: [keys, 'pipe', 'ignore', stdout.fd, 'pipe'],
      detached: true,
      cwd: '/',
      env: { PATH: process.env['PATH'] },
    });
  } catch {
    return NOBODY;
  }
  const { stdout: answer } = shell;
  const words = shell.stdio[4] as Socket | null;
  const ready = answer && words ? Promise.race([once(answer, 'data'), once(shell, 'close')]) : undefined;
  // it may be gone, which does not affect this process
  shell.on('error', () => undefined).unref();
  words?.on('error', () => undefined);
  await ready?.catch(() => undefined);
  answer?.destroy();
  words?.unref();
  return { notify: (what) => void words?.write(`${what}\n`), dismiss: () => void words?.end() };
}

function isTerminal(fd: number | undefined): fd is number {
  return fd !== undefined && isatty(fd);
}
