// What names may look like, in the words of k8s.io/apimachinery/pkg/api/validate/content.
import { utf8Length } from '../utf8.ts';
import { maxLengthError, regexError } from './messages.ts';

const LABEL_LENGTH = 63;
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const SUBDOMAIN_LENGTH = 253;
const labelPattern = new RegExp(`^${LABEL}$`);
const subdomainPattern = new RegExp(`^${SUBDOMAIN}$`);

/** Why a text is no DNS subdomain (RFC 1123), as most objects' names must be; empty if it is one. */
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
