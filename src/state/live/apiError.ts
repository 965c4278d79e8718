/** A failed request to an API server. The message is one line: what failed, where, and the next step. */
export class ApiError extends Error {
  readonly exitCode = 4;
  /** HTTP status; 0 without a usable answer (refused, reset, timed out, untrusted certificate) */
  readonly status: number;
  /** reason of a metav1.Status (NotFound, Conflict, Expired, …), Node's error code, BrokenObject, or NotJSON */
  readonly reason: string;
  /** seconds, from Retry-After */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    details: { status: number; reason: string; retryAfter?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.reason = details.reason;
    this.retryAfter = details.retryAfter;
  }
}
