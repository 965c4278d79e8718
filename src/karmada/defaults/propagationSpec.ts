import type {
  ApplicationFailoverBehavior,
  Placement,
  PropagationSpec,
  ResourceSelector,
  SpreadConstraint,
} from '../api/policy.ts';
import type { Toleration } from '../api/meta.ts';
import type { Rules } from '../dialects/rules.ts';
import { TAINT_CLUSTER_NOT_READY, TAINT_CLUSTER_UNREACHABLE } from '../api/names.ts';

const GRACE_PERIOD_SECONDS = 600;
const DEFAULT_TOLERATION_SECONDS = 300;

/**
 * The spec of a policy with what Karmada's mutating webhook adds. Selectors without a namespace get `selectorNamespace`
 * unless it is empty.
 */
export function defaultPropagationSpec(
  spec: PropagationSpec,
  selectorNamespace: string,
  rules: Rules['admission'],
  defaultTolerations = { notReady: DEFAULT_TOLERATION_SECONDS, unreachable: DEFAULT_TOLERATION_SECONDS },
): PropagationSpec {
  const { resourceSelectors, placement, failover } = spec;
  const defaulted = { ...spec };
  if (resourceSelectors && selectorNamespace)
    defaulted.resourceSelectors = resourceSelectors.map((selector) =>
      selector.namespace ? selector : { ...selector, namespace: selectorNamespace },
    );
  if (resourceSelectors?.some(isServiceImport)) defaulted.propagateDeps = true;
  if (placement) defaulted.placement = defaultPlacement(placement);
  if (rules.defaultTolerations)
    defaulted.placement = tolerating(defaulted.placement ?? {}, defaultTolerations);
  if (failover?.application)
    defaulted.failover = {
      ...failover,
      application: defaultApplicationFailover(failover.application, rules),
    };
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

/**
 * Adds tolerations of NoExecute taints with these keys, unless there is one already, whatever its tolerationSeconds.
 */
function tolerating(
  placement: Placement,
  { notReady, unreachable }: { notReady: number; unreachable: number },
): Placement {
  const wanted: Toleration[] = [
    { key: TAINT_CLUSTER_NOT_READY, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: notReady },
    {
      key: TAINT_CLUSTER_UNREACHABLE,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: unreachable,
    },
  ];
  const present = placement.clusterTolerations ?? [];
  const missing = wanted.filter(
    ({ key }) =>
      !present.some(
        (one) =>
          one.key === key &&
          one.effect === 'NoExecute' &&
          one.operator === 'Exists' &&
          (one.value ?? '') === '',
      ),
  );
  return missing.length === 0 ? placement : { ...placement, clusterTolerations: [...present, ...missing] };
}

/** By default spreads over clusters, at least one. maxGroups stays as it is: 0 selects no cluster at all. */
function defaultSpreadConstraint(constraint: SpreadConstraint): SpreadConstraint {
  const byNothing = !constraint.spreadByField && !constraint.spreadByLabel;
  return {
    ...constraint,
    ...(byNothing && { spreadByField: 'cluster' }),
    ...(!constraint.minGroups && { minGroups: 1 }),
  };
}

function defaultApplicationFailover(
  application: ApplicationFailoverBehavior,
  { gracefulPurgeModes }: Rules['admission'],
): ApplicationFailoverBehavior {
  if (application.gracePeriodSeconds !== undefined) return application;
  if (!gracefulPurgeModes.includes(application.purgeMode ?? '')) return application;
  return { ...application, gracePeriodSeconds: GRACE_PERIOD_SECONDS };
}
