import type { Looked } from '../../karmada/running/controllerNews.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Change, Write } from '../../karmada/controllers/write.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { WriteOutcome } from '../writeObject.ts';

/**
 * What is known of a write. `conflict`: another client was first; the view shows what the API has now, or soon will.
 * `lost`: no answer came; whether the write was made is unknown.
 */
export interface Written {
  result: 'written' | 'conflict' | 'refused' | 'lost';
  message?: string;
}

/** What a controller learns of a write. */
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

/** Takes writes: an API that may refuse, conflict, answer late, or lose its answer. */
export interface WriteApi<Name extends string = string> {
  /** Sends one write of a controller to the API. */
  write(write: Write, by: Name): Promise<Written>;
}

/** What controllers need of the outside: caches, their changes, time. */
export interface ControllerHost<Name extends string = string> {
  /** the caches as they are now; they may lag behind the API */
  readonly view: View;
  readonly configuration: Configuration;
  api: WriteApi<Name>;
  /** epoch milliseconds; never goes back */
  now(): number;
  /** Resolves after so many milliseconds, or once the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** a clock in milliseconds, to measure how long this process has been busy */
  stopwatch(): number;
  /** Lets everything else that waits in this process have its turn. */
  breathe(): Promise<void>;
  /** Since when the caches may be out of date (epoch milliseconds); undefined while all is well. */
  staleSince(): number | undefined;
  /**
   * Calls `listener` for each change of the caches, perhaps more than once. Returns a function that ends the
   * subscription.
   */
  subscribe(listener: (change: Change) => void): () => void;
  observer?: ControllerObserver<Name> | undefined;
}

/** Receives what queues and controllers do: for logs, Events and metrics. */
export interface ControllerObserver<Name extends string = string> {
  /** A key was added to a queue; `after` milliseconds it is due. `length` keys wait for a worker now. */
  added?(controller: Name, key: string, after: number, length: number): void;
  /** A key left a queue without having had its turn. */
  dropped?(controller: Name, key: string, length: number): void;
  /** A worker has taken a key. */
  taken?(controller: Name, key: string, length: number): void;
  retried?(controller: Name, key: string, reason: string): void;
  looked?(look: Looked<Name>): void;
  /** whether evidence of a controller's looks is wanted */
  explains?(controller: Name): boolean;
  /** A worker has finished with a key, after so many milliseconds. */
  done?(controller: Name, key: string, outcome: 'success' | 'error', milliseconds: number): void;
}
