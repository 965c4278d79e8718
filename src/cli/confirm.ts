import { createInterface } from 'node:readline';

/** Whether a person can be asked: somebody reads what is written and can answer. */
export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY) && Boolean(process.stderr.isTTY);
}

/** Asks on stderr; yes only where the answer is y or yes. Ctrl-C and the end of the input are a no. */
export function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    let answer = '';
    terminal.on('SIGINT', () => {
      process.stderr.write('\n');
      terminal.close();
    });
    terminal.on('close', () => resolve(/^y(es)?$/i.test(answer.trim())));
    terminal.question(`${question} [y/N] `, (given) => {
      answer = given;
      terminal.close();
    });
  });
}
