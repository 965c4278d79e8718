import type { FailoverState, FailoverSwitch } from '../../analysis/explanation/failoverSwitch.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asGood, asWarning } from '../../presentation/words.ts';

const STATES: Record<FailoverState, Words> = {
  on: asGood('on'),
  partly: asWarning('on for some clusters'),
  'by-hand': asWarning('manual'),
  off: asBad('off'),
  unknown: asWarning('UNKNOWN'),
};

/** "on by inference", "manual (unverified)": whether failover is on, and the basis if that is not certain. */
export function failoverStateWords(
  { state, certainty, inferred = [] }: Pick<FailoverSwitch, 'state' | 'certainty' | 'inferred'>,
  brief?: string,
): Words {
  if (certainty === 'certain' || state === 'unknown') return STATES[state];
  const basis =
    inferred.length > 0 ? ' by inference' : state === 'by-hand' ? ' (unverified)' : ' by unverified defaults';
  return [STATES[state], asWarning(brief ?? basis)];
}
