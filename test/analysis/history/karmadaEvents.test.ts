import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventStep } from '../../../src/analysis/history/karmadaEvents.ts';
import { observedHistory } from '../../../src/analysis/history/observedHistory.ts';
import { reconstructedHistory } from '../../../src/analysis/history/reconstructedHistory.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject, Taint } from '../../../src/karmada/api/meta.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';
import { cluster, deployment, failoverOn, START, world } from '../../simulator/simulation/controlPlane.ts';

const at = (seconds: number) => START + seconds * 1000;
const text = (seconds: number) => rfc3339(at(seconds));
const cart = deployment('cart', {
  placement: {},
  replicas: 2,
  clusters: [{ name: 'west', replicas: 2 }],
});
const BINDING = { kind: 'ResourceBinding', namespace: 'shop', name: cart.metadata.name };
const EAST = { kind: 'Cluster', name: 'east' };

let names = 0;
/** As Karmada v1.18 writes them. */
function event(
  reason: string,
  component: string,
  involvedObject: object,
  message: string,
  [first, last = first, count = 1]: [first: number, last?: number, count?: number],
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `event.${names++}`, namespace: 'shop' },
    involvedObject,
    reason,
    message,
    count,
    source: { component },
    firstTimestamp: text(first),
    lastTimestamp: text(last),
  } as KubernetesObject;
}
const scheduled = (result: string, ...when: [first: number, last?: number, count?: number]) =>
  event(
    'ScheduleBindingSucceed',
    'default-scheduler',
    BINDING,
    `Binding has been scheduled successfully. Result: {${result}}`,
    when,
  );
const evicted = (from: string, ...when: [first: number, last?: number, count?: number]) =>
  event(
    'EvictWorkloadFromClusterSucceed',
    'resource-binding-graceful-eviction-controller',
    BINDING,
    `Evict from cluster ${from} succeed.`,
    when,
  );
const tainted = (component: string, taints: string, seconds: number) =>
  event(
    'TaintClusterSucceed',
    component,
    EAST,
    `Update Cluster(east) with taints(cluster now has taints([${taints}])) succeed`,
    [seconds],
  );

function reported(events: KubernetesObject[], east: Cluster = cluster('east')) {
  return reconstructedHistory({ ...world([east], [cart]), others: events }, at(3600), failoverOn);
}
const ofType = ({ events }: ReturnType<typeof reported>, type: string) =>
  events.filter((one) => one.type === type);

describe('the Events of Karmada show', () => {
  test('a past eviction, with the new clusters and the end of its task', () => {
    const { evictions, doubts } = reported([
      scheduled('east:2', 10),
      scheduled('west:2', 100),
      evicted('east', 130),
    ]);
    expect(evictions).toEqual([
      {
        workload: expect.objectContaining({ name: 'cart' }) as object,
        from: 'east',
        to: [{ name: 'west', replicas: 2 }],
        scheduled: at(100),
        ended: at(130),
      },
    ]);
    expect(doubts.map((doubt) => doubt.text).join()).not.toContain('ended evictions');
  });

  test('an eviction without a task, as up to v1.11 with the gate GracefulEviction off', () => {
    const removed = event(
      'EvictWorkloadFromClusterSucceed',
      'taint-manager',
      BINDING,
      'Evict from cluster east succeed.',
      [90],
    );
    const history = reported([scheduled('east:2', 10), removed, scheduled('west:2', 100)]);
    expect(history.evictions).toEqual([
      {
        workload: expect.objectContaining({ name: 'cart' }) as object,
        from: 'east',
        to: [{ name: 'west', replicas: 2 }],
        evicted: at(90),
        scheduled: at(100),
      },
    ]);
    expect(ofType(history, 'Evicted')).toMatchObject([
      { time: at(90), controller: 'taint-manager', message: 'evicted from east, without a task' },
    ]);
    expect(ofType(history, 'TaskEnded')).toEqual([]);
  });

  test('no repeated placement, but a return to an earlier one', () => {
    const confirmed = reported([
      scheduled('east:1, west:1', 10, 500, 9),
      scheduled('west:1, east:1', 40, 60, 2),
    ]);
    const byEvents = (history: ReturnType<typeof reported>) =>
      ofType(history, 'Scheduled').filter(({ source }) => source?.startsWith('Event'));
    expect(byEvents(confirmed).map(({ time }) => time)).toEqual([at(10)]);
    const back = reported([scheduled('east:2', 10, 500, 2), scheduled('west:2', 100)]);
    expect(byEvents(back).map(({ time, clusters }) => [time, clusters![0]!.name])).toEqual([
      [at(10), 'east'],
      [at(100), 'west'],
      [at(500), 'east'],
    ]);
  });

  test('a step once, even if the state shows it as well', () => {
    const placed = { ...cart, status: { ...cart.status, lastScheduledTime: text(100) } };
    const { events } = reconstructedHistory(
      { ...world([cluster('east')], [placed]), others: [scheduled('west:2', 99)] },
      at(200),
      failoverOn,
    );
    expect(events.filter(({ type, time }) => type === 'Scheduled' && time >= START)).toEqual([
      expect.objectContaining({ time: at(99), source: 'Event ScheduleBindingSucceed' }),
    ]);
  });

  test('failed writes, with their number and their last time', () => {
    const failed = event('SyncWorkFailed', 'binding-controller', BINDING, 'no space', [10, 70, 4]);
    expect(ofType(reported([failed]), 'WorksFailed')).toEqual([
      {
        time: at(10),
        until: at(70),
        count: 4,
        controller: 'binding-controller',
        type: 'WorksFailed',
        object: BINDING,
        message: 'no space',
        source: 'Event SyncWorkFailed',
      },
    ]);
  });

  test('nothing about other objects and reasons, and missing Events are reported', () => {
    const others = [
      event('ScheduleBindingSucceed', 'default-scheduler', { kind: 'Deployment', name: 'cart' }, '', [1]),
      event('AggregateStatusSucceed', 'x', BINDING, '', [1]),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cart' } },
    ];
    expect(others.map(eventStep)).toEqual([undefined, undefined, undefined]);
    expect(reported([]).doubts.map((doubt) => doubt.text)).toContain(
      'The state has no Events: earlier placements, ended evictions and failed writes are unknown.',
    );
    const unread = [{ kind: 'Event', missing: 'list on events' }];
    const forbidden = reconstructedHistory({ ...world([], []), unread }, at(1), failoverOn);
    expect(forbidden.doubts[1]!.text).toContain('Events could not be read (list on events)');
  });

  test('steps in order of time and nothing invented, whatever their messages', () => {
    const word = fc.constantFrom(
      'Result: {east:1',
      'Result: {east:1}',
      'Result: {x}',
      'Evict from cluster ',
      '{Key:',
      '',
    );
    const time = fc.option(fc.constantFrom('', 'yesterday', text(5), text(50), text(500)));
    const any = fc.record({
      reason: fc.constantFrom(
        'ScheduleBindingSucceed',
        'EvictWorkloadFromClusterSucceed',
        'TaintClusterSucceed',
      ),
      involvedObject: fc.constantFrom<object>(BINDING, EAST, {}, { kind: 'Cluster' }),
      message: fc.string().chain((noise) => word.map((one) => `${one}${noise}`)),
      count: fc.option(fc.integer()),
      firstTimestamp: time,
      lastTimestamp: time,
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (all) => {
        const objects = all.map((one) => ({
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: `e${names++}`, namespace: 'shop' },
          ...one,
        }));
        const { events, evictions } = reported(objects as unknown as KubernetesObject[]);
        const times = events.map((one) => one.time);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        const evictedOnes = all.filter(({ reason }) => reason.startsWith('Evict')).length;
        expect(evictions.length).toBeLessThanOrEqual(2 * evictedOnes);
      }),
    );
  });
});

describe('the writer of a taint', () => {
  const upgrade: Taint = { key: 'upgrade', effect: 'NoExecute' };
  const added = (taint: Taint, seconds: number): Taint => ({ ...taint, timeAdded: text(seconds) });
  /** The list has one owner in managedFields: the last writer. */
  const ownedBy = (manager: string, seconds: number, taints: Taint[]): Cluster => {
    const east = cluster('east', taints);
    const entry = {
      manager,
      operation: 'Update',
      time: text(seconds),
      fieldsV1: { 'f:spec': { 'f:taints': {} } },
    };
    return { ...east, metadata: { ...east.metadata, managedFields: [entry] } } as Cluster;
  };
  const who = (history: ReturnType<typeof reported>) =>
    history.events
      .filter(({ taint }) => taint !== undefined)
      .map(({ time, controller, controllerSource }) => [(time - START) / 1000, controller, controllerSource]);

  test('is the component in the Event of the taint', () => {
    const east = cluster('east', [added(upgrade, 60)]);
    const says = (seconds: number) =>
      reported([tainted('cluster-taint-policy-controller', '{Key:upgrade,Effect:NoExecute}', seconds)], east);
    expect(who(says(61))).toEqual([[60, 'cluster-taint-policy-controller', 'Event TaintClusterSucceed']]);
    // a policy that later took ownership of it did not add it then
    expect(who(says(90))).toEqual([[60, '', undefined]]);
  });

  test('is the manager in managedFields that changed the list in the same second', () => {
    const field = (manager: string) => `metadata.managedFields[${manager}].time`;
    const taints = [added(upgrade, 60)];
    expect(who(reported([], ownedBy('kubectl-edit', 60, taints)))).toEqual([
      [60, 'kubectl-edit', field('kubectl-edit')],
    ]);
    expect(who(reported([], ownedBy('karmada-controller-manager', 60, taints)))).toEqual([
      [60, 'cluster-taint-policy-controller', field('karmada-controller-manager')],
    ]);
    // another writer has written the list since
    expect(who(reported([], ownedBy('kubectl-edit', 90, taints)))).toEqual([[60, '', undefined]]);
  });

  test('is the user in managedFields if the taint has no timeAdded', () => {
    const history = reported([], ownedBy('kubectl-taint', 60, [upgrade]));
    expect(ofType(history, 'TaintAdded')).toMatchObject([
      { time: at(60), controller: 'kubectl-taint', source: 'metadata.managedFields[kubectl-taint].time' },
    ]);
    expect(history.doubts.map((doubt) => doubt.text).join()).toContain(
      'managedFields have one time for each writer',
    );
    // controllers set timeAdded, so another writer added it, at an unknown time
    expect(who(reported([], ownedBy('karmada-controller-manager', 60, [upgrade])))).toEqual([]);
  });

  test('in a recording is the manager in managedFields right after the change', () => {
    const seen = (manager: string, taint: Taint) =>
      observedHistory({
        first: world([cluster('east')], [cart]),
        changes: [
          {
            at: at(60),
            before: cluster('east') as KubernetesObject,
            after: ownedBy(manager, 60, [taint]) as KubernetesObject,
          },
        ],
        start: START,
        end: at(90),
        configuration: failoverOn,
        doubts: [],
      }).events.map(({ type, controller }) => [type, controller]);
    const notReady: Taint = { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' };
    expect(seen('kubectl-taint', upgrade)).toEqual([['TaintAdded', 'kubectl-taint']]);
    expect(seen('karmada-controller-manager', notReady)).toEqual([['TaintAdded', 'cluster-controller']]);
  });

  test('in a recording is the component in the Event, which also shows failed writes', () => {
    const failed = event(
      'EvictWorkloadFromClusterFailed',
      'taint-manager',
      BINDING,
      'Evict from cluster east failed.',
      [61],
    );
    const { events } = observedHistory({
      first: world([cluster('east', [upgrade])], [cart]),
      changes: [
        {
          at: at(60),
          before: cluster('east', [upgrade]) as KubernetesObject,
          after: cluster('east') as KubernetesObject,
        },
        { at: at(60.2), after: tainted('cluster-taint-policy-controller', '', 60) },
        { at: at(64), after: failed },
      ],
      start: START,
      end: at(90),
      configuration: failoverOn,
      doubts: [],
    });
    expect(events).toMatchObject([
      { type: 'TaintRemoved', time: at(60), controller: 'cluster-taint-policy-controller' },
      { type: 'EvictionFailed', time: at(61) + 999, controller: 'taint-manager', cluster: 'east' },
    ]);
  });
});
