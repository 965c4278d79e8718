/** Milliseconds of the first pause; each later one may be twice as long. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

/**
 * Milliseconds to wait before the next try. The pause grows, with up to half of it removed at random, so that clients
 * do not return together. It is never shorter than the server's Retry-After.
 *
 * @param failures tries so far, from 1
 * @param random from 0 to 1
 * @param retryAfter seconds
 */
export function pauseBefore(failures: number, random: number, retryAfter: number | undefined): number {
  const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1));
  return Math.max(longest * (0.5 + random / 2), (retryAfter ?? 0) * 1000);
}

/** Seconds: the longest wait before one try, whatever the server's Retry-After. */
const LONGEST_ASKED = 60;

/**
 * The wait in seconds from a server's Retry-After header (a number on API servers) or its Status; undefined for a date
 * or nothing.
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
  /** whether the server may have received the request */
  sent: boolean;
  retryAfter?: number | undefined;
  /** the server says that it has just started and ignored the request */
  unseen?: boolean;
}

/**
 * Whether a request may be retried. Reads: if a retry can help. Writes: only if the server cannot have acted on the
 * first try, because it never received it or rejected it unread (429 with Retry-After, 503 during startup).
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

/** Permanent errors: certificates, TLS versions, names that do not exist, proxies that refuse. */
const LASTING =
  /CERT|SIGNATURE|TLS|SSL|ISSUER|_CA$|^INVALID|^EPROTO$|^ENOTFOUND$|^EPROXY$|^EUNKNOWN$|^HPE_|^ETOOLARGE$|^EUNSENDABLE$|^ERR_INVALID/;
