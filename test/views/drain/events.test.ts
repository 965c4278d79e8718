import { flagNames } from '../../../src/cli/flagNames.ts';
import { describe, expect, test } from '@jest/globals';
import type { DrainEvent, DrainResult } from '../../../src/analysis/drain/decide/drainStep.ts';
import {
  cancelAnswer,
  cancelResultDocument,
  cancelResultLines,
} from '../../../src/views/drain/cancelAnswer.ts';
import {
  drainEventDocument,
  drainResultDocument,
  eventLine,
  resultLines,
} from '../../../src/views/drain/events.ts';
import { answerText, blocksText, lineText } from '../shownText.ts';
import { breaches } from '../../commands/schema.ts';
import { normalPace, pausedPace, progressAfter, START } from './scriptedDrain.ts';

const workload = { kind: 'Deployment', namespace: 'shop', name: 'cart' };
const binding = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
const about = { workload, binding };
const at = (seconds: number) => ({ time: START + seconds * 1000 + 0.25 });

const events: [Exclude<DrainEvent, { type: 'finished' }>, string][] = [
  [
    { ...at(0), type: 'started', clusters: ['frankfurt'], workloads: 12, resumed: false },
    'T+0s     draining frankfurt: 12 workloads',
  ],
  [
    { ...at(0), type: 'started', clusters: ['frankfurt', 'dublin'], workloads: 1, resumed: true },
    'T+0s     resuming the drain of frankfurt, dublin: 1 workload',
  ],
  [{ ...at(1), type: 'cordoned', cluster: 'frankfurt' }, 'T+1s     cordoned cluster/frankfurt'],
  [{ ...at(1), type: 'uncordoned', cluster: 'frankfurt' }, 'T+1s     uncordoned cluster/frankfurt'],
  [
    { ...at(12), type: 'evicted', ...about, from: [{ name: 'frankfurt', replicas: 3 }] },
    'T+12s    evicted shop/deployment/cart from frankfurt (3 replicas)',
  ],
  [
    { ...at(12), type: 'evicted', ...about, from: [{ name: 'frankfurt', replicas: 1 }, { name: 'dublin' }] },
    'T+12s    evicted shop/deployment/cart from frankfurt (1 replica) and dublin',
  ],
  [
    { ...at(13), type: 'scheduled', ...about, to: [{ name: 'dublin', replicas: 3 }] },
    'T+13s    placed shop/deployment/cart on dublin×3',
  ],
  [{ ...at(13), type: 'scheduled', ...about, to: [] }, 'T+13s    unschedulable shop/deployment/cart'],
  [
    { ...at(44), type: 'released', ...about, from: ['frankfurt'] },
    'T+44s    released shop/deployment/cart on frankfurt, its replacement is ready',
  ],
  [
    { ...at(430), type: 'gone', ...about, from: ['frankfurt'] },
    'T+7m10s  gone shop/deployment/cart from frankfurt',
  ],
  [
    { ...at(14), type: 'skipped', ...about, reason: 'no feasible cluster' },
    'T+14s    skipped shop/deployment/cart: no feasible cluster',
  ],
  [
    { ...at(14), type: 'stays', ...about, reason: 'tolerates maintenance:NoSchedule' },
    'T+14s    shop/deployment/cart stays: tolerates maintenance:NoSchedule',
  ],
  [
    { ...at(15), type: 'stuck', ...about, reason: 'dublin: 0 of 3 replicas ready' },
    'T+15s    stuck shop/deployment/cart: dublin: 0 of 3 replicas ready',
  ],
  [
    {
      ...at(15),
      type: 'skipped' as const,
      ...about,
      reason: 'no place',
      workload: { ...about.workload, name: 'auth-token' },
    },
    'T+15s    skipped shop/deployment/auth-token: no place',
  ],
  [
    { ...at(16), type: 'cancelled', ...about, to: [{ name: 'frankfurt', replicas: 3 }] },
    'T+16s    restored shop/deployment/cart on frankfurt×3',
  ],
  [
    { ...at(17), type: 'conflict', object: binding },
    'T+17s    retried ResourceBinding shop/cart-deployment: another client had changed it',
  ],
  [{ ...at(18), type: 'pace', pace: normalPace }, 'T+18s    pace normal (0.5/s)'],
  [
    { ...at(19), type: 'pace', pace: pausedPace },
    'T+19s    pace paused: 3 of 5 clusters are faulty (dublin, oregon, tokyo); evictions go on when they are Ready again',
  ],
  [
    { ...at(20), type: 'stale', since: START + 18_000 },
    'T+20s    the server has not answered since 2026-09-01T09:30:18.000Z',
  ],
  [{ ...at(25), type: 'heard-again' }, 'T+25s    the server answers again'],
];

describe.each(events)('$type', (event, line) => {
  test('prints a log line', () => expect(lineText(eventLine(event, START))).toBe(line));
  test('matches the schema drain-event', () => {
    const document = JSON.parse(JSON.stringify(drainEventDocument(event, START))) as object;
    expect(breaches('drain-event', document)).toBe('');
    expect(document).toMatchObject({
      kind: 'DrainEvent',
      offsetSeconds: (Math.floor(event.time) - START) / 1000,
    });
  });
});

const resultText = (...args: Parameters<typeof resultLines>) => blocksText(resultLines(...args).blocks);

const result = (more: Partial<DrainResult>): DrainResult => ({
  outcome: 'done',
  gone: 9,
  workloads: [],
  seconds: 192.4321,
  ...more,
});

describe('the result of a drain', () => {
  test('reports that the clusters are drained', () => {
    expect(resultText(result({}), ['frankfurt'])).toBe(
      'frankfurt is drained: 9 workloads have left, after 3m12s',
    );
    expect(resultText(result({ gone: 0 }), ['frankfurt', 'dublin'])).toBe(
      'frankfurt, dublin are drained: no workload to evict, after 3m12s',
    );
  });

  test('names the workloads that stay on the cluster as planned', () => {
    const staying = ['cart', 'search'].map((name) => ({ ...about.workload, name }));
    expect(resultText(result({}), ['frankfurt'], staying)).toBe(
      'frankfurt is drained except 2 workloads: 9 workloads have left, after 3m12s\n' +
        'Staying as planned: shop/deployment/cart, shop/deployment/search',
    );
  });

  test('if not finished, starts with workloads that need intervention, and fits on a screen', () => {
    const { workloads } = progressAfter(60, 40);
    const lines = resultText(
      result({ outcome: 'not-finished', reason: '--timeout of 1m is over', gone: 11, workloads }),
      ['frankfurt'],
    ).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'Not finished: --timeout of 1m is over',
      '11 workloads have left after 3m12s; 10 queued, 15 starting, 2 leaving, 1 skipped, 1 stuck',
      '  stuck      shop/deployment/storefront         0 of 2 replicas ready on oregon: ImagePullBackOff',
      '  skipped    shop/deployment/checkout-2         no feasible cluster left',
    ]);
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toMatch(/^ {2}and \d+ more$/);
  });

  test('if stopped, names the reason', () => {
    expect(
      resultText(result({ outcome: 'stopped', reason: 'frankfurt was uncordoned' }), ['frankfurt']),
    ).toBe('Stopped: frankfurt was uncordoned\n9 workloads have left after 3m12s');
  });

  test('matches its schema', () => {
    const { workloads } = progressAfter(60, 40);
    for (const one of [result({}), result({ outcome: 'not-finished', reason: 'interrupted', workloads })]) {
      const document = JSON.parse(JSON.stringify(drainResultDocument(one))) as object;
      expect(breaches('drain-result', document)).toBe('');
      expect(document).toHaveProperty('seconds', 192.432);
    }
  });
});

describe('cancelling a drain', () => {
  const plan = {
    clusters: [
      { name: 'frankfurt', change: 'uncordoned' as const },
      { name: 'dublin', change: 'as-it-is' as const },
    ],
    restored: [
      { ...about, to: [{ name: 'frankfurt', replicas: 3 }], given: [{ name: 'dublin', replicas: 3 }] },
    ],
    left: [{ ...about, from: ['frankfurt'], reason: 'the copy on frankfurt is already deleted' }],
    remaining: [],
  };
  const oregon = { name: 'oregon', held: 2 };

  test('reports the remaining clusters of the same drain', () => {
    const said = [
      'cluster/oregon stays cordoned, with 2 old copies held there: its drain can be resumed (drain oregon) or cancelled (drain oregon --cancel)',
    ];
    const planned = cancelAnswer({ ...plan, remaining: [oregon] }, { now: START, dryRun: '' });
    expect(answerText(planned).split('\n')).toEqual(expect.arrayContaining(said));
    expect(breaches('drain-cancel-plan', JSON.parse(JSON.stringify(planned.document)))).toBe('');
    const ended = { outcome: 'done' as const, restored: 1, left: [], remaining: [oregon], seconds: 2 };
    expect(
      blocksText(cancelResultLines(ended, ['frankfurt'], flagNames).blocks)
        .split('\n')
        .slice(1),
    ).toEqual(said);
  });

  test('lists the changes, and the workloads that are not restored', () => {
    const text = answerText(cancelAnswer(plan, { now: START, dryRun: ' (dry run)' }));
    expect(text.split('\n')).toEqual([
      'cluster/frankfurt uncordoned (dry run)',
      'cluster/dublin is neither cordoned nor drained (dry run)',
      '',
      'RESTORED               ON            FROM       NOTE',
      'shop/deployment/cart   frankfurt×3   dublin×3   -',
      '',
      'Not restored:',
      '  shop/deployment/cart   the copy on frankfurt is already deleted',
      '',
      '1 workload is restored, 1 stays where it is now (dry run). Workloads without a copy there are not restored; Duplicated ones return by themselves.',
    ]);
  });

  test('mentions workloads that Karmada itself returns, even if none is restored', () => {
    const alone = { ...plan, restored: [], left: [] };
    const text = answerText(cancelAnswer(alone, { now: START, dryRun: '' }));
    expect(text).toMatch(
      /^No drain is moving a workload: nothing to restore\. Workloads without a copy there .* return by themselves/m,
    );
  });

  test('matches its schemas, as plan and as result', () => {
    const answer = cancelAnswer(plan, { now: START, dryRun: '' });
    expect(breaches('drain-cancel-plan', JSON.parse(JSON.stringify(answer.document)))).toBe('');
    expect(answer.names()).toEqual(['deployment/cart']);
    const done = { outcome: 'done' as const, restored: 1, left: plan.left, remaining: [], seconds: 2.5 };
    expect(breaches('drain-cancel-result', JSON.parse(JSON.stringify(cancelResultDocument(done))))).toBe('');
    expect(blocksText(cancelResultLines(done, ['frankfurt'], flagNames).blocks)).toBe(
      'The drain of frankfurt is cancelled: 1 workload restored, 1 not restored, after 2s',
    );
  });
});
