/** The error that ends a request of a process that may no longer be the leader. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}

/** Whether this process may write. */
export interface Leadership {
  /** ends the work: nothing new begins; on request, or because the leadership is lost */
  readonly signal: AbortSignal;
  /** ends requests under way: another process may lead by now */
  readonly lost: AbortSignal;
  /** Throws LeadershipLost unless this process certainly leads at this moment. */
  assert(): void;
}

/** The leadership of a process without rivals. */
export function undisputed(signal: AbortSignal): Leadership {
  return { signal, lost: new AbortController().signal, assert: () => undefined };
}
