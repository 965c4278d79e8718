import type { Evidence } from '../engine/evidence.ts';
import type { ObjectIdentity } from '../karmada/api/meta.ts';
import type { Style } from './style.ts';

/** Evidence on one line: the rule, then the field and value it was read from, then what is not certain. */
export function evidenceText(evidence: Evidence, about: ObjectIdentity | undefined, style: Style): string {
  const { rule, object, field, value, certainty, missing } = evidence;
  const elsewhere =
    object && !(about && object.kind === about.kind && object.name === about.name)
      ? `${object.kind} ${object.namespace ? `${object.namespace}/` : ''}${object.name} `
      : '';
  const seen = field === undefined ? '' : ` ${style.faint(`[${elsewhere}${field}${valueText(value)}]`)}`;
  const doubt =
    certainty === undefined || certainty === 'certain'
      ? ''
      : ` ${style.warn(`${certainty}${missing ? `: ${missing}` : ''}`)}`;
  return `${rule}${seen}${doubt}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `: ${text.length > 120 ? `${text.slice(0, 117)}…` : text}`;
}
