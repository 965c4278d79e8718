import { main } from '../../src/main.ts';

/** What a command line has put out. */
export interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

/** Stands for the end of the process. */
class Exit {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

const root = process.cwd();

/** Runs a command line in this process, as if it were one of its own. Only one at a time. */
export async function inProcess(argv: readonly string[], isTerminal = false): Promise<Output> {
  const pieces = { stdout: '', stderr: '' };
  const { stdout, stderr } = process;
  const before = { out: stdout.write, err: stderr.write, exit: process.exit, tty: stdout.isTTY };
  const failures: unknown[] = [];
  const caught = process.listeners('uncaughtException');
  stdout.write = taking((text) => (pieces.stdout += text));
  stderr.write = taking((text) => (pieces.stderr += text));
  stdout.isTTY = isTerminal;
  process.exit = (code) => {
    throw new Exit(Number(code ?? 0));
  };
  let code: number;
  try {
    code = await main([...argv], root);
  } catch (error) {
    if (!(error instanceof Exit)) failures.push(error);
    code = error instanceof Exit ? error.code : 70;
  } finally {
    Object.assign(stdout, { write: before.out, isTTY: before.tty });
    Object.assign(stderr, { write: before.err });
    process.exit = before.exit;
    for (const listener of process.listeners('uncaughtException'))
      if (!caught.includes(listener)) process.off('uncaughtException', listener);
    stdout.removeAllListeners('error');
    stderr.removeAllListeners('error');
  }
  for (const failure of failures)
    pieces.stderr += failure instanceof Error ? `${failure.stack}\n` : `${String(failure)}\n`;
  return { code, ...pieces };
}

/** A `write` of a stream that hands on what is written. */
function taking(take: (text: string) => void): typeof process.stdout.write {
  return ((piece: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    take(typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8'));
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') (callback as () => void)();
    return true;
  }) as typeof process.stdout.write;
}
