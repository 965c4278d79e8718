/** Why an API server did not do what was asked. The message is one line that says what, where and what next. */
export class ApiError extends Error {
  readonly exitCode = 4;
  /** HTTP status; 0 if there was no answer (refused, reset, timed out, untrusted certificate), or no usable one */
  readonly status: number;
  /** metav1.Status reason: NotFound, Forbidden, Conflict, Expired, Invalid, …, or Node's error code, or BrokenObject, NotJSON */
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
