import type {
  DrainEvent,
  DrainProgress,
  CurrentPace,
  DrainedWorkload,
  DrainPhase,
} from '../../../src/analysis/drain/decide/drainStep.ts';

export const START = Date.parse('2026-09-01T09:30:00Z');
/** Names of the replicas' target clusters. */
const TARGETS = ['dublin', 'virginia', 'oregon'];

export const normalPace: CurrentPace = {
  mode: 'normal',
  cause: 'clusters',
  rate: 0.5,
  faulty: [],
  clusters: 5,
  reason: '',
};
export const pausedPace: CurrentPace = {
  mode: 'paused',
  cause: 'clusters',
  rate: 0,
  faulty: ['dublin', 'oregon', 'tokyo'],
  clusters: 5,
  reason: '3 of 5 clusters are faulty (dublin, oregon, tokyo); evictions go on when they are Ready again',
};

const KINDS = ['Deployment', 'Deployment', 'StatefulSet', 'ConfigMap'];
const NAMES = [
  'cart',
  'checkout',
  'search',
  'recommendations',
  'ledger',
  'storefront',
  'pricing',
  'session-cache',
];

function workload(index: number): DrainedWorkload {
  const kind = KINDS[index % KINDS.length]!;
  const round = Math.floor(index / NAMES.length);
  const name = `${NAMES[index % NAMES.length]!}${round > 0 ? `-${round}` : ''}`;
  const namespace = index % 3 === 0 ? 'data' : 'shop';
  const replicas = kind === 'ConfigMap' ? {} : { replicas: 2 + (index % 5) };
  return {
    binding: { kind: 'ResourceBinding', namespace, name: `${name}-${kind.toLowerCase()}` },
    workload: { kind, namespace, name },
    phase: 'queued',
    from: [{ name: 'frankfurt', ...replicas }],
    to: [],
    evidence: [],
  };
}

/** Seconds after its eviction at which a workload enters each phase. */
const STEPS: [number, DrainPhase][] = [
  [0, 'scheduling'],
  [1, 'starting'],
  [32, 'ready'],
  [33, 'leaving'],
  [37, 'gone'],
];

function at(index: number, seconds: number, evictedAt: number): DrainedWorkload {
  const one = workload(index);
  if (index % 50 === 17) return { ...one, phase: 'skipped', waitingFor: 'no feasible cluster left' };
  const passed = seconds - evictedAt;
  if (passed < 0) return one;
  const to = [
    {
      name: TARGETS[index % TARGETS.length]!,
      ...(one.from[0]!.replicas ? { replicas: one.from[0]!.replicas } : {}),
    },
  ];
  if (index % 60 === 5 && passed > 20)
    return {
      ...one,
      to,
      phase: 'stuck',
      waitingFor: `0 of ${one.from[0]!.replicas} replicas ready on ${to[0]!.name}: ImagePullBackOff`,
    };
  const phase = STEPS.findLast(([after]) => passed >= after)![1];
  const waits: Partial<Record<DrainPhase, string>> = {
    scheduling: 'the scheduler',
    starting: `${Math.floor(passed / 12)} of ${one.from[0]!.replicas ?? 1} replicas ready on ${to[0]!.name}`,
    leaving: 'the graceful eviction controller',
  };
  return {
    ...one,
    phase,
    to: phase === 'scheduling' ? [] : to,
    ...(waits[phase] ? { waitingFor: waits[phase] } : {}),
  };
}

/** A drain of this many workloads, one evicted every two seconds, this many seconds after its start. */
export function progressAfter(seconds: number, count: number, pace = normalPace): DrainProgress {
  const workloads = Array.from({ length: count }, (_, index) => at(index, seconds, 2 * index + 1));
  return { now: START + seconds * 1000, startedAt: START, clusters: ['frankfurt'], pace, workloads };
}

/** What happened between two looks at a drain. */
export function eventsBetween(before: DrainProgress, after: DrainProgress): DrainEvent[] {
  return after.workloads.flatMap((one, index): DrainEvent[] => {
    const { workload, binding, from, to, phase, waitingFor: reason = '' } = one;
    if (before.workloads[index]?.phase === phase) return [];
    const about = { time: after.now, workload, binding };
    const names = from.map(({ name }) => name);
    switch (phase) {
      case 'scheduling':
        return [{ ...about, type: 'evicted', from }];
      case 'starting':
        return [{ ...about, type: 'scheduled', to }];
      case 'leaving':
        return [{ ...about, type: 'released', from: names }];
      case 'gone':
        return [{ ...about, type: 'gone', from: names }];
      case 'skipped':
      case 'stuck':
        return [{ ...about, type: phase, reason }];
      default:
        return [];
    }
  });
}
