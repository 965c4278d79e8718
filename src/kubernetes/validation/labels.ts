// What labels may look like, in the words of k8s.io/apimachinery/pkg/api/validate/content.
import { invalid, type FieldError } from '../fieldErrors.ts';
import { utf8Length } from '../utf8.ts';
import { dnsSubdomainErrors } from './dns.ts';
import { EMPTY, maxLengthError, regexError } from './messages.ts';

const MAX_LENGTH = 63;

const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const namePattern = new RegExp(`^${NAME}$`);
const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const nameError = regexError(NAME_RULE, NAME, 'MyName', 'my.name', '123-abc');

/** Up to v1.34 Kubernetes called a label's key a qualified name, and its bytes characters. */
export type LabelKeyWords = 'qualifiedName' | 'labelKey';

const wordings = {
  qualifiedName: { what: 'a qualified name', unit: 'characters' },
  labelKey: { what: 'a valid label key', unit: 'bytes' },
} as const;

/** Why a text cannot be a label's key ("name" or "dns.subdomain/name"); empty if it can. */
export function labelKeyErrors(key: string, words: LabelKeyWords = 'labelKey'): string[] {
  const { what, unit } = wordings[words];
  const parts = key.split('/');
  if (parts.length > 2)
    return [`${what} ${nameError} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const name = parts.at(-1)!;
  return [...(parts.length === 2 ? prefixErrors(parts[0]!, unit) : []), ...nameErrors(name, unit)];
}

type Unit = (typeof wordings)[LabelKeyWords]['unit'];

function prefixErrors(prefix: string, unit: Unit): string[] {
  const errors = prefix === '' ? [EMPTY] : dnsSubdomainErrors(prefix, unit);
  return errors.map((error) => `prefix part ${error}`);
}

function nameErrors(name: string, unit: Unit): string[] {
  const errors: string[] = [];
  if (name === '') errors.push(EMPTY);
  else if (utf8Length(name) > MAX_LENGTH) errors.push(maxLengthError(MAX_LENGTH, unit));
  if (!namePattern.test(name)) errors.push(nameError);
  return errors.map((error) => `name part ${error}`);
}

const VALUE = `(${NAME})?`;
const valuePattern = new RegExp(`^${VALUE}$`);
const valueError = regexError(
  `a valid label must be an empty string or ${NAME_RULE.replace('must ', '')}`,
  VALUE,
  'MyValue',
  'my_value',
  '12345',
);

/** Why a text cannot be a label's value; empty if it can. */
export function labelValueErrors(value: string, words: LabelKeyWords = 'labelKey'): string[] {
  const { unit } = wordings[words];
  return [
    ...(utf8Length(value) > MAX_LENGTH ? [maxLengthError(MAX_LENGTH, unit)] : []),
    ...(valuePattern.test(value) ? [] : [valueError]),
  ];
}

/** What is wrong with a label's key at `field`; empty if Kubernetes accepts it. */
export function labelKeyFieldErrors(key: string, field: string, words?: LabelKeyWords): FieldError[] {
  return labelKeyErrors(key, words).map((error) => invalid(field, key, error));
}
