import { expect, test } from '@jest/globals';
import { differenceText, writeBackText } from '../../../src/views/simulation/replayCheck.ts';

const at = (seconds: number) => seconds * 1000;

test('the reason for a difference is one sentence with the unknown fact, the observation, and its confirmation', () => {
  const room = {
    kind: 'room' as const,
    at: at(39),
    cluster: 'member2',
    recorded: '13 of 14 pods',
    predicted: '8 of 14 pods',
    confirmedFrom: at(38.5),
  };
  expect(differenceText(room, 0)).toBe(
    'not knowable at the start: the capacity that a cluster reports at scheduling time (member2 at T+39s: 13 of 14 pods; predicted 8 of 14 pods); a simulation from T+38.5s predicts the recorded step',
  );
});

test('an eviction that did not happen has no time, and an unverified reason is marked', () => {
  const turn = { kind: 'turn' as const, at: at(9), cluster: 'east', turn: { predicted: at(9) } };
  const text = differenceText(turn, 0);
  expect(text).toContain('(eviction from east: never, predicted at T+9s)');
  expect(text).toContain('which may be an internal error');
});

test('an unexplained difference asks for a bug report', () => {
  expect(differenceText({ kind: 'unexplained', at: at(5) }, 0)).toMatch(
    /^unexplained: .*T\+5s.*please report it$/,
  );
});

test('a placement that the scheduler wrote back is explained with both times', () => {
  expect(writeBackText({ cluster: 'east', evicted: at(1), back: at(1.1) }, 0)).toContain(
    'wrote east back at T+1.1s, from its reconcile before the eviction at T+1s',
  );
});
