/** The allowed values of a field in a saved file. */
export type Shape =
  | 'number'
  | 'string'
  | 'boolean'
  /** a number, a string, true or false */
  | 'scalar'
  /** a non-negative integer */
  | 'count'
  /** milliseconds: non-negative, and less than centuries */
  | 'duration'
  /** epoch milliseconds between 1970 and 2200 */
  | 'time'
  | 'RFC 3339 time'
  /** in Kubernetes' notation: "500m" */
  | 'quantity'
  | 'any'
  | { oneOf: readonly string[] }
  | { orNull: Shape }
  | { list: Shape }
  | { tuple: readonly Shape[] }
  | { record: Shape }
  /** its field `type` selects one of the shapes */
  | { types: Record<string, Shape> }
  | { fields: Record<string, Shape>; optional?: readonly string[] };

/** The TypeScript type of the values that have a shape. */
export type Shaped<S extends Shape> = S extends 'number' | 'count' | 'duration' | 'time'
  ? number
  : S extends 'string' | 'RFC 3339 time'
    ? string
    : S extends 'boolean'
      ? boolean
      : S extends 'scalar'
        ? string | number | boolean
        : S extends 'quantity'
          ? string | number
          : S extends { oneOf: readonly (infer One)[] }
            ? One
            : S extends { orNull: infer Inner extends Shape }
              ? Shaped<Inner> | null
              : S extends { list: infer Item extends Shape }
                ? readonly Shaped<Item>[]
                : S extends { record: infer Value extends Shape }
                  ? Readonly<Record<string, Shaped<Value>>>
                  : S extends {
                        fields: infer Fields extends Record<string, Shape>;
                        optional: readonly (infer May)[];
                      }
                    ? ShapedFields<Omit<Fields, May & string>> &
                        Partial<ShapedFields<Pick<Fields, May & keyof Fields>>>
                    : S extends { fields: infer Fields extends Record<string, Shape> }
                      ? ShapedFields<Fields>
                      : unknown;

type ShapedFields<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends Shape ? Shaped<Fields[Name]> : never;
};
