import { EXIT_BAD_INPUT } from './exitCodes.ts';

/**
 * An error that the user can correct. The message is one line that names the object or flag, the field and the value,
 * and the next step.
 */
export class UserError extends Error {
  readonly exitCode = EXIT_BAD_INPUT;
}

/** An error with an exit code; any other error is a bug. */
interface ExpectedError extends Error {
  exitCode: number;
}

export function isExpected(error: unknown): error is ExpectedError {
  return error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number';
}

/** A message that ends with suggestions for a misspelt value, or else with `otherwise`. */
export function withSuggestion(message: string, near: string[], otherwise = ''): string {
  if (near.length > 0) return `${message}, did you mean ${near.join(' or ')}?`;
  return otherwise === '' ? message : `${message}; ${otherwise}`;
}
