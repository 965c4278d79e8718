/** The error that aborts a request because this process may no longer lead. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}

/** Whether this process may write. */
export interface Leadership {
  /** stops new work, on request or because leadership is lost */
  readonly signal: AbortSignal;
  /** aborts requests in progress: another process may now lead */
  readonly lost: AbortSignal;
  /** Throws LeadershipLost unless this process is certainly the leader now. */
  assert(): void;
}

/** The leadership of a process without rivals. */
export function isUncontested(signal: AbortSignal): Leadership {
  return { signal, lost: new AbortController().signal, assert: () => undefined };
}
