/** What the value of a field in a saved file must be. */
export type Shape =
  | 'number'
  | 'string'
  | 'boolean'
  /** a number, a text, true or false */
  | 'scalar'
  /** a whole number, not negative */
  | 'count'
  /** milliseconds, not negative, and less than centuries */
  | 'duration'
  /** epoch milliseconds between 1970 and 2200 */
  | 'time'
  | 'RFC 3339 time'
  /** as Kubernetes writes it: "500m" */
  | 'quantity'
  | 'any'
  | { oneOf: readonly string[] }
  | { orNull: Shape }
  | { list: Shape }
  | { tuple: readonly Shape[] }
  | { record: Shape }
  /** its field `type` says which shape it has */
  | { types: Record<string, Shape> }
  | { fields: Record<string, Shape>; optional?: readonly string[] };
