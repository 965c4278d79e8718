/** Milliseconds of the first pause; each further one may be twice as long. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

/**
 * Milliseconds to wait before the next try. The pause grows, and chance shortens it to no less than half, so that many
 * clients do not come back at once. It is never shorter than the server asks for.
 *
 * @param failures tries so far, from 1
 * @param random from 0 to 1
 * @param retryAfter seconds
 */
export function pauseBefore(failures: number, random: number, retryAfter: number | undefined): number {
  const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1));
  return Math.max(longest * (0.5 + random / 2), (retryAfter ?? 0) * 1000);
}

/** The longest wait for one try, whatever a server asks for. */
const LONGEST_ASKED = 60;

/**
 * Seconds that a server asks to wait, from a Retry-After header (API servers give a number) or from its Status; undefined if it is a date
 * or missing.
 */
export function retryAfterSeconds(header: string | undefined, ofStatus?: number): number | undefined {
  const seconds = header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : ofStatus;
  return seconds === undefined || !(seconds >= 0) ? undefined : Math.min(seconds, LONGEST_ASKED);
}

export interface Outcome {
  /** HTTP status; 0 without an answer */
  status: number;
  /** Node's error code, if there was no answer */
  code?: string;
  /** whether the server may have got the request */
  sent: boolean;
  retryAfter?: number | undefined;
  /** the server says that it has just started and has ignored the request */
  unseen?: boolean;
}

/**
 * Whether a request may be repeated. Reads: if trying again can help. Writes: only if the server cannot have acted on
 * the first try, because it never got it or rejected it unseen (429 with Retry-After, 503 at its start).
 */
export function mayRepeat(write: boolean, { status, code, sent, retryAfter, unseen }: Outcome): boolean {
  if (status === 0) {
    if (code === undefined || LASTING.test(code)) return false;
    return !write || !sent;
  }
  if (status === 429) return !write || retryAfter !== undefined;
  return (
    (!write || unseen === true) && (status === 500 || status === 502 || status === 503 || status === 504)
  );
}

/** Errors that do not pass by themselves: certificates, TLS versions, names that do not exist, proxies that refuse. */
const LASTING =
  /CERT|SIGNATURE|TLS|SSL|ISSUER|_CA$|^INVALID|^EPROTO$|^ENOTFOUND$|^EPROXY$|^EUNKNOWN$|^HPE_|^ETOOLARGE$|^EUNSENDABLE$|^ERR_INVALID/;
