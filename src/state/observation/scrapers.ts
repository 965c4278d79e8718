import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isObject } from '../../kubernetes/json.ts';
import type { ApiServer } from '../live/apiServer.ts';

/**
 * Whether a client may read the metrics or a page. `unknown`: it has no token, or one unknown to the API server;
 * `forbidden`: its user lacks the right; `unreviewed`: the API server did not answer.
 */
export type Scraper = 'allowed' | 'unknown' | 'forbidden' | 'unreviewed';

interface ReviewOptions {
  /** milliseconds of a clock that does not jump */
  now: () => number;
  /** receives the reason of a failed review */
  onFailure: (message: string) => void;
}

/** Milliseconds for which a review is valid: scrapes arrive every half minute. */
const COUNTS = 60_000;
/** The most cached and concurrent reviews: enough for all scrapers, and a limit for attackers. */
const MAX = 100;
const AT_ONCE = 8;
/** Milliseconds for both reviews of one request. */
const LONGEST = 8_000;
const BEARER = /^Bearer +([^\s]{1,16384})$/i;

const TOKEN_REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews';
const ACCESS_REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/**
 * Asks the API server for the user of a bearer token (TokenReview), and whether that user may get the path
 * (SubjectAccessReview), like controller-runtime's authenticated metrics.
 */
export function scraperReviews(
  server: Pick<ApiServer, 'create'>,
  { now, onFailure }: ReviewOptions,
): (request: Pick<IncomingMessage, 'headers' | 'url'>) => Promise<Scraper> {
  const reviewed = new Map<string, { scraper: Scraper; until: number }>();
  const underWay = new Map<string, Promise<Scraper>>();

  async function review(token: string, path: string): Promise<Scraper> {
    const signal = AbortSignal.timeout(LONGEST);
    const ask = async (api: string, kind: string, spec: object): Promise<Record<string, unknown>> => {
      const apiVersion = api.split('/').slice(2, 4).join('/');
      const { status } = await server.create<{ status?: unknown }>(
        api,
        { apiVersion, kind, spec },
        { signal },
      );
      return isObject(status) ? status : {};
    };
    const { authenticated, user } = await ask(TOKEN_REVIEWS, 'TokenReview', { token });
    if (authenticated !== true || !isObject(user) || typeof user['username'] !== 'string') return 'unknown';
    const { username, uid, groups, extra } = user;
    const { allowed } = await ask(ACCESS_REVIEWS, 'SubjectAccessReview', {
      user: username,
      uid,
      groups,
      extra,
      nonResourceAttributes: { path, verb: 'get' },
    });
    return allowed === true ? 'allowed' : 'forbidden';
  }

  function remember(key: string, scraper: Scraper): Scraper {
    for (const [other, { until }] of reviewed)
      if (until <= now() || reviewed.size >= MAX) reviewed.delete(other);
    reviewed.set(key, { scraper, until: now() + COUNTS });
    return scraper;
  }

  return async ({ headers: { authorization = '' }, url = '/metrics' }) => {
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) return 'unknown';
    const path = url.replace(/\?.*/s, '');
    const key = `${createHash('sha256').update(token).digest('base64')} ${path}`;
    const known = reviewed.get(key);
    if (known && now() < known.until) return known.scraper;
    const same = underWay.get(key);
    if (same) return same;
    if (underWay.size >= AT_ONCE) return 'unreviewed';
    const asked = review(token, path)
      .then((scraper) => remember(key, scraper))
      .catch((error: unknown): Scraper => {
        onFailure((error as Error).message);
        return 'unreviewed';
      })
      .finally(() => void underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
}
