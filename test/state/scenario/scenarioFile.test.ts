import { describe, expect, test } from '@jest/globals';
import { parseScenario, resolveScenario } from '../../../src/state/scenario/scenarioFile.ts';

const START = Date.parse('2026-09-01T09:30:00Z');
const parse = (value: unknown) => parseScenario(value, 'scenario.yaml');

describe('a scenario file', () => {
  test('is refused if an applied manifest has a field of the wrong type', () => {
    const cluster = {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'a' },
      spec: 5,
    };
    expect(() => parse({ events: [{ at: '0s', apply: [cluster] }] })).toThrow(
      'scenario.yaml: events[0].apply[0]: Cluster a: spec: 5 is a number, expected an object',
    );
  });

  test('contains a start, an end, assumptions and events', () => {
    const file = parse({
      start: '2026-09-01T09:30:00Z',
      until: '45m',
      assume: {
        featureGates: { Failover: true },
        workloadReadyAfter: '25s',
        neverReady: [{ kind: 'Deployment', namespace: 'shop', name: 'search', cluster: 'dublin' }],
      },
      events: [
        { at: '10s', fail: 'frankfurt' },
        { at: '2026-09-01T10:00:00Z', recover: 'frankfurt' },
      ],
    });
    expect(file.assume).toEqual({ featureGates: { Failover: true } });
    expect(resolveScenario(file, 0)).toEqual({
      start: START,
      until: START + 45 * 60_000,
      members: {
        workloadReadyAfter: 25_000,
        guessed: false,
        neverReady: [{ kind: 'Deployment', namespace: 'shop', name: 'search', cluster: 'dublin' }],
      },
      events: [
        { at: START + 10_000, action: { type: 'fail', cluster: 'frankfurt' } },
        { at: START + 30 * 60_000, action: { type: 'recover', cluster: 'frankfurt' } },
      ],
    });
  });

  test('starts at the time of the state by default', () => {
    const scenario = resolveScenario(parse({ events: [{ at: '1m', fail: 'x' }] }), START);
    expect(scenario).toMatchObject({ start: START, events: [{ at: START + 60_000 }] });
    expect(scenario.until).toBeUndefined();
  });

  test.each([
    [
      { taint: { cluster: 'a', key: 'k', value: 'v', effect: 'NoExecute' } },
      { type: 'taint', cluster: 'a', taint: { key: 'k', value: 'v', effect: 'NoExecute' } },
    ],
    [{ untaint: { cluster: 'a', key: 'k' } }, { type: 'untaint', cluster: 'a', key: 'k' }],
    [
      { condition: { cluster: 'a', type: 'Ready', status: 'False', reason: 'R' } },
      { type: 'condition', cluster: 'a', condition: { type: 'Ready', status: 'False', reason: 'R' } },
    ],
    // The API accepts any status of a condition other than Ready; an emptied message is valid, too.
    [
      { condition: { cluster: 'a', type: 'Net', status: 'Maybe', message: '' } },
      { type: 'condition', cluster: 'a', condition: { type: 'Net', status: 'Maybe', message: '' } },
    ],
    [{ restart: 'karmada-controller-manager' }, { type: 'restart', component: 'karmada-controller-manager' }],
    [{ unjoin: 'a' }, { type: 'delete', target: { kind: 'Cluster', name: 'a' } }],
    [{ stop: 'karmada-scheduler' }, { type: 'stop', component: 'karmada-scheduler' }],
    [{ start: 'karmada-scheduler' }, { type: 'start', component: 'karmada-scheduler' }],
    // kubectl's YAML reads a bare False as a boolean
    [
      { condition: { cluster: 'a', type: 'Ready', status: false } },
      { type: 'condition', cluster: 'a', condition: { type: 'Ready', status: 'False' } },
    ],
    [
      { health: { kind: 'Deployment', namespace: 'n', name: 'w', cluster: 'a', status: 'Unhealthy' } },
      {
        type: 'health',
        workload: { kind: 'Deployment', namespace: 'n', name: 'w' },
        cluster: 'a',
        health: 'Unhealthy',
      },
    ],
    [
      { patch: { kind: 'Cluster', name: 'a', merge: { spec: { taints: null } } } },
      { type: 'patch', target: { kind: 'Cluster', name: 'a' }, merge: { spec: { taints: null } } },
    ],
    [
      { apply: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } } },
      { type: 'apply', objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }] },
    ],
    [
      { delete: { kind: 'ConfigMap', namespace: 'n', name: 'c' } },
      { type: 'delete', target: { kind: 'ConfigMap', namespace: 'n', name: 'c' } },
    ],
  ])('may contain the event %j', (event, action) => {
    expect(parse({ events: [{ at: '0s', ...event }] }).events).toEqual([{ at: { after: 0 }, action }]);
  });
});

const negativeBinding = {
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: { namespace: 'shop', name: 'web' },
  spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, replicas: -5 },
};

describe('an invalid scenario file', () => {
  test.each<[unknown, string]>([
    [[], 'scenario.yaml: scenario: [] is not a mapping'],
    [
      { evnts: [] },
      'scenario.yaml: evnts: is unknown; choose from start, until, assume, events, description',
    ],
    [{ start: 'today' }, 'scenario.yaml: start: "today" is not an RFC 3339 time'],
    [
      { start: '9999-12-31T23:59:59Z' },
      'scenario.yaml: start: "9999-12-31T23:59:59Z" is not a time between 1970 and 2200',
    ],
    [
      { events: [{ at: '0001-01-01T00:00:00Z', fail: 'a' }] },
      'scenario.yaml: events[0].at: "0001-01-01T00:00:00Z" is not a time between 1970 and 2200',
    ],
    [
      { events: [{ at: '1s', apply: negativeBinding }] },
      'scenario.yaml: events[0].apply[0]: ResourceBinding shop/web has -5 replicas (spec.replicas); give 0 or more',
    ],
    [{ until: 5 }, 'scenario.yaml: until: 5 is neither an RFC 3339 time nor a duration after the start'],
    [{ events: {} }, 'scenario.yaml: events: {} is not a list'],
    [
      { events: [{ fail: 'a' }] },
      'scenario.yaml: events[0].at: nothing is neither an RFC 3339 time nor a duration after the start',
    ],
    [
      { events: [{ at: '1s' }] },
      'scenario.yaml: events[0]: needs one of fail, recover, condition, taint, untaint, health, patch, apply, delete, unjoin, restart, stop, start, has none',
    ],
    [{ events: [{ at: '1s', fail: 'a', recover: 'b' }] }, 'has fail and recover'],
    [
      { events: [{ at: '1s', taint: { cluster: 'a', key: 'k', effect: 'PreferNoSchedule' } }] },
      'scenario.yaml: events[0].taint.effect: "PreferNoSchedule" is not one of NoSchedule, NoExecute',
    ],
    [
      { events: [{ at: '1s', apply: [{ kind: 'X' }] }] },
      'scenario.yaml: events[0].apply[0].apiVersion: nothing is not text',
    ],
    [
      { assume: { workloadReadyAfter: 25 } },
      'scenario.yaml: assume.workloadReadyAfter: 25 is not a duration such as 90s or 5m',
    ],
    [
      { assume: { workloadReadyAfter: '-30s' } },
      'assume.workloadReadyAfter: "-30s" is not a duration such as 90s or 5m',
    ],
    [{ events: [{ at: '1s', apply: [] }] }, 'events[0].apply: has no manifest; list one'],
    [
      { assume: { neverReady: [{ kind: 'D', name: 'x' }] } },
      'scenario.yaml: assume.neverReady[0].cluster: nothing is not text',
    ],
  ])('is refused with its file and field: %j', (value, message) => {
    expect(() => parse(value)).toThrow(message);
  });
});
