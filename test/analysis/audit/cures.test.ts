import { describe, expect, test } from '@jest/globals';
import { bestCures } from '../../../src/analysis/audit/cures.ts';
import type { ProposedChange } from '../../../src/analysis/explanation/changes/change.ts';

const before = [{ name: 'east-1', replicas: 2 }];
const patch = { target: { apiVersion: 'v1', kind: 'PropagationPolicy', name: 'web' }, merge: {} };

function change(text: string, size: number, seconds: number, replicas: number): ProposedChange {
  return {
    kinds: ['cluster-affinity'],
    text,
    size,
    patches: [patch],
    alternatives: [],
    gives: [{ name: 'west-1', replicas }],
    gap: { replicas: 2, seconds, open: false },
  };
}

describe('from the changes that help, an audit offers', () => {
  const named = (changes: ProposedChange[]) =>
    bestCures(changes, before).map(({ text, best }) => [text, best]);

  test('the smallest change, the change with the shortest downtime, and the change with the least capacity', () => {
    const changes = [change('small', 1, 90, 4), change('quick', 2, 10, 4), change('lean', 3, 90, 1)];
    expect(named([...changes, change('nothing', 4, 90, 4)])).toEqual([
      ['small', ['least-change']],
      ['quick', ['shortest-downtime']],
      ['lean', ['least-room']],
    ]);
  });

  test('one change if it is best in every respect', () => {
    expect(named([change('best', 1, 10, 1), change('worse', 2, 10, 1)])).toEqual([
      ['best', ['least-change', 'shortest-downtime', 'least-room']],
    ]);
  });

  test('a change that restores all replicas before a change that leaves replicas down permanently', () => {
    const stays = { ...change('tolerate it', 1, 90, 0), gap: { replicas: 2, seconds: 90, open: true } };
    expect(named([stays, change('moved', 2, 90, 2)])).toEqual([
      ['moved', ['least-change', 'shortest-downtime', 'least-room']],
    ]);
    expect(named([stays])).toHaveLength(1);
  });

  test('a patch before advice', () => {
    const advice = { ...change('free room', 1, 0, 0), patches: [] };
    expect(named([advice, change('patched', 2, 10, 1)])).toEqual([
      ['patched', ['least-change', 'shortest-downtime', 'least-room']],
    ]);
    expect(named([advice])).toHaveLength(1);
  });

  test('the change with the least capacity, counting replicas that it starts elsewhere today', () => {
    const both = { ...change('both', 2, 10, 2), movesToday: [...before, { name: 'north-1', replicas: 2 }] };
    expect(named([change('later', 1, 90, 3), both])).toEqual([
      ['later', ['least-change', 'least-room']],
      ['both', ['shortest-downtime']],
    ]);
  });
});
