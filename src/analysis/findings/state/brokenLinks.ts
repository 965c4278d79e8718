import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { bindingIdentity, objectKey, workloadOf } from '../../../karmada/objects/identities.ts';
import { placedOn } from '../../../karmada/objects/placement.ts';
import { isReady } from '../../../karmada/objects/clusterReadiness.ts';
import { EVICTION_REASON_APPLICATION_FAILURE } from '../../../karmada/api/names.ts';
import { policyIdentity } from '../../../karmada/objects/policies.ts';
import { severities } from '../finding.ts';
import { clusterDown } from './checks/failedClusters.ts';
import { workloadDown } from './checks/health.ts';
import { isWanted } from './failoverWanted.ts';
import { diagnose, type StateFinding } from './diagnose.ts';
import { examine, type Examination, type Examined } from './examined.ts';
import { stateChecks } from './stateCatalogue.ts';
import type { Theme } from './stateCheck.ts';

/** The kind of failover that a question about a workload means. */
type AskedFailover = 'cluster' | 'application';

/** Themes whose findings break a failover, in the order of its events; then those of the other failover. */
const CHAINS: Record<AskedFailover, readonly (readonly Theme[])[]> = {
  cluster: [['chain', 'stuck', 'releases', 'placement'], ['application']],
  application: [['application', 'stuck', 'releases', 'placement'], ['chain']],
};

/**
 * What breaks the failover of one workload, the first broken link first: the findings of `doctor` about the workload,
 * its binding, policy or clusters, or about the components that move it. Notes break nothing.
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
    // That nothing is ready is the effect of a broken link, and the verdict counts the replicas itself.
    stateChecks.filter((check) => check !== workloadDown && chain.flat().includes(check.theme)),
  );
  const policy = seen.policyOf(binding);
  const works = [...seen.worksOf(binding).values()].map(({ metadata: { namespace = '', name } }) => ({
    kind: 'Work',
    namespace,
    name,
  }));
  const own = new Set(
    [
      ...[bindingIdentity(binding), workloadOf(binding), ...works],
      ...(policy ? [policyIdentity(policy)] : []),
    ].map(objectKey),
  );
  const clusters = new Set([...placedOn(binding.spec).map(({ name }) => name), ...failing]);
  const concerns = ({ theme, objects }: StateFinding) =>
    objects.length === 0 ||
    objects.some(
      (object) =>
        own.has(objectKey(object)) ||
        (object.kind === 'Cluster'
          ? theme !== 'stuck' && clusters.has(object.name)
          : theme === 'chain' && MOVERS.has(object.kind)),
    );
  const broken = findings.filter((finding) => finding.severity !== 'note' && concerns(finding));
  return chain.flatMap((themes) =>
    severities.toReversed().flatMap((severity) => {
      const found = themes.flatMap((theme) =>
        broken.filter((one) => one.theme === theme && one.severity === severity),
      );
      // That it stays on a failed cluster is the effect of the others.
      const isDown = ({ check }: StateFinding) => check === clusterDown.id;
      return [...found.filter((one) => !isDown(one)), ...found.filter(isDown)];
    }),
  );
}

/** Kinds of the objects that run components, or configure their effect on all clusters. */
const MOVERS = new Set(['Deployment', 'StatefulSet', 'Pod', 'Lease', 'ClusterTaintPolicy']);

/** Application failover, if the workload is unhealthy or of unknown health, or nothing else is in question. */
function askedFailover({ spec, status }: ResourceBinding, seen: Examined): AskedFailover {
  if (!spec.failover?.application) return 'cluster';
  const isIll =
    status?.aggregatedStatus?.some(
      ({ clusterName, health }) =>
        (health === 'Unhealthy' || health === 'Unknown') && isReady(seen.clusters().get(clusterName)),
    ) || spec.gracefulEvictionTasks?.some(({ reason }) => reason === EVICTION_REASON_APPLICATION_FAILURE);
  return isIll || !isWanted(seen) ? 'application' : 'cluster';
}
