/** Computes a value on the first call. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Computes a value of an object on its first call: simulations with the same start share values derived from it. */
export function lazilyFor<K extends object, T>(make: (of: K) => T): (of: K) => T {
  const made = new WeakMap<K, { value: T }>();
  return (of) => {
    let known = made.get(of);
    if (!known) made.set(of, (known = { value: make(of) }));
    return known.value;
  };
}
