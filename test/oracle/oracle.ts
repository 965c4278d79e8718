// A running oracle: a process that answers with Karmada's own code.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Question {
  suite: string;
  input: unknown;
  /** how often to ask if the answer may vary; absent: once */
  runs?: number;
}

/** Exactly one of `expected`, `refused` and `crash` is set. */
export interface Reply {
  /** the question as this version's API received it, if it does not know all fields */
  input?: unknown;
  expected?: Record<string, unknown>;
  /** why the API server would have refused the input */
  refused?: string;
  /** how Karmada's code ended */
  crash?: string;
}

/** after this time, Karmada's code counts as not returning */
const PATIENCE_MS = 60_000;

export class Oracle {
  readonly #executable: string;
  #process: ChildProcessWithoutNullStreams | undefined;
  #waiting: { question: Question; answer: (reply: Reply) => void }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(executable: string) {
    this.#executable = executable;
  }

  /** Asks all questions; one that ends the process counts as a crash, and a new process answers the rest. */
  ask(questions: Question[]): Promise<Reply[]> {
    return Promise.all(
      questions.map(
        (question) =>
          new Promise<Reply>((answer) => {
            this.#waiting.push({ question, answer });
            this.#send(question);
          }),
      ),
    );
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#process?.stdin.end();
  }

  #send(question: Question): void {
    this.#process ??= this.#start();
    this.#process.stdin.write(`${JSON.stringify(question)}\n`);
    this.#watch();
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = spawn(this.#executable, [], { env: { ...process.env, GOMAXPROCS: '1' } });
    let reported = '';
    child.stderr.on('data', (text: Buffer) => (reported = (reported + text.toString()).slice(-4000)));
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (child !== this.#process) return;
      this.#waiting.shift()?.answer(JSON.parse(line) as Reply);
      this.#watch();
    });
    child.on('error', (error) => this.#lost(child, error.message));
    child.on('close', (code, signal) => this.#lost(child, `ended with ${signal ?? code}: ${reported}`));
    return child;
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => this.#process?.kill('SIGKILL'), PATIENCE_MS);
  }

  #lost(child: ChildProcessWithoutNullStreams, why: string): void {
    if (child !== this.#process || this.#closed) return;
    this.#process = undefined;
    this.#waiting.shift()?.answer({ crash: why });
    for (const { question } of this.#waiting) this.#send(question);
  }
}
