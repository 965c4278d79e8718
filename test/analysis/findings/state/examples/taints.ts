import { type Example, member1, patched } from './example.ts';

const tainted = (taint: object, more: readonly object[] = []) =>
  patched(member1, { spec: { taints: [taint, ...more] } });

export const taints: Readonly<Record<string, Example>> = {
  'taint-on-ready-cluster': tainted({
    key: 'cluster.karmada.io/not-ready',
    effect: 'NoSchedule',
    timeAdded: '2026-05-01T08:00:00Z',
  }),
  'taint-outlives-condition': patched(member1, {
    spec: {
      taints: [
        { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute', timeAdded: '2026-05-02T08:00:00Z' },
      ],
    },
  }),
  'taint-orphaned': tainted({ key: 'old-policy', effect: 'NoSchedule', timeAdded: '2026-05-01T08:00:00Z' }),
  'taint-undated': tainted({ key: 'maintenance', effect: 'NoExecute' }),
  'cordon-forgotten': tainted({ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }),
  'taint-by-hand': tainted({ key: 'maintenance', effect: 'NoSchedule' }),
};
