import { notIgnorable, uselessIgnore } from '../../analysis/findings/admission.ts';
import { riskChecks, fileChecks } from '../../analysis/findings/catalogue.ts';
import type { Finding } from '../../analysis/findings/finding.ts';
import { stateChecks } from '../../analysis/findings/state/stateCatalogue.ts';
import { closestName } from '../../kubernetes/spelling.ts';

const OWN = [...fileChecks, ...riskChecks, ...stateChecks].map(({ id }) => id);

/**
 * A finding about an ignore without effect: the rule is unknown, cannot be ignored, or finds nothing there.
 *
 * @param organisation the ids of rules written by organisations
 * @param about the place of the ignore, and its object and field if it is in one
 * @param where the place, as the message calls it: "here"
 */
export function uselessIgnores(
  rule: string,
  organisation: readonly string[],
  about: Pick<Finding, 'place' | 'object' | 'field'>,
  where: string,
): Finding {
  return {
    rule: uselessIgnore.id,
    severity: uselessIgnore.severity,
    message: `${about.field === undefined ? '' : `${about.field}: `}${whyUseless(rule, [...OWN, ...organisation], where)}`,
    ...about,
  };
}

function whyUseless(rule: string, known: readonly string[], where: string): string {
  if (rule === '') return 'the comment names no rule: write ignore RULE reason';
  if (notIgnorable.has(rule))
    return `the rule ${rule} cannot be ignored: the API server refuses its findings`;
  if (known.includes(rule)) return `the rule ${rule} finds nothing${where}, so there is nothing to ignore`;
  const meant = closestName(rule, known);
  return `there is no rule ${rule}${meant === undefined ? '; docs/checks.md lists all' : `: write ${meant}`}`;
}
