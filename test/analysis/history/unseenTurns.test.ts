import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ObservedChange } from '../../../src/analysis/history/history.ts';
import { unseenTurns, withTurns } from '../../../src/analysis/history/replay/unseenTurns.ts';
import { cluster, failoverOn, START } from '../../simulator/simulation/controlPlane.ts';

const at = (seconds: number) => START + seconds * 1000;
const east = cluster('east');
const pull = { ...east, spec: { ...east.spec, syncMode: 'Pull' as const } };
const turned = (one: typeof east, status: 'True' | 'False' | 'Unknown') => ({
  ...one,
  status: { ...one.status, conditions: [{ type: 'Ready', status, reason: 'r' }] },
});
const lease = (seconds: number) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { namespace: 'karmada-cluster', name: 'east' },
  spec: { renewTime: new Date(at(seconds)).toISOString() },
});
const changed = (seconds: number, before: object, after: object): ObservedChange =>
  ({ at: at(seconds), before, after }) as unknown as ObservedChange;

const work = (at: { applied: 'True' | 'False'; message?: string; ready?: number }) => ({
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { namespace: 'karmada-es-east', name: 'web' },
  status: {
    conditions: [{ type: 'Applied', status: at.applied, message: at.message ?? '' }],
    manifestStatuses: [{ status: { readyReplicas: at.ready ?? 0 } }],
  },
});
const APPLIED = work({ applied: 'True' });
const REFUSED = work({ applied: 'False', message: 'Put "https://east": dial tcp: connection refused' });

// cluster-failure-threshold 30s, cluster-status-update-frequency 10s, 3s for the probes themselves: between 57 and 70
// if it is noticed at 100
const noticed = changed(100, east, turned(east, 'False'));

test('a Push member failed before its detection by the failure threshold and at most one period', () => {
  expect(unseenTurns([noticed], failoverOn)).toEqual([
    { cluster: 'east', status: 'False', noticed: at(100), earliest: at(57), latest: at(70), taken: at(63.5) },
  ]);
});

test('a member failed after its last report, minus the time of the report in queues', () => {
  const reports = changed(66, APPLIED, work({ applied: 'True', ready: 3 }));
  expect(unseenTurns([reports, noticed], failoverOn)).toMatchObject([
    { earliest: at(65), latest: at(70), since: { what: 'the status of Work web changed' } },
  ]);
  const collects = changed(66, east, {
    ...east,
    status: { ...east.status, nodeSummary: { totalNum: 7 } },
  });
  expect(unseenTurns([collects, noticed], failoverOn)).toMatchObject([
    { earliest: at(65), since: { what: 'its status was collected' } },
  ]);
});

test('a member failed before the first Work that Karmada could not apply to it', () => {
  expect(unseenTurns([changed(64, APPLIED, REFUSED), noticed], failoverOn)).toMatchObject([
    { earliest: at(57), latest: at(64), taken: at(60.5), until: { what: 'Work web could not be applied' } },
  ]);
  // it has answered again since then
  const again = [changed(64, APPLIED, REFUSED), changed(67, REFUSED, APPLIED), noticed];
  expect(unseenTurns(again, failoverOn)).toMatchObject([{ earliest: at(66), latest: at(70) }]);
  // an API refusal shows that it answers
  const invalid = changed(64, APPLIED, work({ applied: 'False', message: 'spec.replicas: Invalid value' }));
  expect(unseenTurns([invalid, noticed], failoverOn)).toMatchObject([{ latest: at(70) }]);
});

test('an agent failed after the last recorded renewal of its Lease', () => {
  const lost = changed(100, pull, turned(pull, 'Unknown'));
  const [renewed] = unseenTurns([changed(58, lease(48), lease(58)), lost], failoverOn);
  expect(renewed).toMatchObject({ earliest: at(58), since: { what: 'its Lease was renewed', at: at(58) } });
  const [unheard] = unseenTurns([lost], failoverOn);
  expect(unheard!.earliest).toBeLessThan(at(58));
  expect(unheard!.latest).toBe(renewed!.latest);
});

test('an agent that renewed its Lease too late for the flags failed between renewal and detection', () => {
  // the assumed flags imply that it was silent for 30s at least
  const changes = [changed(88, lease(78), lease(88)), changed(100, pull, turned(pull, 'Unknown'))];
  expect(unseenTurns(changes, failoverOn)).toMatchObject([
    { noticed: at(100), earliest: at(88), latest: at(100) },
  ]);
});

test('a member clock that is ahead is ignored', () => {
  const changes = [changed(88, lease(78), lease(120)), noticed];
  expect(unseenTurns(changes, failoverOn)).toMatchObject([{ earliest: at(57), latest: at(70) }]);
});

test('a recovery has its own time, and a second failure without a recovery is ignored', () => {
  const [down, lost] = [turned(east, 'False'), turned(east, 'Unknown')];
  expect(unseenTurns([changed(100, down, east), changed(200, down, lost)], failoverOn)).toMatchObject([
    // cluster-success-threshold 30s
    { status: 'True', noticed: at(100), earliest: at(60), latest: at(70) },
  ]);
});

test('a condition event gets the time of the actual failure, and other events are unchanged', () => {
  const [turn] = unseenTurns([noticed], failoverOn);
  const event = (status: 'False' | 'True', seconds: number) => ({
    at: at(seconds),
    action: { type: 'condition' as const, cluster: 'east', condition: { type: 'Ready', status } },
  });
  const [failed, later] = withTurns([event('False', 100), event('True', 200)], [turn!]);
  expect(failed!.action).toMatchObject({ turned: { earliest: at(57), latest: at(70), taken: at(63.5) } });
  expect(later!.action).not.toHaveProperty('turned');
});

test('the bounds of a failure time are in order for any reports', () => {
  const sign = fc.record({
    after: fc.integer({ min: 0, max: 100 }),
    kind: fc.constantFrom('life', 'refusal', 'lease'),
  });
  fc.assert(
    fc.property(fc.array(sign), fc.constantFrom<'False' | 'Unknown'>('False', 'Unknown'), (signs, status) => {
      const seen = signs
        .sort((a, b) => a.after - b.after)
        .map(({ after, kind }) =>
          kind === 'lease'
            ? changed(after, lease(0), lease(after))
            : kind === 'life'
              ? changed(after, REFUSED, APPLIED)
              : changed(after, APPLIED, REFUSED),
        );
      for (const turn of unseenTurns([...seen, changed(100, pull, turned(pull, status))], failoverOn)) {
        expect(turn.earliest).toBeLessThanOrEqual(turn.taken);
        expect(turn.taken).toBeLessThanOrEqual(turn.latest);
        expect(turn.latest).toBeLessThanOrEqual(turn.noticed);
      }
    }),
  );
});
