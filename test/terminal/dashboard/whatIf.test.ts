import { expect, test } from '@jest/globals';
import { run } from '../../commands/cli.ts';
import { emptyFeed, withNews } from '../../../src/analysis/overview/feed.ts';
import { feedInProcess } from '../../../src/cli/dashboard/feedInProcess.ts';
import { NO_CHANGES, whatIfText, type WhatIf } from '../../../src/views/dashboard/whatIf.ts';
import {
  forecastOutcomes,
  outcomeList,
  outcomeTotals,
  type ShownOutcome,
} from '../../../src/views/dashboard/lists/outcomes.ts';
import { placeKey, type Place } from '../../../src/views/dashboard/place.ts';
import { plain } from '../../../src/presentation/words.ts';
import { createAnswers } from '../../../src/terminal/dashboard/answers.ts';
import { commandOf } from '../../../src/terminal/dashboard/commandShown.ts';
import { commandLineOf } from '../../../src/cli/dashboard/commandLineOf.ts';

const maintenance = { key: 'maintenance', value: 'network', effect: 'NoExecute' as const };
const marks: WhatIf = {
  failing: ['frankfurt'],
  taints: [
    { cluster: 'dublin', taint: maintenance },
    { cluster: 'oregon', taint: maintenance },
    { cluster: 'tokyo', taint: maintenance, removed: true },
  ],
  edits: [
    {
      target: { kind: 'PropagationPolicy', namespace: 'shop', name: 'cart' },
      merge: { spec: { failover: null, note: "it's" } },
    },
  ],
};

test('the title of a what-if groups clusters by taint', () => {
  expect(whatIfText(marks, 2)).toBe(
    'frankfurt fails, dublin, oregon get maintenance=network:NoExecute, tokyo loses maintenance=network:NoExecute, PropagationPolicy shop/cart is edited',
  );
});

test('the command for a what-if contains all its events, and passes an edit on stdin, quoted for the shell', () => {
  const words = commandOf({ view: 'tomorrow', whatIf: marks }, 'shop', () => undefined)!;
  const patch = String.raw`[{"target":{"kind":"PropagationPolicy","namespace":"shop","name":"cart"},"merge":{"spec":{"failover":null,"note":"it'\''s"}}}]`;
  expect(commandLineOf({ state: ['dump/'] })(words)).toBe(
    `printf %s '${patch}' | kubectl karmada-failover failover simulate --apply - --fail frankfurt --taint dublin:maintenance=network:NoExecute --taint oregon:maintenance=network:NoExecute --taint tokyo:maintenance=network:NoExecute- -n shop --state dump/`,
  );
});

test('the outcome equals failover simulate, and marks extend the given what-if', async () => {
  const shop = ['--state', 'examples/shop'];
  const simulate = (...more: string[]) => {
    const { stdout } = run(['failover', 'simulate', ...shop, ...more, '-o', 'json']);
    return (JSON.parse(stdout) as { workloads: Outcome[] }).workloads.filter(
      ({ outcome }) => outcome !== 'stays',
    );
  };
  const feed = feedInProcess(
    { state: ['examples/shop'] },
    {
      whatIf: { ...NO_CHANGES, given: ['--fail', 'frankfurt@5m'] },
      given: {
        request: { events: [{ type: 'fail', cluster: 'frankfurt', after: 300_000 }] },
        selection: {},
      },
    },
  );
  await feed.follow((news) => void withNews(emptyFeed, news, 0));
  const asked = async (whatIf: WhatIf) => {
    const answer = await feed.ask({ view: 'tomorrow', whatIf });
    if (answer.type !== 'outcomes') throw new Error(answer.type);
    return answer.outcomes.filter(({ outcome }) => outcome !== 'stays');
  };
  const reported = (outcomes: readonly Outcome[]) =>
    outcomes.map(({ outcome, name, after }) => [outcome, name, after]).sort();
  const given = { ...NO_CHANGES, given: ['--fail', 'frankfurt@5m'] };
  expect(reported(await asked(given))).toEqual(reported(simulate('--fail', 'frankfurt@5m')));
  const taints = [{ cluster: 'dublin', taint: maintenance }];
  const both = reported(await asked({ ...given, taints }));
  expect(both).toEqual(
    reported(simulate('--fail', 'frankfurt@5m', '--taint', 'dublin:maintenance=network:NoExecute')),
  );
  expect(both).not.toEqual(reported(await asked(given)));
});

test('an initial what-if is rejected if its cluster does not exist', async () => {
  const feed = feedInProcess(
    { state: ['examples/shop'] },
    { whatIf: { ...NO_CHANGES, failing: ['nosuch'] } },
  );
  const following = feed.follow(() => undefined);
  await expect(following).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('nosuch') });
});

test('removing a taint that does not exist causes a warning', async () => {
  const reported: string[] = [];
  const feed = feedInProcess({ state: ['examples/shop'] });
  await feed.follow((news) => void (news.type === 'warning' && reported.push(news.text)));
  const taints = [{ cluster: 'dublin', taint: maintenance, removed: true as const }];
  await feed.ask({ view: 'tomorrow', whatIf: { ...NO_CHANGES, taints } });
  expect(reported).toEqual([expect.stringContaining('dublin has no taint maintenance:NoExecute to remove')]);
});

type Outcome = { outcome: string; name: string; after: readonly object[] };

test('during the simulation of a cluster failure, the forecast of the overview is shown', async () => {
  const source = feedInProcess({ state: ['examples/shop'] });
  let feed = emptyFeed;
  await source.follow((news) => void (feed = withNews(feed, news, 0)));
  const place: Place = { view: 'tomorrow', whatIf: { ...NO_CHANGES, failing: ['frankfurt'] } };
  const early = forecastOutcomes(place.whatIf, feed);
  if (!early) throw new Error('nothing was forecast');
  expect(plain(outcomeTotals(early))).toMatch(/^\d+ of 14 workloads change: .*; simulating\.\.\.$/);
  // how long replicas are missing is not kept, so it is not shown as "none"
  const context = { feed, marks: NO_CHANGES, now: 0, bar: { done: '', toCome: '' } };
  const unknown = outcomeList(place.whatIf).columns.filter(({ name }) => /REPLICAS DOWN|WHY/.test(name));
  expect(unknown.flatMap(({ words }) => early.outcomes.map((one) => plain(words(one, context))))).toEqual(
    unknown.flatMap(() => early.outcomes.map(() => '...')),
  );

  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const answers = createAnswers((asked) => source.ask(asked), arrive);
  answers.want(place, {}, () => ({ type: 'outcomes', ...early }));
  expect(answers.known.get(placeKey(place))).toMatchObject({ early: {} });
  await arrived;
  const exact = answers.known.get(placeKey(place));
  if (exact?.type !== 'outcomes') throw new Error('nothing was simulated');
  expect(exact.early).toBeUndefined();
  const onIt = exact.outcomes.filter(({ before }) => before.some(({ name }) => name === 'frankfurt'));
  const ends = (outcomes: readonly ShownOutcome[]) =>
    outcomes.map(({ name, outcome, before, after }) => ({ name, outcome, before, after }));
  expect(ends(early.outcomes)).toEqual(
    expect.arrayContaining(ends(onIt.filter(({ outcome }) => outcome !== 'stays'))),
  );
});

test('only the failure of a single cluster has a forecast', async () => {
  const source = feedInProcess({ state: ['examples/shop'] });
  let feed = emptyFeed;
  await source.follow((news) => void (feed = withNews(feed, news, 0)));
  const failing = ['frankfurt'];
  for (const more of [
    { failing: ['frankfurt', 'dublin'] },
    { failing, taints: marks.taints },
    { failing, edits: marks.edits },
    { failing, given: ['--fail', 'dublin'] },
    { failing: ['nosuch'] },
    {},
  ])
    expect(forecastOutcomes({ ...NO_CHANGES, ...more }, feed)).toBeUndefined();
});
