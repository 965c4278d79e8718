import vm from 'node:vm';
import { codeOf } from './systemProblem.ts';

/** Thrown by `stoppedAfter` when the time is up. */
export class TimeLimitExceeded extends Error {}

/**
 * The result of code without side effects, stopped after this many milliseconds of wall-clock time, in its own V8
 * context. If a busy machine gave it less than half of that, it runs again, for twice as long. `cpuUsage` is Node's, or
 * a test's.
 */
export function stoppedAfter<Result>(
  milliseconds: number,
  run: () => Result,
  cpuUsage: typeof process.cpuUsage = process.cpuUsage.bind(process),
): Result {
  const context = vm.createContext({ run });
  for (let timeout = milliseconds; ; timeout *= 2) {
    const began = cpuUsage();
    try {
      return new vm.Script('run()').runInContext(context, { timeout });
    } catch (error) {
      if (codeOf(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = cpuUsage(began);
      if ((user + system) / 1000 >= milliseconds / 2) throw new TimeLimitExceeded();
    }
  }
}
