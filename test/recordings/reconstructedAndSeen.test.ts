import { describe, expect, test } from '@jest/globals';
import type { History } from '../../src/analysis/history/history.ts';
import { contradictions } from './reconstructedAndSeen.ts';

describe('comparing a reconstructed timeline with a recorded one', () => {
  const workload = { kind: 'Deployment', namespace: 'shop', name: 'web' };
  const object = { kind: 'ResourceBinding', namespace: 'shop', name: 'web-deployment' };
  const START = Date.parse('2026-09-01T10:00:00Z');
  const at = (seconds: number) => START + seconds * 1000;
  const none: History = {
    seen: true,
    start: START,
    end: at(600),
    events: [],
    evictions: [],
    workloads: [],
    clusters: [],
    spans: [],
    doubts: [],
  };
  const to = [{ name: 'west', replicas: 2 }];
  const course = { workload, from: 'east', to, evicted: at(100), scheduled: at(101) };
  const seen: History = {
    ...none,
    evictions: [course],
    events: [
      { time: at(100.4), controller: 'taint-manager', type: 'Evicted', object, cluster: 'east' },
      { time: at(101.2), controller: 'scheduler', type: 'Scheduled', object, clusters: to },
    ],
  };
  const reported = (evictions: History['evictions'], events: History['events'] = []): string =>
    contradictions({ ...none, seen: false, evictions, events }, seen)
      .join('\n')
      .replace(/\.000/g, '');

  test('finds another time, another cluster, and an eviction that did not happen', () => {
    expect(reported([course])).toBe('');
    expect(reported([{ ...course, scheduled: at(110) }])).toContain('scheduled 10:01:50, was seen 10:01:41');
    expect(reported([{ ...course, to: [{ name: 'north' }] }])).toContain('to north:0, was seen to west:2');
    expect(reported([{ ...course, evicted: at(200) }])).toContain('evicted 10:03:20: was seen 10:01:40');
    expect(reported([{ ...course, from: 'north' }])).toContain('was seen never');
  });

  test('finds differences in events, in their controllers, and in spans', () => {
    expect(reported([], seen.events)).toBe('');
    const [evicted, scheduled] = seen.events as [History['events'][0], History['events'][0]];
    expect(reported([], [{ ...evicted, time: at(150) }])).toContain('was seen at 10:01:40.400');
    expect(reported([], [{ ...evicted, controller: 'scheduler' }])).toContain('was seen by taint-manager');
    expect(reported([], [{ ...scheduled, clusters: [{ name: 'north' }] }])).toContain('placed on west:2');
    const span = { workload, cluster: 'east', phase: 'ready' as const, from: at(0), evidence: [] };
    const spans = [{ ...span, certainty: 'estimate' as const }];
    expect(contradictions({ ...none, spans }, none)).toEqual([
      'span Deployment/shop/web east ready: was not seen',
    ]);
  });

  test('excuses differences within a gap of the recording', () => {
    const deaf = { ...seen, doubts: [{ text: 'No updates were received.', from: at(140), to: at(160) }] };
    const late = { time: at(150), controller: '', type: 'Evicted' as const, object, cluster: 'east' };
    expect(contradictions({ ...none, events: [late] }, deaf)).toEqual([]);
    expect(contradictions({ ...none, events: [late] }, seen)).toHaveLength(1);
  });
});
