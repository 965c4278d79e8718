import type { Reconciled } from '../../karmada/running/controllerNews.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Change, Write } from '../../karmada/controllers/write.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { WriteOutcome } from '../writeObject.ts';

/**
 * The known result of a write. `conflict`: another client was first; the view shows the API's current state, or soon
 * will. `lost`: no answer arrived, so it is unknown whether the write was made.
 */
export interface Written {
  result: 'written' | 'conflict' | 'refused' | 'lost';
  message?: string;
}

/** The result of a write, as reported to a controller. */
export function answerOf(outcome: WriteOutcome<unknown>): Written {
  switch (outcome.result) {
    case 'written':
    case 'unchanged':
      return { result: 'written' };
    case 'conflict':
      return { result: 'conflict' };
    case 'gone':
      return { result: 'refused', message: 'it is gone' };
    case 'refused':
      return { result: 'refused', message: outcome.message };
    case 'unknown':
      return { result: 'lost', message: outcome.message };
  }
}

/** Accepts writes, like an API that may refuse, conflict, answer late, or lose its answer. */
export interface WriteApi<Name extends string = string> {
  write(write: Write, by: Name): Promise<Written>;
}

/** The environment of controllers: caches, notifications of changes, and time. */
export interface ControllerHost<Name extends string = string> {
  /** the caches as they are now; they may lag behind the API */
  readonly view: View;
  readonly configuration: Configuration;
  api: WriteApi<Name>;
  /** epoch milliseconds, monotonic */
  now(): number;
  /** Resolves after this many milliseconds, or once the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** a clock in milliseconds, to measure how busy this process is */
  stopwatch(): number;
  /** Yields to other pending work in this process. */
  breathe(): Promise<void>;
  /** When the caches may have become stale (epoch milliseconds); undefined if they are fresh. */
  staleSince(): number | undefined;
  /**
   * Calls `listener` for each change of the caches, perhaps more than once. Returns a function that ends the
   * subscription.
   */
  subscribe(listener: (change: Change) => void): () => void;
  observer?: ControllerObserver<Name> | undefined;
}

/** Receives the actions of queues and controllers: for logs, Events and metrics. */
export interface ControllerObserver<Name extends string = string> {
  /** A key was added to a queue, due in `after` milliseconds. `length` keys are now waiting for a worker. */
  added?(controller: Name, key: string, after: number, length: number): void;
  /** A key was removed from a queue before a worker took it. */
  dropped?(controller: Name, key: string, length: number): void;
  /** A worker has taken a key. */
  taken?(controller: Name, key: string, length: number): void;
  retried?(controller: Name, key: string, reason: string): void;
  reconciled?(result: Reconciled<Name>): void;
  /** whether the observer wants the evidence behind a controller's decisions */
  explains?(controller: Name): boolean;
  /** A worker has finished a key, after this many milliseconds. */
  done?(controller: Name, key: string, outcome: 'success' | 'error', milliseconds: number): void;
}
