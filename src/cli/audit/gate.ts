import type { Audit } from '../../analysis/audit/audit.ts';
import {
  breachesOf,
  type GateCondition,
  judgedOf,
  newBreaches,
  progressSince,
} from '../../analysis/audit/gate.ts';
import { TROUBLES } from '../../analysis/audit/trouble.ts';
import type { GateResult } from '../../views/audit/auditInput.ts';
import { UserError } from '../errors.ts';
import { unknownChoice } from '../values.ts';
import { readBaseline } from './baseline.ts';

const HEADROOM = /^headroom=(\d+(?:\.\d+)?)%$/;

interface GateFlags {
  'fail-on'?: string[] | undefined;
  baseline?: string | undefined;
}

/** Conditions that fail the gate of an audit. */
interface Gate {
  /** it checks recovery targets, so at least one workload must have one */
  judgesTargets: boolean;
  judge(audit: Audit): GateResult;
}

/** The gate set by flags; undefined if none. Rejects with a UserError that names the flag, before the audit starts. */
export async function gateOf({ 'fail-on': given = [], baseline }: GateFlags): Promise<Gate | undefined> {
  const conditions = gateConditions(given);
  if (conditions.length === 0) {
    if (baseline === undefined) return undefined;
    throw new UserError(
      '--baseline needs the outcomes that must not get worse, as in --fail-on lost,down,blocked',
    );
  }
  const earlier = baseline === undefined ? undefined : await readBaseline(baseline);
  const judge = (audit: Audit): GateResult => {
    const judged = judgedOf(audit);
    const breaches = breachesOf(judged, conditions);
    if (breaches.length === 0 && audit.clusters.every(({ down }) => down))
      throw new UserError('--fail-on: no cluster of the state is Ready');
    if (!earlier) return { conditions, breaches };
    return {
      conditions,
      breaches: newBreaches(breaches, earlier, conditions),
      progress: progressSince(judged, earlier),
    };
  };
  return { judgesTargets: conditions.includes('rto'), judge };
}

/** The conditions of `--fail-on lost,down,headroom=20%`. Throws a UserError that names the flag and its values. */
function gateConditions(given: readonly string[]): GateCondition[] {
  return given
    .flatMap((one) => one.split(','))
    .map((word): GateCondition => {
      const text = word.trim();
      const percent = HEADROOM.exec(text)?.[1];
      if (percent !== undefined && Number(percent) <= 100) return { headroom: Number(percent) / 100 };
      if (text === 'rto') return 'rto';
      const trouble = TROUBLES.find((each) => each === text);
      if (trouble) return trouble;
      throw unknownChoice('--fail-on', text, [...TROUBLES, 'rto', 'headroom=20%']);
    });
}
