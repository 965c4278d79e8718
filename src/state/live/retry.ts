/** Pauses between tries, in milliseconds: each up to twice as long as the one before. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

/**
 * How long to wait before the next try, in milliseconds: growing, and by chance between half and all of it, so that many
 * clients do not come back at once; never less than the server asks for.
 *
 * @param failures tries so far, from 1
 * @param random from 0 to 1
 * @param retryAfter seconds
 */
export function pauseBefore(failures: number, random: number, retryAfter: number | undefined): number {
  const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1));
  return Math.max(longest * (0.5 + random / 2), (retryAfter ?? 0) * 1000);
}

/** Longer than this nobody is made to wait for one try, whatever a server asks for. */
const LONGEST_ASKED = 60;

/**
 * Seconds that a server asks to wait: of a Retry-After header, which API servers give as a number, or of its Status; undefined if it is
 * a date or missing.
 */
export function retryAfterSeconds(header: string | undefined, ofStatus?: number): number | undefined {
  const seconds = header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : ofStatus;
  return seconds === undefined || !(seconds >= 0) ? undefined : Math.min(seconds, LONGEST_ASKED);
}

export interface Outcome {
  /** HTTP status; 0 without an answer */
  status: number;
  /** Node's error code where there was no answer */
  code?: string;
  /** whether the server may have got the request */
  sent: boolean;
  retryAfter?: number | undefined;
  /** the server says itself that it did not look at the request: it has just started */
  unseen?: boolean;
}

/**
 * Whether a request may be repeated. Reads: where trying again can help. Writes: only if the server cannot have acted
 * on the first try, that is where it never got it, or turned it away unseen (429 with Retry-After, 503 at its start).
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

/** What does not pass by itself: certificates, TLS versions, names that do not exist, refusing proxies. */
const LASTING =
  /CERT|SIGNATURE|TLS|SSL|ISSUER|_CA$|^INVALID|^EPROTO$|^ENOTFOUND$|^EPROXY$|^EUNKNOWN$|^HPE_|^ETOOLARGE$|^EUNSENDABLE$|^ERR_INVALID/;
