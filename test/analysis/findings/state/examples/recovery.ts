import { clusterObject } from '../../../../../src/analysis/findings/state/about.ts';
import { type Example, notReady, patched, dividedByWeights, runs, web } from './example.ts';

const leftWork = (more: object = {}) => ({
  ...patched(clusterObject('member3'), notReady('2026-05-04T09:58:00Z', 'Unknown', 'AgentSilent')),
  adds: [
    {
      apiVersion: 'work.karmada.io/v1alpha1',
      kind: 'Work',
      metadata: {
        namespace: 'karmada-es-member3',
        name: 'web-5d4f',
        labels: { 'resourcebinding.karmada.io/permanent-id': 'b1' },
        annotations: {
          'resourcebinding.karmada.io/namespace': 'shop',
          'resourcebinding.karmada.io/name': 'web-deployment',
        },
        ...more,
      },
      spec: {},
    },
  ],
});

export const recovery: Readonly<Record<string, Example>> = {
  'recovery-slow': runs({ controllerManager: ['--cluster-success-threshold=20m'] }),
  'runs-twice-after-partition': leftWork(),
  'deleted-on-return': leftWork({
    deletionTimestamp: '2026-05-04T09:59:00Z',
    finalizers: ['karmada.io/execution-controller'],
  }),
  'does-not-return': patched(web, {
    spec: {
      placement: {
        clusterAffinity: null,
        clusterAffinities: [
          { affinityName: 'first', clusterNames: ['member3'] },
          { affinityName: 'last', clusterNames: ['member1', 'member2'] },
        ],
      },
    },
    status: { schedulerObservingAffinityName: 'last' },
  }),
  'weights-not-restored': dividedByWeights(1, 1),
};
