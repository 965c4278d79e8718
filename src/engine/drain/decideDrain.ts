import type { Configuration } from '../../karmada/configuration.ts';
import type { DrainOptions } from './drainOptions.ts';
import type { DrainPacer } from './drainPacer.ts';
import type { DrainStep } from './drainStep.ts';
import type { DrainView } from './drainView.ts';

/**
 * What a drain does now. Looks alone: the writes are the caller's, who calls `noteWritten` for each that was taken, and
 * asks again when anything changes or `lookAgainAt` has come.
 *
 * @param now epoch milliseconds of the server's clock
 */
export function decideDrain(
  _view: DrainView,
  _options: DrainOptions,
  _configuration: Configuration,
  _pacer: DrainPacer,
  _now: number,
): DrainStep {
  throw new Error('not built yet');
}
