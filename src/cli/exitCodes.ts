/** The exit codes; docs/exit-codes.md explains them. */
export const EXIT_OK = 0;
/** The answer is a failure, for commands with such answers. */
export const EXIT_ANSWER_IS_FAILURE = 1;
/** Wrong usage, or input that cannot be read or found. */
export const EXIT_BAD_INPUT = 2;
/** The control plane could not be reached, or refused the request. */
export const EXIT_CONTROL_PLANE = 4;
/** A bug in this program. */
export const EXIT_BUG = 70;
export { EXIT_INTERRUPTED, EXIT_NOT_FINISHED } from '../terminal/interrupt.ts';
