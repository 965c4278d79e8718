import type { Cluster } from '../../api/cluster.ts';
import type { SpreadConstraint } from '../../api/policy.ts';
import type { ResourceBindingSpec } from '../../api/work.ts';
import type { Evidence } from '../../evidence.ts';
import { on, providerOf, regionOf, zonesOf } from '../../selection/clusterAffinity.ts';
import { because, type Filter, type FilterDemand } from './filter.ts';

const isGiven = (value: string | undefined) => value !== undefined;

const demanded: Record<string, FilterDemand> = {
  provider: because(
    'cluster(s) did not have provider property',
    on(providerOf, (columns) => columns.provider(), isGiven),
  ),
  region: because(
    'cluster(s) did not have region property',
    on(regionOf, (columns) => columns.region(), isGiven),
  ),
  zone: because(
    'cluster(s) did not have zones property',
    on(
      zonesOf,
      (columns) => columns.zones(),
      (zones) => zones.length > 0,
    ),
  ),
};

/** A cluster has to have every property that a constraint spreads by; the first that it lacks is the reason. */
export const spreadConstraint: Filter = {
  plugin: 'SpreadConstraint',
  spares: 'none',
  demands: ({ placement }) => (placement?.spreadConstraints ?? []).flatMap(demandsOf),
  evidence: (spec, _status, cluster) => spreadConstraintEvidence(spec, cluster),
};

function demandsOf({ spreadByField = '' }: SpreadConstraint): FilterDemand[] {
  const demand = Object.hasOwn(demanded, spreadByField) ? demanded[spreadByField] : undefined;
  return demand ? [demand] : [];
}

/** Every property that a constraint spreads by and that the cluster lacks. */
function spreadConstraintEvidence({ placement }: ResourceBindingSpec, cluster: Cluster): Evidence[] {
  return (placement?.spreadConstraints ?? []).flatMap((constraint, index): Evidence[] =>
    demandsOf(constraint).every((demand) => demand.reject(cluster) === undefined)
      ? []
      : [
          {
            rule: `has no ${constraint.spreadByField}`,
            field: `spec.placement.spreadConstraints[${index}].spreadByField`,
            value: constraint.spreadByField,
          },
        ],
  );
}
