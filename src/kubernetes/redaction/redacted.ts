import { UNQUOTED, blockBelow, endOfPem, endOfRun, valueAt } from './endOfSecret.ts';

const SECRET_WORD =
  /passw(?:or)?d|passphrase|(?:^|[-_.])(?:pass|pw)$|pgpass|pwd|secret|token|credential|(?:api|access|private|client|signing|encryption|account|auth|master|shared|ssh|hmac)[-_]?key|cookie|session[-_]?id|-data$/i;
/** Names that only describe a secret: its location, its name, its lifetime. */
const ABOUT_A_SECRET =
  /(?:file|files|path|name|names|namespace|ref|refs|kind|type|types|count|seconds|ttl|expiry|expiration|expirationtimestamp|audience|audiences|version)$/i;

/**
 * Whether a field, flag or variable of this name may hold a secret: "token", "DB_PASSWORD", "client-key-data"; not
 * "tokenFile".
 */
export function isSecretName(name: string): boolean {
  return SECRET_WORD.test(name) && !ABOUT_A_SECRET.test(name);
}

/** A flag whose value may be the next word. Bounded, because a long text may overflow the stack. */
const FLAG = /^--?[\w.-]{1,999}$/;
/** The part of a word before the value: --flag=value, NAME=value. */
const NAMED = /^([\w.-]{1,999})=/;

/**
 * Where a secret begins in a command-line word: after a secret's name in the same word (--token=x, DB_PASSWORD=x), or
 * at its beginning if the previous word is a secret's flag (--token x). Undefined if there is no secret.
 */
export function secretInWord(words: readonly unknown[], at: number): number | undefined {
  const [before, word] = [words[at - 1], words[at]];
  if (typeof word !== 'string') return undefined;
  const isBehindFlag = typeof before === 'string' && FLAG.test(before) && isSecretName(before);
  if (isBehindFlag && !word.startsWith('-')) return 0;
  const name = NAMED.exec(word)?.[1];
  return name !== undefined && isSecretName(name) ? name.length + 1 : undefined;
}

/** Replaces a secret. */
export const REDACTED = '***';

/** A cheap test that matches everything that `redacted` and `redactedData` would change. */
const SUSPICIOUS =
  /@|passw|passphrase|(?<![a-z])(?:pass|pw)\b|pgpass|pwd|secret|token|credential|[a-z][-_]?key|cookie|session|-data|bearer|basic |authorization|auth\\{0,127}["']|-----BEGIN|LS0tLS1|eyJ|gh[oprsu]_|github_pat_|glpat-|xox[a-z]-|A[KS]IA[0-9A-Z]{16}|hv[bs]\.|ya29\.|AIza|[?&](?:sig|key)=|signature=|"env"|"args"|"command"|last-applied|applied-(?:cluster-)?overrides|\bcurl\s|\/env[/"]|"\/?(?:string|binary)?data[/"]|"subPath"|Overrider"|"proxyHeader"/i;

/** Whether there may be a secret in a text, or in the data of this JSON; false only if there certainly is none. */
export function mayHoldSecret(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/** The beginning and end of a form of secrets. Group 1 of `begin` is shown, the rest is redacted. */
interface Form {
  begin: RegExp;
  /** where the secret ends whose `begin` ends at `from`; -1 if it is not a secret */
  endOf: (text: string, from: number) => number;
}

const upTo =
  (stop: RegExp): Form['endOf'] =>
  (text, from) =>
    endOfRun(text, from, stop);

// No expression repeats a group, or a character without a bound: a long text may overflow the stack (see
// endOfSecret.ts). Messages print object kinds, and any text joined to them, in lower case, so most expressions ignore
// case.
const FORMS: readonly Form[] = [
  { begin: /-----BEGIN [^-\n"]{1,60}-----/gi, endOf: endOfPem },
  // base64 of "-----BEGIN", as kubeconfigs and Secrets contain PEM
  { begin: /LS0tLS1CRUdJTi/gi, endOf: upTo(/[^\w+/=-]/g) },
  {
    begin: /(\b(?:proxy-)?authorization\\{0,127}["']?\s{0,99}[:=]\s{0,99}\\{0,127}["']?)(?=[^\r\n"'\\])/gi,
    endOf: upTo(/[\r\n"'\\]/g),
  },
  {
    begin: /(\b(?:set-)?cookie\\{0,127}["']?\s{0,99}:\s{0,99}\\{0,127}["']?)[\w.-]{1,256}=(?=[^\r\n"'\\])/gi,
    endOf: upTo(/[\r\n"'\\]/g),
  },
  { begin: /\b(bearer\s{1,99})(?!(?:auth|tokens?\b|realm))(?=[\w.~+/=-])/gi, endOf: upTo(/[^\w.~+/=-]/g) },
  // English words have no capital letter or digit inside: "basic authentication failed"
  {
    begin: /\b([Bb]asic\s{1,99}|BASIC\s{1,99})(?=\S{0,4096}[A-Z0-9=])(?=[\w+/-]{6})/g,
    endOf: upTo(/[^\w+/=-]/g),
  },
  { begin: /(?<![\w-])eyJ(?=[\w-]{5})/gi, endOf: endOfJsonWebToken },
  // user and password of a registry, as in Docker's configuration
  {
    begin: /(["']auth\\{0,127}["']\s{0,8}:\s{0,8}\\{0,127}["'])(?=[\w+/=-])/gi,
    endOf: upTo(/[^\w+/=-]/g),
  },
  // tokens with their issuers' prefixes
  { begin: /(?<![\w-])(?:gh[oprsu]_|github_pat_)\w{16}/gi, endOf: upTo(/\W/g) },
  {
    begin: /(?<![\w-])(?:glpat-[\w-]{16}|xox[a-z]-[\w-]{8}|hv[bs]\.[\w-]{8}|ya29\.[\w-]{8})/gi,
    endOf: upTo(/[^\w-]/g),
  },
  { begin: /(?<![\w-])AKIA[0-9A-Z]{16}/gi, endOf: (_, from) => from },
  // case-sensitive, because lower-case words may look alike: asia-southeast1
  { begin: /(?<![\w-])(?:ASIA[0-9A-Z]{16}|AIza[\w-]{35})(?![\w-])/g, endOf: (_, from) => from },
  // curl -u name:password
  {
    begin:
      /(\bcurl\b[^\n|;]{0,200}?\s(?:-[A-Za-z]{0,9}u\s{0,3}|--user[\s=]{1,3})\\{0,127}["']?[^\s:"'\\]{1,99}:)(?=[^\s"'\\])/gi,
    endOf: upTo(/[\s"'\\]/g),
  },
  // URL signatures, and API keys
  {
    begin: /([?&](?:sig|key|(?:x-[a-z]{3,4}-)?signature)=)(?=[^\s"'\\&#])/gi,
    endOf: upTo(/[\s"'\\&#]/g),
  },
];

const NOT_IN_TOKEN = /[^\w-]/g;

/** A JSON Web Token has a header, a payload and, unless it is unsigned, a signature. */
function endOfJsonWebToken(text: string, from: number): number {
  const header = endOfRun(text, from, NOT_IN_TOKEN);
  if (text[header] !== '.') return -1;
  const payload = endOfRun(text, header + 1, NOT_IN_TOKEN);
  if (payload === header + 1) return -1;
  return text[payload] === '.' ? endOfRun(text, payload + 1, NOT_IN_TOKEN) : payload;
}

/** The prefix of a value: NAME=, "name": , name: , --name and a blank; also inside JSON that is itself a string. */
const NAME =
  /(?<![\w.-])(?=[\w.-]{0,999}?(?:pass|pw|secret|token|credential|key|cookie|session|-data))([A-Za-z_-][\w.-]{0,999})(\\{0,127}["']?[ \t]{0,8}[=:][ \t]{0,8}|[ \t])/gi;
/** The separators of words, which may be URLs or addresses with a user. */
const BETWEEN_WORDS = /[\s"'`<>]/g;

/**
 * The text with secrets replaced by ***: users and passwords of URLs (also with @ and / in the password, also of
 * proxies without a scheme), Authorization headers, bearer and basic credentials, PEM and its base64, tokens in known
 * forms, and values with a secret's name (DB_PASSWORD=…, --token …, "client-key-data": "…"). Takes linear time.
 */
export function redacted(text: string): string {
  if (!mayHoldSecret(text)) return text;
  return withoutUsers(withoutNamedValues(FORMS.reduce(withoutForm, text)));
}

function withoutForm(text: string, { begin, endOf }: Form): string {
  let shown = '';
  let end = 0;
  begin.lastIndex = 0;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const to = endOf(text, begin.lastIndex);
    if (to === -1) continue;
    shown += text.slice(end, found.index) + (found[1] ?? '') + REDACTED;
    end = begin.lastIndex = to;
  }
  return shown + text.slice(end);
}

/** Also checks the values of harmless names: in "key: token=x" the value contains another name. */
function withoutNamedValues(text: string): string {
  let shown = '';
  let end = 0;
  NAME.lastIndex = 0;
  for (let found = NAME.exec(text); found; found = NAME.exec(text)) {
    const [, name = '', between = ''] = found;
    if (!isSecretName(name) || (/^\s$/.test(between) && !name.startsWith('--'))) continue;
    if (between === ':' && isPlace(name, text, NAME.lastIndex)) continue;
    if (between === ': ' && startsAt(FAULT_OF_A_FILE, text, NAME.lastIndex)) continue;
    if (between === ': ' && isObjectName(name, text, found.index)) continue;
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

/**
 * Whether the name is an object of the sentence: "Deployment shop/web-token: no container …". A plain word after a kind
 * is a field: "Service token: …".
 */
function isObjectName(name: string, text: string, at: number): boolean {
  return (text[at - 1] === '/' || /[.-]/.test(name)) && OBJECT.test(text.slice(Math.max(at - 400, 0), at));
}

/** The text before such a name. */
const OBJECT =
  /(?<![\w:"'])(?:[A-Z][A-Za-z]{0,40})?(?:(?:Policy|Deployment|StatefulSet|DaemonSet|Job|Binding|Service|ConfigMap|HPA|Rebalancer|Work) [\w.-]{1,253}\/|Cluster(?:Override|Propagation|Taint)Policy )$/;

/** Messages about a file named like a secret: "/run/client-key: no such file or directory". */
const FAULT_OF_A_FILE =
  /(?:no such file|is (?:a|an|no|not|only|empty|binary)|not valid|permission denied|the (?:path|file|JSON|gzip|tar)|too many) /y;

function startsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Line and column in a file named like a secret: db-secret.yaml:5:3: */
function isPlace(name: string, text: string, at: number): boolean {
  return /\.(?:ya?ml|jsonl?)$/.test(name) && /^\d{1,9}:\d{1,9}(?=[:\s]|$)/.test(text.slice(at, at + 22));
}

function withoutUsers(text: string): string {
  let shown = '';
  let from = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', from)) {
    let start = at;
    while (start > from && !isBetweenWords(text[start - 1]!)) start--;
    const end = endOfRun(text, at, BETWEEN_WORDS);
    shown += text.slice(from, start) + withoutUser(text.slice(start, end));
    from = end;
  }
  return shown + text.slice(from);
}

function isBetweenWords(character: string): boolean {
  BETWEEN_WORDS.lastIndex = 0;
  return BETWEEN_WORDS.test(character);
}

/** Removes the user before the @ of each URL in a word, and of a proxy's address: user:password@host. */
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
  // the password contains a slash; its beginning may look like a port, but not after an IPv6 address
  const address = authority.startsWith('[') ? authority.indexOf(']') : -1;
  const port = authority.indexOf(':', address + 1);
  if (port === -1) return -1;
  if (/\D/.test(authority.slice(port + 1))) return ends.lastAt;
  return address === -1 ? ends.lastHost : -1;
}

/**
 * A password may contain = and @: removes everything from the name before the first colon to the last @ before a host.
 */
function withoutSchemelessUser(word: string): string {
  const colon = word.indexOf(':');
  const at = colon === -1 ? -1 : lastHostIn(word, colon);
  if (at === -1) return word;
  const start = word.lastIndexOf('=', colon) + 1;
  return `${word.slice(0, start)}${REDACTED}${word.slice(at)}`;
}

/** The last @ after `from` that precedes a host; -1 if there is none. */
function lastHostIn(word: string, from: number): number {
  for (let at = word.lastIndexOf('@'); at > from; at = word.lastIndexOf('@', at - 1)) {
    // an image with its digest is name:tag@sha256:…
    if (/^(?!sha\d+:)[\w[*]/.test(word.slice(at + 1, at + 10))) return at;
    // lastIndexOf would check the first character again
    if (at === 0) break;
  }
  return -1;
}
