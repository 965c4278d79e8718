import { canAsk, confirmed } from '../../terminal/confirm.ts';
import { interruptible, type Interrupt } from '../../terminal/interrupt.ts';
import { sayError } from '../../terminal/messages.ts';
import type { Ports } from '../../useCases/ports.ts';
import type { Answer } from '../../views/answer.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { ports } from '../ports.ts';
import { print, type PrintFlags } from '../print.ts';

/** Who sees a change of policies, and is asked: somebody at a command line, or at a page of a dashboard. */
export interface Conversation {
  ports: Ports;
  error(text: string): void;
  print(answer: Answer): Promise<void>;
  canAsk(): boolean;
  /** whether the answer is yes; what is to be known has been printed */
  ask(question: string): Promise<boolean>;
  /** listens for requests to stop while something is written */
  interruptible(): Interrupt;
  /** called with the control plane, once it has been read */
  read?(server: ApiServer): void;
}

/** The conversation of a command on its terminal. */
export function atCommandLine(flags: PrintFlags): Conversation {
  let server: ApiServer | undefined;
  return {
    ports,
    error: sayError,
    print: (answer) => print(answer, flags),
    canAsk,
    ask: (question) => confirmed(question, server),
    read: (read) => (server = read),
    interruptible,
  };
}
