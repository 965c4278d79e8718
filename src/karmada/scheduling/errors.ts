/** Why a scheduling attempt fails, by Karmada's error types; the writes depend on the type. */
export type ScheduleErrorKind =
  | 'FitError'
  | 'UnschedulableError'
  | 'Error'
  /** the scheduler process crashes, restarts and crashes again */
  | 'Panic';

/** A failed scheduling attempt, with Karmada's text. */
export interface ScheduleError {
  kind: ScheduleErrorKind;
  message: string;
}

/** The same failure with the text of an outer error prepended (fmt.Errorf with %w). */
export function wrapError(context: string, error: ScheduleError): ScheduleError {
  if (error.kind === 'Panic') return error;
  return { kind: error.kind, message: `${context}: ${error.message}` };
}
