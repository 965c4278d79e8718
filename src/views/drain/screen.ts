import type { DrainProgress } from '../../engine/drain/drainEvent.ts';

/** Where the present state of a drain is drawn, again and again, on a terminal. */
export interface Screen {
  /** draws this state soon; states that follow one another quickly are not all drawn */
  show(progress: DrainProgress): void;
  /** a line that stays, above the state */
  log(line: string): void;
  /** says that the drain is about to stop */
  stopping(): void;
  /** draws the newest state a last time and leaves it there */
  close(): Promise<void>;
}
