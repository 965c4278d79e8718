/** Passes on the newest of many values, at once and then at most every so many milliseconds; `end` passes on the last. */
export function atMostEvery<Value>(
  milliseconds: number,
  pass: (value: Value) => void,
): { next(value: Value): void; end(): void } {
  let waiting: { value: Value } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    if (!waiting) return;
    const { value } = waiting;
    waiting = undefined;
    pass(value);
    timer = setTimeout(flush, milliseconds);
  };
  return {
    next(value) {
      waiting = { value };
      if (!timer) flush();
    },
    end() {
      clearTimeout(timer);
      flush();
      clearTimeout(timer);
    },
  };
}
