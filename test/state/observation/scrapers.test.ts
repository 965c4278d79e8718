import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../src/state/live/apiError.ts';
import type { ApiServer } from '../../../src/state/live/apiServer.ts';
import { scraperReviews } from '../../../src/state/observation/scrapers.ts';

const user = {
  username: 'system:serviceaccount:monitoring:prometheus',
  uid: 'u',
  groups: ['g'],
  extra: { a: ['b'] },
};

/** An API server that knows the tokens "known" and "weak"; only the first may get /metrics. */
function reviewer(answers: { token?: unknown; access?: unknown } = {}) {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const failures: string[] = [];
  let now = 0;
  const review = scraperReviews(
    {
      create: ((path: string, body: { spec: { token?: string; user?: string } }) => {
        asked.push({ path, body });
        const { token } = body.spec;
        if (token === 'broken')
          return Promise.reject(new ApiError('oops', { status: 500, reason: 'InternalError' }));
        if (token === undefined)
          return Promise.resolve(answers.access ?? { status: { allowed: body.spec.user === user.username } });
        const authenticated = ['known', 'weak'].includes(token);
        const known = token === 'weak' ? { username: 'weak' } : user;
        return Promise.resolve(
          answers.token ?? { status: authenticated ? { authenticated, user: known } : {} },
        );
      }) as unknown as ApiServer['create'],
    },
    { now: () => now, onFailure: (message) => failures.push(message) },
  );
  return {
    asked,
    failures,
    pass: (milliseconds: number) => (now += milliseconds),
    scrape: (authorization?: string) =>
      review({ headers: authorization === undefined ? {} : { authorization } }),
  };
}

describe('the review of a metrics client', () => {
  test.each([
    [undefined, 'unknown', 0],
    ['', 'unknown', 0],
    ['Basic a2Fybw==', 'unknown', 0],
    ['Bearer ', 'unknown', 0],
    [`Bearer ${'x'.repeat(20_000)}`, 'unknown', 0],
    ['Bearer other', 'unknown', 1],
    ['Bearer weak', 'forbidden', 2],
    ['bearer known', 'allowed', 2],
    ['Bearer broken', 'unreviewed', 1],
  ])('with the authorization %p is %s', async (authorization, scraper, requests) => {
    const { scrape, asked } = reviewer();
    expect(await scrape(authorization)).toBe(scraper);
    expect(asked).toHaveLength(requests);
  });

  test('sends a TokenReview and a SubjectAccessReview for /metrics', async () => {
    const { scrape, asked } = reviewer();
    await scrape('Bearer known');
    expect(asked).toEqual([
      {
        path: '/apis/authentication.k8s.io/v1/tokenreviews',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'known' } },
      },
      {
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: {
            user: user.username,
            uid: 'u',
            groups: ['g'],
            extra: { a: ['b'] },
            nonResourceAttributes: { path: '/metrics', verb: 'get' },
          },
        },
      },
    ]);
  });

  test('is cached for one minute, unless it fails', async () => {
    const { scrape, asked, failures, pass } = reviewer();
    for (let time = 0; time < 5; time++) await scrape('Bearer known');
    expect(asked).toHaveLength(2);
    pass(60_001);
    expect(await scrape('Bearer known')).toBe('allowed');
    expect(asked).toHaveLength(4);
    for (let time = 0; time < 2; time++) expect(await scrape('Bearer broken')).toBe('unreviewed');
    expect(failures).toEqual(['oops', 'oops']);
  });

  test('runs for eight tokens at a time, and once for the same token', async () => {
    const { scrape, asked } = reviewer();
    const all = await Promise.all(Array.from({ length: 50 }, (_, at) => scrape(`Bearer other${at}`)));
    expect(all.filter((one) => one === 'unreviewed')).toHaveLength(42);
    expect(asked).toHaveLength(8);
    // one review per token, however many scrapes come meanwhile
    const same = reviewer();
    await Promise.all(Array.from({ length: 50 }, () => same.scrape('Bearer known')));
    expect(same.asked).toHaveLength(2);
  });

  test.each([
    ['a TokenReview without a status', { token: {} }, 'unknown'],
    ['a list as status', { token: { status: [] } }, 'unknown'],
    ['a user without a name', { token: { status: { authenticated: true, user: {} } } }, 'unknown'],
    ['text as authenticated', { token: { status: { authenticated: 'true', user } } }, 'unknown'],
    ['text as allowed', { access: { status: { allowed: 'yes' } } }, 'forbidden'],
    ['a SubjectAccessReview without a status', { access: {} }, 'forbidden'],
  ])('denies access for %s', async (_, answers, scraper) => {
    expect(await reviewer(answers).scrape('Bearer known')).toBe(scraper);
  });
});
