import { between, compact, maybe, several, toleration, type Random } from './values.ts';
import { LABELS, PLACES } from './clusters.ts';

/** A selector of clusters by label: mostly valid, with keys and values that rarely match. */
export function labelSelector(random: Random) {
  const requirement = () => {
    const key = random.pick([...Object.keys(LABELS), 'missing']);
    const operator = random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
    const values = random.sample([...(LABELS[key] ?? []), 'zzz'], between(random, 1, 3));
    return { key, operator, ...(operator === 'In' || operator === 'NotIn' ? { values } : {}) };
  };
  return compact({
    matchLabels: maybe(random, 0.5, () => {
      const key = random.pick(Object.keys(LABELS));
      return { [key]: random.pick(LABELS[key]!) };
    }),
    matchExpressions: maybe(random, 0.6, () => several(random, 1, 2, requirement)),
  });
}

function fieldSelector(random: Random) {
  const requirement = () => {
    const key = random.pick(['provider', 'region', 'zone'] as const);
    const operator = random.pick(['In', 'In', 'NotIn', 'NotIn', 'Exists', 'DoesNotExist']);
    const listed = operator === 'In' || operator === 'NotIn';
    return {
      key,
      operator,
      ...(listed ? { values: random.sample(PLACES[key], between(random, 1, 3)) } : {}),
    };
  };
  return compact({ matchExpressions: maybe(random, 0.95, () => several(random, 1, 2, requirement)) });
}

/** An affinity of every kind. */
export function clusterAffinity(random: Random, names: string[]) {
  const some = (most: number) => random.sample([...names, 'no-such-cluster'], between(random, 1, most));
  return compact({
    labelSelector: maybe(random, 0.3, () => labelSelector(random)),
    fieldSelector: maybe(random, 0.25, () => fieldSelector(random)),
    clusterNames: maybe(random, 0.35, () => some(names.length + 1)),
    exclude: maybe(random, 0.2, () => some(2)),
  });
}

function affinityTerms(random: Random, names: string[]) {
  return several(random, 1, 3, (index) => ({
    affinityName: `g${index + 1}`,
    ...clusterAffinity(random, names),
    ...compact({
      overflowAffinities: maybe(random, 0.15, () =>
        several(random, 1, 2, (overflow) => ({
          affinityName: `o${overflow + 1}`,
          ...clusterAffinity(random, names),
        })),
      ),
    }),
  }));
}

function spreadConstraints(random: Random) {
  const fields = random.sample(['cluster', 'region', 'zone', 'provider'], random.pick([1, 1, 1, 2, 2, 3, 4]));
  return fields.map((field) => {
    const minGroups = between(random, 1, 4);
    const maxGroups = random.chance(0.1) ? random.pick([0, 50]) : minGroups + random.below(4);
    const by = random.chance(0.04)
      ? { spreadByLabel: random.pick(Object.keys(LABELS)) }
      : { spreadByField: field };
    return { ...by, minGroups, maxGroups };
  });
}

function replicaScheduling(random: Random, names: string[]) {
  if (random.chance(0.2)) return { replicaSchedulingType: 'Duplicated' };
  if (random.chance(0.3))
    return { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };
  const weights = random.pick(['dynamic', 'dynamic', 'static', 'static', 'none']);
  return compact({
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: random.chance(0.95) ? 'Weighted' : undefined,
    weightPreference:
      weights === 'none'
        ? undefined
        : weights === 'dynamic'
          ? { dynamicWeight: 'AvailableReplicas' }
          : {
              staticWeightList: several(random, 1, 4, () => ({
                targetCluster: clusterAffinity(random, names),
                weight: random.pick([0, 1, 1, 2, 3, 5, 7, 10, 100, 2 ** 31 - 1]),
              })),
            },
  });
}

/** A placement of every kind, for clusters of these names. */
export function placement(random: Random, names: string[]) {
  const terms = random.chance(0.3);
  return compact({
    clusterAffinity: terms ? undefined : maybe(random, 0.5, () => clusterAffinity(random, names)),
    clusterAffinities: terms ? affinityTerms(random, names) : undefined,
    clusterTolerations: maybe(random, 0.4, () => several(random, 1, 3, () => toleration(random))),
    spreadConstraints: maybe(random, 0.45, () => spreadConstraints(random)),
    replicaScheduling: maybe(random, 0.85, () => replicaScheduling(random, names)),
  });
}
