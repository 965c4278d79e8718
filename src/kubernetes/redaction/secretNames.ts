const SECRET_WORD =
  /passw(?:or)?d|passphrase|(?:^|[-_.])(?:pass|pw)$|pgpass|pwd|secret|token|credential|(?:api|access|private|client|signing|encryption|account|auth|master|shared|ssh|hmac)[-_]?key|cookie|session[-_]?id|-data$/i;
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

/** A flag whose value may be the next word. Bounded, as a long text may fill the stack. */
const FLAG = /^--?[\w.-]{1,999}$/;
/** What stands before the value in a word: --flag=value, NAME=value. */
const NAMED = /^([\w.-]{1,999})=/;

/**
 * Where a secret begins in a word of a command line: behind the name of one in the same word (--token=x, DB_PASSWORD=x), or at its beginning
 * if the word before it is the flag of one (--token x). Undefined if it holds none.
 */
export function secretInWord(words: readonly unknown[], at: number): number | undefined {
  const [before, word] = [words[at - 1], words[at]];
  if (typeof word !== 'string') return undefined;
  const isBehindFlag = typeof before === 'string' && FLAG.test(before) && isSecretName(before);
  if (isBehindFlag && !word.startsWith('-')) return 0;
  const name = NAMED.exec(word)?.[1];
  return name !== undefined && isSecretName(name) ? name.length + 1 : undefined;
}
