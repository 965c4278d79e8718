import {
  breachesOf,
  type GateCondition,
  judgedOf,
  newBreaches,
  progressSince,
} from '../../analysis/audit/gate.ts';
import type { Audit } from '../../analysis/audit/audit.ts';
import { TROUBLES } from '../../analysis/audit/trouble.ts';
import type { GateResult } from '../../views/audit/auditAnswer.ts';
import { UserError } from '../errors.ts';
import { unknownChoice } from '../values.ts';
import { readBaseline } from './baseline.ts';

const HEADROOM = /^headroom=(\d+(?:\.\d+)?)%$/;

/** What `--fail-on lost,down,headroom=20%` asks for. Throws a UserError that names the flag and what it takes. */
export function gateConditions(given: readonly string[]): GateCondition[] {
  return given
    .flatMap((one) => one.split(','))
    .map((word): GateCondition => {
      const text = word.trim();
      const percent = HEADROOM.exec(text)?.[1];
      if (percent !== undefined) return { headroom: Number(percent) / 100 };
      if (text === 'rto') return 'rto';
      const trouble = TROUBLES.find((each) => each === text);
      if (trouble) return trouble;
      throw unknownChoice('--fail-on', text, [...TROUBLES, 'rto', 'headroom=20%']);
    });
}

/** What an audit breaks. Rejects with a UserError if the baseline cannot be read. */
export async function gateResult(
  audit: Audit,
  conditions: readonly GateCondition[],
  baseline: string | undefined,
): Promise<GateResult | undefined> {
  if (conditions.length === 0 && baseline === undefined) return undefined;
  if (conditions.length === 0)
    throw new UserError('--baseline: say what must not get worse, as in --fail-on lost,down,blocked');
  const judged = judgedOf(audit);
  const breaches = breachesOf(judged, conditions);
  if (baseline === undefined) return { conditions, breaches };
  const earlier = await readBaseline(baseline);
  return {
    conditions,
    breaches: newBreaches(breaches, breachesOf(earlier, conditions)),
    progress: progressSince(judged, earlier),
  };
}
