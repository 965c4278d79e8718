import { oneLine } from './oneLine.ts';

/**
 * State that cannot be used. The message is one line that names the file, the line or object and the
 * field, and says what to do next; commands print it without a stack trace.
 */
export class StateError extends Error {
  override readonly name = 'StateError';
  /** wrong input, as docs/exit-codes.md has it */
  readonly exitCode = 2;

  constructor(message: string) {
    super(oneLine(message));
  }
}
