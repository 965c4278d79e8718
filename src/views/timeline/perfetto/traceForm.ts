import type { Answer } from '../../answer.ts';
import type { Traced } from './trace.ts';

/** -o perfetto, whose encoder is loaded on demand. */
export function traceForm(traced: () => Traced): NonNullable<Answer['binaryForms']> {
  return {
    async perfetto() {
      const { perfettoTrace } = await import('./trace.ts');
      return perfettoTrace(traced());
    },
  };
}
