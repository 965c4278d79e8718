/** A feature gate, flag or instant that an answer rests on, and where its value comes from. */
export interface AnsweredAssumption {
  name: string;
  value: unknown;
  source: string;
  /** false if the state itself has the value */
  assumed: boolean;
  /** the value is a default that nobody has confirmed */
  byDefault?: true;
}

/** The feature gates and flags whose value is a default that nobody has confirmed. */
export function unconfirmed(assumptions: readonly AnsweredAssumption[]): ReadonlySet<string> {
  return new Set(assumptions.filter(({ byDefault }) => byDefault).map(({ name }) => name));
}
