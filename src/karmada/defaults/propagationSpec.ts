import type {
  ApplicationFailoverBehavior,
  Placement,
  PropagationSpec,
  ResourceSelector,
  SpreadConstraint,
} from '../api/policy.ts';
import { isGraceful } from '../validation/failover.ts';

const GRACE_PERIOD_SECONDS = 600;

/**
 * The spec of a policy with what Karmada's mutating webhook adds. Selectors without a namespace get
 * `selectorNamespace`, if that is not empty.
 */
export function defaultPropagationSpec(spec: PropagationSpec, selectorNamespace: string): PropagationSpec {
  const { resourceSelectors, placement, failover } = spec;
  const defaulted = { ...spec };
  if (resourceSelectors && selectorNamespace)
    defaulted.resourceSelectors = resourceSelectors.map((selector) =>
      selector.namespace ? selector : { ...selector, namespace: selectorNamespace },
    );
  if (resourceSelectors?.some(isServiceImport)) defaulted.propagateDeps = true;
  if (placement) defaulted.placement = defaultPlacement(placement);
  if (failover?.application)
    defaulted.failover = { ...failover, application: defaultApplicationFailover(failover.application) };
  return defaulted;
}

function isServiceImport({ apiVersion, kind }: ResourceSelector): boolean {
  return kind === 'ServiceImport' && apiVersion === 'multicluster.x-k8s.io/v1alpha1';
}

function defaultPlacement(placement: Placement): Placement {
  const { spreadConstraints, replicaScheduling } = placement;
  const defaulted = { ...placement };
  if (spreadConstraints) defaulted.spreadConstraints = spreadConstraints.map(defaultSpreadConstraint);
  if (replicaScheduling?.replicaSchedulingType === 'Divided' && !replicaScheduling.replicaDivisionPreference)
    defaulted.replicaScheduling = { ...replicaScheduling, replicaDivisionPreference: 'Weighted' };
  return defaulted;
}

/** Spreads over clusters, at least one. maxGroups stays as it is: 0 selects no cluster at all. */
function defaultSpreadConstraint(constraint: SpreadConstraint): SpreadConstraint {
  const byNothing = !constraint.spreadByField && !constraint.spreadByLabel;
  return {
    ...constraint,
    ...(byNothing && { spreadByField: 'cluster' }),
    ...(!constraint.minGroups && { minGroups: 1 }),
  };
}

function defaultApplicationFailover(application: ApplicationFailoverBehavior): ApplicationFailoverBehavior {
  if (!isGraceful(application.purgeMode) || application.gracePeriodSeconds !== undefined) return application;
  return { ...application, gracePeriodSeconds: GRACE_PERIOD_SECONDS };
}
