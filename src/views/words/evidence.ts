import type { Evidence } from '../../karmada/evidence.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { redacted } from '../../kubernetes/redaction/redacted.ts';
import type { Words } from '../../presentation/model.ts';
import { asFaint, asWarning } from '../../presentation/words.ts';

/** Evidence on one line: the rule, then the field and value that were read, then the uncertainty. */
export function evidenceWords(evidence: Evidence, about: ObjectIdentity | undefined): Words {
  const { rule, object, field, value, certainty, missing } = evidence;
  const elsewhere =
    object && !(about && object.kind === about.kind && object.name === about.name)
      ? `${object.kind} ${object.namespace ? `${object.namespace}/` : ''}${object.name} `
      : '';
  const seen = field === undefined ? [] : [' ', asFaint(`[${elsewhere}${field}${valueText(value)}]`)];
  const doubt =
    certainty === undefined || certainty === 'certain'
      ? []
      : [' ', asWarning(`${certainty}${missing ? `: ${missing}` : ''}`)];
  return [rule, ...seen, ...doubt];
}

function valueText(value: unknown): string {
  if (value === undefined) return '';
  // redacted before it is cut: part of a secret is not recognized as one
  const text = redacted(typeof value === 'string' ? value : JSON.stringify(value));
  return `: ${text.length > 120 ? `${text.slice(0, 117)}…` : text}`;
}
