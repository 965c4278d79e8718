import { blockBelow, endOfPem, UNQUOTED, valueAt } from './endOfSecret.ts';

/** Replaces a secret. */
export const REDACTED = '***';

const SECRET_WORD =
  /passw(?:or)?d|passphrase|(?:^|[-_.])pass$|pgpass|pwd|secret|token|credential|(?:api|access|private|client|signing|encryption|account|auth|master|shared|ssh|hmac)[-_]?key|cookie|session[-_]?id|-data$/i;
/** Names that only describe a secret: its place, its name, how long it is valid. */
const ABOUT_A_SECRET =
  /(?:file|files|path|name|names|namespace|ref|refs|kind|type|types|count|seconds|ttl|expiry|expiration|expirationtimestamp|audience|audiences|version)$/i;

/**
 * Whether a field, flag or variable of this name may hold a secret: "token", "DB_PASSWORD", "client-key-data"; not
 * "tokenFile".
 */
export function isSecretName(name: string): boolean {
  return SECRET_WORD.test(name) && !ABOUT_A_SECRET.test(name);
}

/** A cheap test that matches everything `redacted` would change. */
const SUSPICIOUS =
  /@|passw|passphrase|(?<![a-z])pass\b|pgpass|pwd|secret|token|credential|[a-z][-_]?key|cookie|session|-data|bearer|basic |authorization|auth\\*["']|-----BEGIN|LS0tLS1|eyJ|gh[oprsu]_|github_pat_|glpat-|xox[a-z]-|A[KS]IA|hv[bs]\.|ya29\.|AIza|[?&](?:sig|key)=|signature=|"env"|"ConfigMap"|"args"|"command"|last-applied/i;

// None of these repeats a group, or a character "so often or more": on a long text that would exhaust the stack.
// They ignore case: kinds are printed in lower case, and a secret in one with them.
const PEM = /-----BEGIN [^-\n"]{1,60}-----/gi;
/** base64 of "-----BEGIN", as kubeconfigs and Secrets hold PEM */
const PACKED_PEM = /LS0tLS1CRUdJTi[\w+/=-]*/gi;
const AUTHORIZATION = /(\b(?:proxy-)?authorization\\*["']?\s*[:=]\s*\\*["']?)[^\r\n"'\\]+/gi;
const COOKIES = /(\b(?:set-)?cookie\\*["']?\s*:\s*\\*["']?)[\w.-]+=[^\r\n"'\\]+/gi;
const BEARER = /\b(bearer\s+)(?!(?:auth|tokens?\b|realm))[\w.~+/=-]+/gi;
/** Words of English have no capital letter or digit within: "basic authentication failed". */
const BASIC = /\b([Bb]asic\s+|BASIC\s+)(?=\S*[A-Z0-9=])[\w+/-]{6}[\w+/-]*=*/g;
const JSON_WEB_TOKEN = /(?<![\w-])eyJ[\w-]{5}[\w-]*\.[\w-]+(?:\.[\w-]*)?/gi;
/** User and password of a registry, as Docker's configuration holds them. */
const REGISTRY_AUTH = /(["']auth\\*["']\s{0,8}:\s{0,8}\\*["'])[\w+/=-]+/gi;
/** Tokens that their issuers mark as such. */
const MARKED_TOKEN =
  /(?<![\w-])(?:gh[oprsu]_\w{16}\w*|github_pat_\w{16}\w*|glpat-[\w-]{16}[\w-]*|xox[a-z]-[\w-]{8}[\w-]*|AKIA[0-9A-Z]{16}|hv[bs]\.[\w-]{8}[\w-]*|ya29\.[\w-]{8}[\w-]*)/gi;
/** Marked tokens that count only in capitals, since lower-case words look like them: asia-southeast1. */
const MARKED_IN_CAPITALS = /(?<![\w-])(?:ASIA[0-9A-Z]{16}|AIza[\w-]{35})(?![\w-])/g;
/** Parameters that sign or authorize a URL. */
const SIGNATURE = /([?&](?:sig|key|(?:x-[a-z]{3,4}-)?signature)=)[^\s"'\\&#]+/gi;
/** What precedes a value: NAME=, "name": , name: , --name and a blank; even inside JSON that is itself a string. */
const NAME =
  /(?<![\w.-])(?=[\w.-]*?(?:pass|pwd|secret|token|credential|key|cookie|session|-data))([A-Za-z_-][\w.-]*)(\\*["']?[ \t]{0,8}[=:][ \t]{0,8}|[ \t])/gi;
/** Text between blanks and quotes with an @ in it: it may be a URL or an address with a user. */
const WITH_AT = /[^\s"'`<>]+/g;

/**
 * The text with *** in place of secrets: users and passwords of URLs (also with @ and / in the password, also of
 * proxies without a scheme), Authorization headers, bearer and basic credentials, PEM and its base64, tokens of a known
 * form, and values whose name says that they are secret (DB_PASSWORD=…, --token …, "client-key-data": "…"). Takes
 * linear time.
 */
export function redacted(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  const plain = withoutPem(text)
    .replace(PACKED_PEM, REDACTED)
    .replace(AUTHORIZATION, `$1${REDACTED}`)
    .replace(COOKIES, `$1${REDACTED}`)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(BASIC, `$1${REDACTED}`)
    .replace(JSON_WEB_TOKEN, REDACTED)
    .replace(REGISTRY_AUTH, `$1${REDACTED}`)
    .replace(MARKED_TOKEN, REDACTED)
    .replace(MARKED_IN_CAPITALS, REDACTED)
    .replace(SIGNATURE, `$1${REDACTED}`);
  const unnamed = withoutNamedValues(plain);
  return unnamed.includes('@') ? unnamed.replace(WITH_AT, withoutUser) : unnamed;
}

function withoutPem(text: string): string {
  let shown = '';
  let end = 0;
  PEM.lastIndex = 0;
  for (let found = PEM.exec(text); found; found = PEM.exec(text)) {
    shown += text.slice(end, found.index) + REDACTED;
    end = PEM.lastIndex = endOfPem(text, PEM.lastIndex);
  }
  return shown + text.slice(end);
}

/** Looks into the value of a harmless name, too: in "key: token=x" that holds another name. */
function withoutNamedValues(text: string): string {
  let shown = '';
  let end = 0;
  NAME.lastIndex = 0;
  for (let found = NAME.exec(text); found; found = NAME.exec(text)) {
    const [, name = '', between = ''] = found;
    if (!isSecretName(name) || (/^\s$/.test(between) && !name.startsWith('--'))) continue;
    const inQuery = /[?&]/.test(text[found.index - 1] ?? '');
    const unquoted = !between.endsWith('=') ? UNQUOTED.value : inQuery ? UNQUOTED.query : UNQUOTED.word;
    const at = NAME.lastIndex;
    const block = between.trimEnd().endsWith(':') ? blockBelow(text, at) : undefined;
    const value = block ?? valueAt(text, at, unquoted);
    if (!value) continue;
    shown += text.slice(end, value.from) + REDACTED;
    end = NAME.lastIndex = value.to;
  }
  return shown + text.slice(end);
}

/** Removes the user before the @ of each URL in a word, and of an address without a scheme: user:password@host. */
function withoutUser(word: string): string {
  const ends = { lastAt: word.lastIndexOf('@'), lastHost: lastHostIn(word, -1) };
  if (ends.lastAt === -1) return word;
  let shown = '';
  let from = 0;
  for (let scheme = word.indexOf('://'); scheme !== -1; scheme = word.indexOf('://', from)) {
    const start = scheme + 3;
    shown += `${withoutSchemelessUser(word.slice(from, scheme))}://`;
    const end = endOfAuthority(word, start);
    const at = endOfUser(word.slice(start, end), start, ends);
    shown += at >= start ? `${REDACTED}@` : word.slice(start, end);
    from = at >= start ? at + 1 : end;
  }
  return shown + withoutSchemelessUser(word.slice(from));
}

function endOfAuthority(word: string, start: number): number {
  for (let at = start; at < word.length; at++) if ('/?#'.includes(word[at]!)) return at;
  return word.length;
}

/** The @ after the user of a URL whose first slash ends the `authority`; before `start` if it has no user. */
function endOfUser(authority: string, start: number, ends: { lastAt: number; lastHost: number }): number {
  const at = authority.lastIndexOf('@');
  if (at !== -1) return start + at;
  // the password has a slash: what looks like a port may be its beginning, but not after an IPv6 address
  const [, address, rest = ''] = /^(\[[^\]]*\])?(.*)$/s.exec(authority)!;
  if (/:(?!\d*$)/.test(rest)) return ends.lastAt;
  return rest.includes(':') && address === undefined ? ends.lastHost : -1;
}

/** A password may hold = and @: removes all from the name before the first colon to the last @ that a host follows. */
function withoutSchemelessUser(word: string): string {
  const colon = word.indexOf(':');
  const at = colon === -1 ? -1 : lastHostIn(word, colon);
  if (at === -1) return word;
  const start = word.lastIndexOf('=', colon) + 1;
  return `${word.slice(0, start)}${REDACTED}${word.slice(at)}`;
}

/** The last @ after `from` that a host follows; -1 if there is none. */
function lastHostIn(word: string, from: number): number {
  for (let at = word.lastIndexOf('@'); at > from; at = word.lastIndexOf('@', at - 1)) {
    // an image with its digest is name:tag@sha256:…
    if (/^(?!sha\d+:)[\w[*]/.test(word.slice(at + 1, at + 10))) return at;
    // lastIndexOf would look at the first character again
    if (at === 0) break;
  }
  return -1;
}

/**
 * A copy of JSON data with each string redacted. Strings are hidden as a whole if their field, or the name beside a
 * `value`, is that of a secret; so are, in Kubernetes objects anywhere in the data, the data of Secrets and ConfigMaps,
 * the values of `env`, what follows a secret's flag in `args` and `command`, and the last-applied configuration.
 * Numbers stay. Labels and selectors stay, too: outcomes depend on them, and they are no place for secrets.
 */
export function redactedData<Data>(data: Data): Data {
  return withoutSecrets(data, '') as Data;
}

/** `JSON.stringify(data, null, indent)` of what `redactedData` would give. */
export function redactedJson(data: unknown, indent?: number): string {
  const text = JSON.stringify(data, null, indent) ?? 'null';
  return SUSPICIOUS.test(text) ? JSON.stringify(withoutSecrets(JSON.parse(text), ''), null, indent) : text;
}

const HOLDS_DATA = new Set(['Secret', 'ConfigMap']);
const DATA = new Set(['data', 'stringData', 'binaryData']);
const SELECTS = new Set(['labels', 'matchLabels', 'nodeSelector']);
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** `field` is the name of the field that holds the data. */
function withoutSecrets(data: unknown, field: string): unknown {
  if (typeof data === 'string') return isSecretField(field) ? REDACTED : redacted(data);
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    if (field === 'args' || field === 'command') return withoutSecretWords(data);
    return data.map((item: unknown) => withoutSecrets(item, field));
  }
  const { kind, name } = data as { kind?: unknown; name?: unknown };
  const hidesValue =
    field === 'env' || isSecretName(field) || (typeof name === 'string' && isSecretName(name));
  const hidesData = typeof kind === 'string' && HOLDS_DATA.has(kind);
  return Object.fromEntries(
    Object.entries(data).map(([inner, value]: [string, unknown]) => {
      const shown = redacted(inner);
      if (SELECTS.has(field)) return [shown, typeof value === 'string' ? redacted(value) : value];
      if (hidesValue && inner === 'value' && value !== '') return [shown, REDACTED];
      if (hidesData && DATA.has(inner)) return [shown, hidden(value)];
      return [shown, withoutSecrets(value, inner)];
    }),
  );
}

function isSecretField(field: string): boolean {
  return field === LAST_APPLIED || field === 'auth' || isSecretName(field);
}

/** The same fields, with every value hidden. */
function hidden(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data === null ? null : REDACTED;
  return Object.fromEntries(Object.keys(data).map((name) => [name, REDACTED]));
}

/** The words of a command line: a secret may be the word after its flag. */
function withoutSecretWords(words: unknown[]): unknown[] {
  return words.map((word, at) => {
    if (typeof word !== 'string') return word;
    const before = words[at - 1];
    const behindFlag = typeof before === 'string' && /^--?[\w-]+$/.test(before) && isSecretName(before);
    if (behindFlag && !word.startsWith('-')) return REDACTED;
    const { flag, name } = /^(?<flag>(?<name>[\w.-]+)=)/.exec(word)?.groups ?? {};
    return flag !== undefined && isSecretName(name!) ? `${flag}${REDACTED}` : redacted(word);
  });
}

/** Redacts the secrets that it has learned, whatever their form, and all that `redacted` finds. */
export interface Redactor {
  /** From now on this text is secret, unless it is shorter than four characters: other words would contain it. */
  learn(secret: string | undefined): void;
  redact(text: string): string;
}

const SHORTEST_SECRET = 4;

/** A redactor that knows no secret yet. */
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
