import { presentable } from '../presentation/presentable.ts';
import { inLocale } from './capabilities.ts';
import { EXIT_INTERRUPTED } from './interrupt.ts';
import { endMessages } from './messages.ts';

/** Whether a user can read a question and answer it. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY) && Boolean(process.stderr.isTTY);
}

/** The control plane that a question is about. */
interface Asked {
  url: string;
  context?: string | undefined;
}

/** "context karmada (https://karmada:5443): ", since a wrong context is the costliest mistake. */
function where({ url, context }: Asked): string {
  return context === undefined ? `${url}: ` : `context ${context} (${url}): `;
}

/** Asks on stderr, naming the control plane. Only y and yes mean yes; the end of the input means no; Ctrl-C ends the process. */
export async function confirmed(question: string, server?: Asked): Promise<boolean> {
  endMessages();
  const { createInterface } = await import('node:readline');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const asked = `${server ? where(server) : ''}${question}`;
  return new Promise((resolve) => {
    let answer = '';
    terminal.on('SIGINT', () => {
      terminal.close();
      process.stderr.write('\n');
      process.exit(EXIT_INTERRUPTED);
    });
    terminal.on('close', () => resolve(isYes(answer)));
    terminal.question(`${inLocale(presentable(asked), process.stderr)} [y/N] `, (given) => {
      answer = given;
      terminal.close();
    });
  });
}

/** Whether an answer to a question means yes: only y and yes do. */
export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
