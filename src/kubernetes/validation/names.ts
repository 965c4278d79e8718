import { type FieldError, invalid } from '../fieldErrors.ts';
import { utf8Length } from '../utf8.ts';

// Wording shared by Kubernetes' validation of names and labels.

const EMPTY = 'must be non-empty';

/** Up to v1.34 Kubernetes says characters for bytes. */
function maxLengthError(length: number, unit: 'bytes' | 'characters' = 'bytes'): string {
  return `must be no more than ${length} ${unit}`;
}

/** The rule, with examples and the regular expression. */
function regexError(rule: string, pattern: string, ...examples: string[]): string {
  const like = examples.map((example) => `'${example}'`).join(',  or ');
  return `${rule} (e.g. ${like}, regex used for validation is '${pattern}')`;
}

// The syntax of names, in the words of k8s.io/apimachinery/pkg/api/validate/content.
const LABEL_LENGTH = 63;
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const SUBDOMAIN_LENGTH = 253;
const labelPattern = new RegExp(`^${LABEL}$`);
const subdomainPattern = new RegExp(`^${SUBDOMAIN}$`);

/** Why a text is not a DNS subdomain (RFC 1123), as most objects' names must be; empty if it is one. */
export function dnsSubdomainErrors(text: string, unit: 'bytes' | 'characters' = 'bytes'): string[] {
  const errors: string[] = [];
  if (utf8Length(text) > SUBDOMAIN_LENGTH) errors.push(maxLengthError(SUBDOMAIN_LENGTH, unit));
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  if (!subdomainPattern.test(text)) errors.push(regexError(rule, SUBDOMAIN, 'example.com'));
  return errors;
}

/** Whether a text is a DNS label (RFC 1123), as names of namespaces must be. */
export function isDnsLabel(text: string): boolean {
  return text.length <= LABEL_LENGTH && labelPattern.test(text);
}

/** Whether a text is a DNS subdomain (RFC 1123), as most objects' names must be. */
export function isDnsSubdomain(text: string): boolean {
  return dnsSubdomainErrors(text).length === 0;
}

// The syntax of labels, in the words of k8s.io/apimachinery/pkg/api/validate/content.
const MAX_LENGTH = 63;

const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const namePattern = new RegExp(`^${NAME}$`);
const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const nameError = regexError(NAME_RULE, NAME, 'MyName', 'my.name', '123-abc');

/** Up to v1.34 Kubernetes says qualified name for a label key, and characters for bytes. */
type LabelKeyWords = 'qualifiedName' | 'labelKey';

const wordings = {
  qualifiedName: { what: 'a qualified name', unit: 'characters' },
  labelKey: { what: 'a valid label key', unit: 'bytes' },
} as const;

/** Why a text is not valid as a label key ("name" or "dns.subdomain/name"); empty if it is. */
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

/** Why a text is not valid as a label value; empty if it is. */
export function labelValueErrors(value: string, words: LabelKeyWords = 'labelKey'): string[] {
  const { unit } = wordings[words];
  return [
    ...(utf8Length(value) > MAX_LENGTH ? [maxLengthError(MAX_LENGTH, unit)] : []),
    ...(valuePattern.test(value) ? [] : [valueError]),
  ];
}

/** Why the label key at `field` is invalid; empty if Kubernetes accepts it. */
export function labelKeyFieldErrors(key: string, field: string, words?: LabelKeyWords): FieldError[] {
  return labelKeyErrors(key, words).map((error) => invalid(field, key, error));
}
