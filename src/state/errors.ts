import { oneLine } from './oneLine.ts';
import type { SourcePlace } from '../analysis/findings/finding.ts';
import { placeOf, type Position } from './position.ts';

/**
 * Unusable state. The message is one line that names the file, the line or object and the field, and the next step;
 * commands print it without a stack trace.
 */
export class StateError extends Error {
  override readonly name = 'StateError';
  /** wrong input, as in docs/exit-codes.md */
  readonly exitCode = 2;

  constructor(message: string) {
    super(oneLine(message));
  }
}

/** A text without Kubernetes objects: it can be skipped if there are other files. */
export class ForeignTextError extends StateError {}

/** A text that is not YAML or JSON, as a whole or from some place on. */
export class UnreadableTextError extends StateError {
  readonly place: SourcePlace;
  readonly problem: string;

  constructor(file: string, problem: string, position?: Position) {
    super(`${position ? placeOf(file, position) : file}: ${problem}`);
    this.place = { file, ...(position ?? { line: 1, column: 1 }) };
    this.problem = problem;
  }
}

/** The result of `read`; prefixes its StateErrors with `role`, the purpose of their input. */
export async function readAs<T>(role: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StateError) || error.message.startsWith(`${role} `)) throw error;
    throw new StateError(`${role} ${error.message}`);
  }
}

/** An object of a file that does not fit its kind. `at` adds the place in the file, once it is known. */
export class InvalidObjectError extends StateError {
  readonly #file: string;
  readonly #problem: string;
  /** the field in the object: ".spec.clusters[1].replicas"; "" for the object itself */
  readonly path: string;

  constructor(file: string, line: number, problem: string, path: string) {
    super(`${file}:${line}: ${problem}`);
    this.#file = file;
    this.#problem = problem;
    this.path = path;
  }

  /** The same error, with the place of the field. */
  at(position: Position): StateError {
    return new StateError(`${placeOf(this.#file, position)}: ${this.#problem}`);
  }
}
