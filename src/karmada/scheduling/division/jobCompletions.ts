import { numberIn } from '../../../kubernetes/json.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import type { Rules } from '../../dialects/rules.ts';
import { compareUtf8 } from '../../../kubernetes/utf8.ts';
import { dividesReplicas, targetClusters } from '../../objects/placement.ts';
import { divideRoundedDown } from './divideRandomly.ts';
import { divideByWebster, laterNamesFirst } from './webster.ts';

/**
 * The completions of a Job on each of its target clusters, divided like its replicas; undefined for other kinds, and
 * for Jobs that run duplicated or set no completions (Karmada v1.18, divideReplicasByJobCompletions).
 */
export function jobCompletions(
  template: KubernetesObject | undefined,
  spec: ResourceBindingSpec,
  rules: Rules,
): ReadonlyMap<string, number> | undefined {
  if (template?.kind !== 'Job' || !spec.replicas || !dividesReplicas(spec)) return undefined;
  const completions = numberIn(template.spec, 'completions');
  if (completions === undefined) return undefined;
  const targets = [...targetClusters(spec)].sort((a, b) => compareUtf8(a.name, b.name));
  const weights = targets.map(({ replicas = 0 }) => replicas);
  const shares =
    rules.scheduling.division === 'roundedDown'
      ? divideRoundedDown(completions, { weights, last: weights.map(() => 0) }).shares
      : divideByWebster(completions, weights, laterNamesFirst(template.metadata.uid));
  return new Map(targets.map(({ name }, at) => [name, shares[at]!]));
}
