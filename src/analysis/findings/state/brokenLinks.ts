import type { KubernetesObject, ObjectIdentity } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { requiringBindings } from '../../../karmada/objects/dependents.ts';
import {
  bindingIdentity,
  identityOf,
  objectKey,
  workloadOf,
  objectText,
} from '../../../karmada/objects/identities.ts';
import { placedOn } from '../../../karmada/objects/placement.ts';
import { isReady } from '../../../karmada/objects/clusterReadiness.ts';
import { EVICTION_REASON_APPLICATION_FAILURE, executionNamespace } from '../../../karmada/api/names.ts';
import { policyIdentity } from '../../../karmada/objects/policies.ts';
import { severities } from '../finding.ts';
import { finding, firstNames } from './about.ts';
import { concernsAll, isOnlyEffect } from './causes.ts';
import { interpretersFor, propagateDepsUseless } from './checks/applicationFailover.ts';
import { quotaUsedUp } from './checks/capacity.ts';
import { clusterDeletionStuck } from './checks/deletions.ts';
import * as dependency from './checks/dependencies.ts';
import { noEvictingTaint } from './checks/evictingTaints.ts';
import * as failed from './checks/failedClusters.ts';
import { workloadDown } from './checks/health.ts';
import * as loss from './checks/lossOfOneCluster.ts';
import { componentDown, KUBE_CONTROLLER_MANAGER } from './checks/components.ts';
import { overrideMissesCandidate } from './checks/overrideTargets.ts';
import { overridesFor } from './overridePolicies.ts';
import * as pod from './checks/podTemplates.ts';
import { failureReported } from './checks/reported.ts';
import { selectsNothing } from './checks/policyClaims.ts';
import { targetOf } from './checks/reported.ts';
import * as off from './checks/switches.ts';
import { siblingsOf } from '../../explanation/workloadExplanation.ts';
import { isWanted } from './failoverWanted.ts';
import { diagnose } from './diagnose.ts';
import { examine, type Examination, type Examined } from './examined.ts';
import { stateChecks } from './stateCatalogue.ts';
import type { StateCheck, StateFinding, Theme } from './stateCheck.ts';
import { scopeOf, selectorMismatch } from './unbound.ts';

/** The kind of failover that a question about a workload concerns. */
type AskedFailover = 'cluster' | 'application';

/** Themes that do not break a failover, but affect its outcome or its visibility. */
const AFTERWARDS: readonly Theme[] = ['taints', 'writers', 'observability', 'recovery'];

/** Themes whose findings break a failover, in the order of its events; then those of the other failover, and the rest. */
const CHAINS: Record<AskedFailover, readonly (readonly Theme[])[]> = {
  cluster: [['chain', 'stuck', 'placement', 'releases'], ['application'], AFTERWARDS],
  application: [['application', 'stuck', 'placement', 'releases'], ['chain'], AFTERWARDS],
};

/**
 * What breaks the failover of one workload, the first broken link first: the findings of `doctor` about the workload,
 * its binding, policy or clusters, or about the components that move it. Notes do not break a failover. Only the note
 * that a workload does not return counts, and not if the question is about a failure.
 *
 * @param examination of the whole control plane
 * @param failing clusters whose failure is assumed: then the question is about cluster failover
 */
export function brokenLinks(
  examination: Examination,
  binding: ResourceBinding,
  failing: readonly string[],
): StateFinding[] {
  const asked = { ...examination, bindings: [binding], ...(failing.length > 0 && { failing }) };
  const seen = examine(asked);
  const question = failing.length > 0 ? 'cluster' : askedFailover(binding, seen);
  const chain = CHAINS[question];
  const { findings } = diagnose(
    { ...asked, isWanted: question === 'cluster' },
    stateChecks.filter(({ theme }) => chain.flat().includes(theme)),
  );
  const policy = seen.policyOf(binding);
  // A problem of a dependency breaks the workload too.
  const taken = examination.world.bindings.filter(
    (one) => one.spec.requiredBy?.length && requires(one, binding),
  );
  const works = [binding, ...taken].flatMap((one) =>
    [...seen.worksOf(one).values()].map(({ metadata }) => identityOf({ kind: 'Work', metadata })),
  );
  const spaces = new Set(placedOn(binding.spec).map(({ name }) => executionNamespace(name)));
  const ofNamespace = examination.world.works.filter(
    ({ metadata, spec }) =>
      spaces.has(metadata.namespace ?? '') &&
      spec?.workload?.manifests?.some(
        (one) => one.kind === 'Namespace' && one.metadata.name === binding.metadata.namespace,
      ),
  );
  const own = new Set(
    [
      ...[bindingIdentity(binding), workloadOf(binding), ...works],
      ...ofNamespace.map(({ metadata }) => identityOf({ kind: 'Work', metadata })),
      ...(policy ? [policyIdentity(policy)] : []),
      ...rulersOf(binding, seen),
    ].map(objectKey),
  );
  const clusters = new Set([...placedOn(binding.spec).map(({ name }) => name), ...failing]);
  const concerns = ({ check, theme, objects }: StateFinding) =>
    objects.length === 0 ||
    objects.some(
      (object) =>
        own.has(objectKey(object)) ||
        (object.kind === 'Cluster'
          ? (theme !== 'stuck' || check === clusterDeletionStuck.id) && clusters.has(object.name)
          : (theme === 'chain' || theme === 'stuck') &&
            !(check === componentDown.id && KUBE_CONTROLLER_MANAGER.test(object.name)) &&
            concernsAll(object, seen)),
    );
  // Missing ready replicas are the effect of a broken link, and the verdict itself counts replicas.
  const isResult = ({ check, severity }: StateFinding) => check === workloadDown.id && severity === 'error';
  const broken = findings.filter(
    (finding) =>
      (finding.theme === 'recovery'
        ? failing.length === 0 && RETURNS.has(finding.check)
        : finding.severity !== 'note') &&
      !isResult(finding) &&
      concerns(finding),
  );
  const links = chain.flatMap((themes) =>
    severities.toReversed().flatMap((severity) => {
      const found = themes.flatMap((theme) =>
        broken.filter((one) => one.theme === theme && one.severity === severity),
      );
      return [...found.filter((one) => !isOnlyEffect(one)), ...found.filter(isOnlyEffect)];
    }),
  );
  if (failing.length > 0) return links;
  // Present problems come before those that a failure would hit, unless a failover is due.
  const isLater = isWanted(seen) ? (one: StateFinding) => LOSSES.has(one.check) : meetsFailure;
  return [...links.filter((one) => !isLater(one)), ...links.filter(isLater)];
}

const idsOf = (...checks: readonly StateCheck[]): ReadonlySet<string> => new Set(checks.map(({ id }) => id));

/** What keeps a workload away from a cluster that has recovered. */
const RETURNS = idsOf(failed.doesNotReturn, failed.weightsNotRestored);

const LOSSES = idsOf(loss.noCapacityElsewhere, loss.noSecondHome, loss.lossBreaksSpread, loss.pinnedConfig);

/** Findings that matter only after a failure. */
const AFTER_FAILURE = new Set([
  ...LOSSES,
  ...idsOf(...Object.values(off), noEvictingTaint),
  ...idsOf(...Object.values(pod), overrideMissesCandidate, propagateDepsUseless),
  ...idsOf(dependency.dependencyStays, dependency.siblingStays),
]);

/** Whether a finding matters only after a failure. */
function meetsFailure({ check, theme, severity }: StateFinding): boolean {
  // Failures that Karmada reports, and causes that keep Pods from starting, exist without a failure of a cluster.
  if (check === failureReported.id || (check === dependency.dependencyStays.id && severity === 'error'))
    return false;
  return (
    AFTER_FAILURE.has(check) ||
    theme === 'application' ||
    theme === 'taints' ||
    ((theme === 'chain' || check === quotaUsedUp.id) && severity !== 'error')
  );
}

/**
 * Why no cluster gets an object without a binding, the first broken link first: the findings of `doctor` about it, or
 * that no policy selects it.
 *
 * @param examination of the whole control plane
 */
export function brokenLinksOfUnbound(
  examination: Examination,
  template: KubernetesObject,
): [StateFinding, ...StateFinding[]] {
  const object = identityOf(template);
  const isIt = (one: ObjectIdentity) => objectKey(one) === objectKey(object);
  const [first, ...others] = diagnose(examination, stateChecks).findings.filter(
    ({ objects, severity }) => severity !== 'note' && objects.some(isIt),
  );
  if (first) return [first, ...others];
  const missed = examination.world.policies.flatMap((policy) => {
    const why = selectorMismatch(template, policy.spec.resourceSelectors, scopeOf(policy));
    return why ? [`${objectText(policyIdentity(policy))}: ${why.text}`] : [];
  });
  const why = missed.length > 0 ? `: ${firstNames(missed)}` : '';
  const { id: check, theme } = selectsNothing;
  return [
    {
      ...finding([object], `no policy selects ${objectText(object)}${why}`, {
        rule: 'no resourceSelectors match',
        object,
        field: 'metadata',
      }),
      check,
      theme,
      severity: 'error',
    },
  ];
}

/**
 * Objects other than its policy that affect a workload: quotas of its namespace, overrides, interpreters, scalers, its
 * Service.
 */
function rulersOf(binding: ResourceBinding, seen: Examined): ObjectIdentity[] {
  const { namespace } = binding.metadata;
  const services = new Set([
    binding.spec.resource.name,
    ...siblingsOf(binding, seen.world.bindings).map(({ spec }) => spec.resource.name),
  ]);
  const scales =
    (...targets: readonly ObjectIdentity[]) =>
    (one: KubernetesObject) =>
      targetOf(one).some((target) => targets.some((of) => objectKey(of) === objectKey(target)));
  const scalers = seen.othersOf('FederatedHPA').filter(scales(workloadOf(binding)));
  const isNear = ({ metadata }: KubernetesObject) =>
    namespace !== undefined && metadata.namespace === namespace;
  return [
    ...seen.othersOf('FederatedResourceQuota').filter(isNear),
    ...seen.othersOf('MultiClusterService').filter((one) => isNear(one) && services.has(one.metadata.name)),
    ...scalers,
    ...seen.othersOf('CronFederatedHPA').filter(scales(workloadOf(binding), ...scalers.map(identityOf))),
    ...overridesFor(binding, seen),
    ...interpretersFor(binding, seen),
  ].map(identityOf);
}

/** Whether a binding belongs to a dependency of another one. */
function requires(dependency: ResourceBinding, binding: ResourceBinding): boolean {
  const key = objectKey(bindingIdentity(binding));
  return requiringBindings(dependency).some((one) => objectKey(one) === key);
}

/** Application failover, if the workload is unhealthy or of unknown health, or nothing else is in question. */
function askedFailover({ spec, status }: ResourceBinding, seen: Examined): AskedFailover {
  if (!spec.failover?.application) return 'cluster';
  const isUnhealthy =
    status?.aggregatedStatus?.some(
      ({ clusterName, health }) =>
        (health === 'Unhealthy' || health === 'Unknown') && isReady(seen.clusters().get(clusterName)),
    ) || spec.gracefulEvictionTasks?.some(({ reason }) => reason === EVICTION_REASON_APPLICATION_FAILURE);
  return isUnhealthy || !isWanted(seen) ? 'application' : 'cluster';
}
