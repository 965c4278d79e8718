import { flagNames } from '../../src/cli/flagNames.ts';
import { planDocument } from '../../src/views/drain/planAnswer.ts';
import { handmadePlan, planned } from '../views/drain/handmadePlan.ts';
import { mutatedText, mutatedValue } from './mutations.ts';
import { randomOf } from './random.ts';

const identity = { kind: 'ResourceBinding', namespace: 'shop', name: 'cart-deployment' };
const time = Date.parse('2026-09-01T09:30:00Z');

/** A plan with every possible field. */
export const wholePlan = JSON.parse(
  JSON.stringify(
    planDocument(
      {
        ...handmadePlan,
        options: {
          ...handmadePlan.options,
          gracePeriodSeconds: 60,
          selection: {
            namespace: 'shop',
            labelSelector: {
              matchLabels: { app: 'cart' },
              matchExpressions: [{ key: 'tier', operator: 'In', values: ['web'] }],
            },
            kinds: ['deployment'],
            policy: 'shop/all',
            skip: ['deployment/cart'],
            only: ['deployment/web'],
          },
          pace: { ...handmadePlan.options.pace, maxConcurrent: 3 },
        },
        duration: { shortest: 60, expected: 90, longest: 700 },
        workloads: [
          planned('shop/Deployment/all', 'moves', 'frankfurt:2', 'dublin:2', {
            leaving: [{ name: 'virginia', replicas: 1 }],
            outcome: 'moves',
            reason: 'it fits',
            dependsOn: ['the order'],
            order: 1,
            evictedAt: time,
            readyAt: time,
            goneAt: time,
            until: time,
            possibleEnds: [[{ name: 'dublin', replicas: 2 }]],
            flapping: { period: 90_000, cause: 'TaintUntolerated' },
            deletedReady: [{ cluster: 'frankfurt', time, replicas: 1 }],
            gap: { replicas: 1, seconds: 30, open: false },
            requiredBy: [identity],
            takesAlong: [identity],
            leavesBehind: [identity],
            evidence: [
              {
                rule: 'evicted',
                object: identity,
                field: 'spec.clusters',
                value: 1,
                certainty: 'estimate',
                missing: 'a look',
              },
            ],
          }),
          ...handmadePlan.workloads,
        ],
        refusals: [
          { risk: 'loss', accepted: true, problem: '1 workload would be lost', workloads: [identity] },
        ],
        cordons: [
          {
            object: { kind: 'Cluster', name: 'frankfurt' },
            resourceVersion: '1',
            uid: 'u',
            patch: { spec: {} },
          },
        ],
        clusters: [
          {
            name: 'frankfurt',
            drained: true,
            ready: 'True',
            before: { workloads: 1, replicas: 2 },
            after: { workloads: 0, replicas: 0 },
            capacity: [{ resource: 'cpu', allocatable: '16', allocatedBefore: '500m', allocatedAfter: '1' }],
          },
        ],
        events: [
          {
            time,
            controller: 'scheduler',
            type: 'Scheduled',
            object: identity,
            cluster: 'dublin',
            reason: 'it fits',
            message: 'scheduled',
            clusters: [{ name: 'dublin', replicas: 2 }],
            evicting: ['frankfurt'],
            evidence: [],
          },
        ],
      },
      {
        clusters: [
          {
            object: { kind: 'Cluster', name: 'frankfurt' },
            uid: 'u',
            resourceVersion: '7',
            fields: { 'spec.region': '"eu"' },
          },
        ],
        bindings: [
          { object: identity, uid: 'u', fields: { 'spec.clusters': '[{"name":"frankfurt","replicas":2}]' } },
        ],
      },
      [{ name: 'Failover', value: false, source: 'default of v1.18', assumed: true }],
      flagNames,
    ),
  ),
) as Record<string, unknown>;

/** The text of a plan file with something in it broken. */
export function mutatedPlan(seed: number): string {
  const random = randomOf(seed);
  if (random.next() < 0.2) return mutatedText(JSON.stringify(wholePlan, null, 2), random);
  return JSON.stringify(mutatedValue(wholePlan, random), null, random.of([0, 2]));
}
