import vm from 'node:vm';
import { codeOf } from './systemProblem.ts';

/** What `stoppedAfter` throws if code has run for as long as it may. */
export class TakesTooLong extends Error {}

/**
 * What code gives that has no effects. It is stopped, in a V8 context of its own, after so many milliseconds. V8 counts
 * them by the wall clock: code that got less than half of them from a busy machine runs again, for twice as long.
 */
export function stoppedAfter<Result>(milliseconds: number, run: () => Result): Result {
  const context = vm.createContext({ run });
  for (let timeout = milliseconds; ; timeout *= 2) {
    const began = process.cpuUsage();
    try {
      return new vm.Script('run()').runInContext(context, { timeout });
    } catch (error) {
      if (codeOf(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = process.cpuUsage(began);
      if ((user + system) / 1000 >= milliseconds / 2) throw new TakesTooLong();
    }
  }
}
