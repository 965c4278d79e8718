import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Placement } from '../../../src/karmada/api/policy.ts';
import { aggregated, on, one } from '../../e2e/placements.ts';
import { deployment, policyFor } from '../../e2e/workloads.ts';

export const NAMESPACE = 'load';
export const TAINT = 'chaos.example/not-ready';

/** The rules of the controllers: those of the pinned release, or of document 001. */
export type Rules = 'released' | 'proposal';

/** The effect on a workload if its cluster fails. */
export type Course = 'goes' | 'stays';

export interface ChaosWorkload {
  /** "namespace/name" of the workload, and of its binding */
  workload: string;
  binding: string;
  course: Course;
  objects: KubernetesObject[];
}

interface Recipe {
  name: string;
  of200: number;
  course: Course;
  placement: Placement;
  /** the rules under which this holds; absent: all */
  rules?: Rules;
  failover?: boolean;
}

const either = (...names: string[]): Placement => ({ ...on(...names), replicaScheduling: aggregated });
const copied = (...names: string[]): Placement => ({ ...on(...names), spreadConstraints: one });
const patient: Placement['clusterTolerations'] = [{ key: TAINT, operator: 'Exists' }];
const soon: Placement['clusterTolerations'] = [{ key: TAINT, operator: 'Exists', tolerationSeconds: 2 }];

const recipes: Recipe[] = [
  { name: 'either', of200: 80, course: 'goes', placement: either('c1', 'c2'), failover: true },
  { name: 'copied', of200: 40, course: 'goes', placement: copied('c1', 'c2'), failover: true },
  {
    name: 'soon',
    of200: 40,
    course: 'goes',
    placement: { ...either('c1', 'c2'), clusterTolerations: soon },
    failover: true,
  },
  {
    name: 'patient',
    of200: 20,
    course: 'stays',
    placement: { ...either('c1', 'c2'), clusterTolerations: patient },
    rules: 'released',
  },
  { name: 'passive', of200: 20, course: 'stays', placement: either('c1', 'c2'), rules: 'proposal' },
  // abandoned by the check before scheduling
  { name: 'pinned', of200: 10, course: 'stays', placement: either('c1'), rules: 'proposal', failover: true },
  { name: 'elsewhere', of200: 10, course: 'stays', placement: either('c3') },
];

/** Deployments that the rules treat differently when c1 or c2 fails, the kinds mixed. */
export function loadOf(workloads: number, rules: Rules): ChaosWorkload[] {
  return recipes
    .filter((recipe) => recipe.rules === undefined || recipe.rules === rules)
    .flatMap(({ name: recipe, of200, course, placement, failover }) => {
      const many = Math.max(1, Math.round((of200 * workloads) / 200));
      return Array.from({ length: many }, (_, i) => {
        const name = `${recipe}-${i}`;
        const object = deployment(NAMESPACE, name, 2);
        const cluster = {
          purgeMode: 'Gracefully',
          ...(rules === 'proposal' ? { tolerationSeconds: 1 } : {}),
        };
        const made: ChaosWorkload = {
          workload: `${NAMESPACE}/${name}`,
          binding: `${NAMESPACE}/${name}-deployment`,
          course,
          objects: [object, policyFor(object, placement, failover ? { failover: { cluster } } : {})],
        };
        return { at: i / many, made };
      });
    })
    .sort((a, b) => a.at - b.at)
    .map(({ made }) => made);
}

/** Taints a cluster while it is not ready, so that workloads that do not tolerate this leave. */
export function taintPolicy(rules: Rules): KubernetesObject {
  const condition = (...statusValues: string[]) => ({ conditionType: 'Ready', operator: 'In', statusValues });
  const spec =
    rules === 'proposal'
      ? {
          matchConditions: [condition('False')],
          taintsToAdd: [
            { key: TAINT, effect: 'PreferNoExecute', addOnMatchSeconds: 1, removeOnMismatchSeconds: 1 },
          ],
        }
      : {
          addOnConditions: [condition('False')],
          removeOnConditions: [condition('True')],
          taints: [{ key: TAINT, effect: 'NoExecute' }],
        };
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    metadata: { name: 'not-ready' },
    spec,
  } as KubernetesObject;
}
