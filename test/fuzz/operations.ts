import { Session, type Profiler } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';

/** How often blocks of code ran, and how many characters and bytes the runtime's own functions processed. */
export interface Operations {
  blocks: number;
  builtIn: number;
}

/**
 * Counts the work of code, including libraries: how often each block of JavaScript ran (V8 counts that for coverage), and how much text,
 * buffers and lists the runtime's own functions received. The result is the same on every machine, however busy.
 */
export async function countOperations(work: () => unknown): Promise<Operations> {
  // compiled code is not counted
  setFlagsFromString('--no-opt');
  setFlagsFromString('--no-sparkplug');
  const session = new Session();
  session.connect();
  const post = <T>(method: string, params: object = {}) =>
    new Promise<T>((resolve, reject) =>
      session.post(method, params, (error: Error | null, result?: unknown) =>
        error ? reject(error) : resolve(result as T),
      ),
    );
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const counted = countBuiltIns();
  try {
    await work();
  } finally {
    counted.restore();
  }
  const { result } = await post<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage');
  await post('Profiler.stopPreciseCoverage');
  session.disconnect();
  setFlagsFromString('--opt');
  const blocks = result
    .filter(({ url }) => !url.startsWith('node:') && !url.includes('/test/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
  return { blocks, builtIn: counted.operations() };
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Cost = (self: unknown, args: unknown[], result: unknown) => number;

const lengthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'length' in value && typeof value.length === 'number'
    ? value.length
    : String(value).length;
const ownLength: Cost = (self) => lengthOf(self);
const resultLength: Cost = (_, __, result) => lengthOf(result);
/** How far a search went. */
const searched: Cost = (self, [, from], result) =>
  (typeof result === 'number' && result >= 0 ? result : lengthOf(self)) -
  (typeof from === 'number' ? from : 0);

/** Replaces functions of the runtime by counting wrappers. */
function countBuiltIns(): { operations: () => number; restore: () => void } {
  let operations = 0;
  const restores: (() => void)[] = [];
  const ends = new WeakMap<RegExp, number>();
  const count = (owner: object, names: string[], cost: Cost) => {
    for (const name of names) {
      const { value: method, ...rest } = Object.getOwnPropertyDescriptor(owner, name)!;
      Object.defineProperty(owner, name, {
        ...rest,
        value: function (this: unknown, ...args: unknown[]) {
          const result = (method as Method).apply(this, args);
          operations += Math.max(1, cost(this, args, result));
          return result;
        },
      });
      restores.push(() => Object.defineProperty(owner, name, { ...rest, value: method as unknown }));
    }
  };
  count(String.prototype, ['split', 'replace', 'replaceAll', 'trim', 'match', 'repeat'], ownLength);
  count(String.prototype, ['indexOf', 'lastIndexOf'], searched);
  count(
    Array.prototype,
    ['indexOf', 'includes', 'splice', 'shift', 'unshift', 'concat', 'slice', 'join'],
    ownLength,
  );
  count(RegExp.prototype, ['exec'], (self, [text], result) => {
    const found = result as RegExpExecArray | null;
    const { sticky, global, lastIndex } = self as RegExp;
    if (!found) return sticky ? 1 : lengthOf(text);
    // how far it went from where the one before had ended; known unless lastIndex is changed in between
    const from = sticky ? found.index : global ? Math.min(found.index, ends.get(self as RegExp) ?? 0) : 0;
    ends.set(self as RegExp, lastIndex);
    return found.index - from + found[0].length;
  });
  count(JSON, ['parse'], (_, [text]) => lengthOf(text));
  count(JSON, ['stringify'], resultLength);
  count(Object, ['entries', 'keys', 'values', 'fromEntries', 'assign'], resultLength);
  count(Buffer, ['concat'], resultLength);
  count(Buffer.prototype, ['toString', 'copy'], resultLength);
  return { operations: () => operations, restore: () => restores.forEach((restore) => restore()) };
}
