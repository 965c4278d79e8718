import { REDACTED, isSecretName, mayHoldSecret, redacted, secretInWord } from './redacted.ts';
import { isList, isObject, type JsonObject } from '../json.ts';

/**
 * A copy of JSON data with each string redacted. A string is hidden completely if its field, the name beside a `value`,
 * or the path that it is written to names a secret. So are, in Kubernetes objects anywhere in the data, the data of
 * Secrets and ConfigMaps, `env` values, values from OverridePolicies, words after a secret's flag in `args` and
 * `command`, the last-applied configuration, applied overrides in Works, and proxy headers of Clusters. Numbers, labels
 * and selectors stay: outcomes depend on them, and labels must not contain secrets.
 */
export function redactedData<Data>(data: Data): Data {
  return withoutSecrets(data, '') as Data;
}

/** `JSON.stringify(data, null, indent)` of the result of `redactedData`. */
export function redactedJson(data: unknown, indent?: number): string {
  const text = JSON.stringify(data, null, indent) ?? 'null';
  return mayHoldSecret(text) ? JSON.stringify(withoutSecrets(JSON.parse(text), ''), null, indent) : text;
}

/** The overriders of an OverridePolicy whose `value` is a list of words. */
const OVERRIDES_WORDS = new Set(['argsOverrider', 'commandOverrider']);
/** Fields with all values hidden: a Cluster's proxy headers may contain a password under any name. */
const HIDDEN_FIELDS = new Set(['proxyHeader']);
const HOLDS_DATA = new Set(['Secret', 'ConfigMap']);
const DATA = new Set(['data', 'stringData', 'binaryData']);
const SELECTS = new Set(['labels', 'matchLabels', 'nodeSelector']);
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Annotations of Works and of their manifests, in which Karmada repeats overriders as JSON. */
const APPLIED_OVERRIDES = new Set([
  'policy.karmada.io/applied-overrides',
  'policy.karmada.io/applied-cluster-overrides',
]);

/** `field` is the name of the field that contains the data. */
function withoutSecrets(data: unknown, field: string): unknown {
  if (typeof data === 'string') {
    if (APPLIED_OVERRIDES.has(field)) return withoutOverridden(data);
    return isSecretField(field) ? REDACTED : redacted(data);
  }
  if (isList(data)) {
    if (field === 'args' || field === 'command') return withoutSecretWords(data);
    return data.map((item) => withoutSecrets(item, field));
  }
  if (!isObject(data)) return data;
  const { kind } = data;
  const hidesValue = field === 'env' || isSecretName(field) || isForSecret(data);
  const hidesData = typeof kind === 'string' && HOLDS_DATA.has(kind);
  return Object.fromEntries(
    Object.entries(data).map(([inner, value]: [string, unknown]) => {
      const shown = redacted(inner);
      if (SELECTS.has(field)) return [shown, typeof value === 'string' ? redacted(value) : value];
      if (hidesValue && inner === 'value' && value !== '') return [shown, REDACTED];
      if ((hidesData && DATA.has(inner)) || HIDDEN_FIELDS.has(inner)) return [shown, hidden(value)];
      if (OVERRIDES_WORDS.has(field) && Array.isArray(value)) return [shown, withoutSecretWords(value)];
      return [shown, withoutSecrets(value, inner)];
    }),
  );
}

/** Overriders in JSON, redacted as those of an OverridePolicy; hidden completely if malformed. */
function withoutOverridden(text: string): string {
  try {
    return JSON.stringify(withoutSecrets(JSON.parse(text), ''));
  } catch {
    return REDACTED;
  }
}

const AUTHORIZATION = /^(?:proxy-)?authorization$/i;
/** The location of env and of the data of Secrets and ConfigMaps, as JSON patches and overriders write paths. */
const PATH_TO_DATA = /\/env(?:\/(?:\d+|-)(?:\/value)?)?$|^\/(?:data|stringData|binaryData)(?:\/|$)/;

/** Whether an object's `value` is secret by the name beside it, a variable's or a header's, or by its path. */
function isForSecret({ name, path, subPath }: JsonObject): boolean {
  if (typeof name === 'string' && (isSecretName(name) || AUTHORIZATION.test(name))) return true;
  // the field overriders of an OverridePolicy: within the data of a ConfigMap
  if (typeof subPath === 'string') return true;
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  return PATH_TO_DATA.test(path) || path.split('/').some((step) => isSecretName(step));
}

function isSecretField(field: string): boolean {
  return field === LAST_APPLIED || field === 'auth' || isSecretName(field);
}

/** The same fields, with every value hidden. */
function hidden(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data === null ? null : REDACTED;
  return Object.fromEntries(Object.keys(data).map((name) => [name, REDACTED]));
}

/** The words of a command line. */
function withoutSecretWords(words: readonly unknown[]): unknown[] {
  return words.map((word, at) => {
    if (typeof word !== 'string') return word;
    const from = secretInWord(words, at);
    return from === undefined ? redacted(word) : `${word.slice(0, from)}${REDACTED}`;
  });
}

/** Redacts learned secrets, whatever their form, and everything that `redacted` finds. */
export interface Redactor {
  /** Treats a text as secret from now on, unless it has fewer than four characters: other words would contain it. */
  learn(secret: string | undefined): void;
  redact(text: string): string;
}

const SHORTEST_SECRET = 4;

/** A redactor without learned secrets. */
export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    learn(secret) {
      if (secret !== undefined && secret.length >= SHORTEST_SECRET) secrets.add(secret);
    },
    redact(text) {
      let plain = text;
      for (const secret of secrets) if (plain.includes(secret)) plain = plain.replaceAll(secret, REDACTED);
      return redacted(plain);
    },
  };
}
