/** Why a scheduling attempt fails, as Karmada tells errors apart; the kind decides what is written. */
export type ScheduleErrorKind =
  | 'FitError'
  | 'UnschedulableError'
  | 'Error'
  /** no error but a crash of the whole scheduler, which is started anew and crashes again */
  | 'Panic';

/** A failed scheduling attempt, with Karmada's text. */
export interface ScheduleError {
  kind: ScheduleErrorKind;
  message: string;
}

/** The same failure with an outer error's text before it (fmt.Errorf with %w). */
export function wrapped(context: string, error: ScheduleError): ScheduleError {
  if (error.kind === 'Panic') return error;
  return { kind: error.kind, message: `${context}: ${error.message}` };
}
