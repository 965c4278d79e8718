import { canAsk, confirmed } from '../../terminal/confirm.ts';
import { interruptible, type Interrupt } from '../../terminal/interrupt.ts';
import { printError } from '../../terminal/messages.ts';
import type { Ports } from '../../useCases/ports.ts';
import type { Answer } from '../../views/answer.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { ports } from '../ports.ts';
import { print, type PrintFlags } from '../print.ts';

/** Shows a change of policies to the user and asks: on the command line, or on a page of a dashboard. */
export interface Conversation {
  ports: Ports;
  error(text: string): void;
  print(answer: Answer): Promise<void>;
  canAsk(): boolean;
  /** whether the user agrees; the plan has been printed */
  ask(question: string): Promise<boolean>;
  /** listens for requests to stop while writing */
  interruptible(): Interrupt;
  /** called once the control plane has been read */
  read?(server: ApiServer): void;
}

/** The conversation on a command's terminal. */
export function atCommandLine(flags: PrintFlags): Conversation {
  let server: ApiServer | undefined;
  return {
    ports,
    error: printError,
    print: (answer) => print(answer, flags),
    canAsk,
    ask: (question) => confirmed(question, server),
    read: (read) => (server = read),
    interruptible,
  };
}
