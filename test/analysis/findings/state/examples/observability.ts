import { type Example, patched } from './example.ts';

export const observability: Readonly<Record<string, Example>> = {
  'agent-silent': patched(
    { kind: 'Lease', namespace: 'karmada-cluster', name: 'member3' },
    { spec: { renewTime: '2026-05-04T09:00:00.000000Z' } },
  ),
  'clock-skew': patched(
    { kind: 'Lease', namespace: 'karmada-cluster', name: 'member3' },
    { spec: { renewTime: '2026-05-04T10:30:00.000000Z' } },
  ),
  'alert-on-unknown-metric': patched(
    { kind: 'PrometheusRule', namespace: 'monitoring', name: 'karmada' },
    {
      spec: {
        groups: [
          {
            rules: [{ alert: 'KarmadaEvictionQueueGrowing', expr: 'karmada_eviction_queue_depth > 100' }],
          },
        ],
      },
    },
  ),
};
