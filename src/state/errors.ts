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

/** Control characters and line breaks of foreign text (file names, values) shown as blanks. */
function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
