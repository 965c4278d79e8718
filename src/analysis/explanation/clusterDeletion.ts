import { numberIn } from '../../kubernetes/json.ts';
import type { Cluster } from '../../karmada/api/cluster.ts';
import { executionNamespace, EXECUTION_FINALIZER } from '../../karmada/api/names.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { isReady } from '../../karmada/objects/clusterReadiness.ts';
import { bindingKey, workKey } from '../../karmada/objects/identities.ts';
import { placedOn } from '../../karmada/objects/placement.ts';
import { clusterOfWork, worksOfBinding } from '../../karmada/objects/worksOfBinding.ts';
import { startsTaintManager } from '../../karmada/configuration/taintEviction.ts';
import type { World } from '../../karmada/world.ts';

export interface ClusterDeletion {
  /** when its deletion was requested (RFC 3339) */
  since: string;
  /** objects that must be deleted first, in the order in which Karmada waits for them: one sentence each */
  waitsFor: string[];
}

/** What the deletion of a cluster waits for; undefined if it is not being deleted. */
export function clusterDeletion(
  cluster: Cluster,
  { works, others }: Pick<World, 'works' | 'others'>,
  bindings: readonly ResourceBinding[],
  configuration: Configuration,
): ClusterDeletion | undefined {
  const { name, deletionTimestamp } = cluster.metadata;
  if (!deletionTimestamp) return undefined;
  const space = executionNamespace(name);
  const isThere = others.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === space);
  return {
    since: deletionTimestamp,
    waitsFor: [
      ...works.filter((work) => clusterOfWork(work) === name).map((work) => workText(work, cluster)),
      ...(isThere ? [`the execution space ${space}, which is deleted with the last Work in it`] : []),
      ...bindingTexts(cluster, bindings, configuration),
    ],
  };
}

/** "Work karmada-es-m1/web: its finalizer karmada.io/execution-controller waits until the agent has deleted the copy" */
function workText(work: Work, cluster: Cluster): string {
  const { finalizers = [], deletionTimestamp } = work.metadata;
  const what = `Work ${workKey(work)}${deletionTimestamp ? '' : ', not deleted yet'}`;
  const others = finalizers.filter((one) => one !== EXECUTION_FINALIZER);
  const foreign = others.length > 0 ? [`other programs must remove ${others.join(', ')}`] : [];
  const own = finalizers.includes(EXECUTION_FINALIZER)
    ? [`its finalizer ${EXECUTION_FINALIZER} waits until ${whoReleases(cluster)}`]
    : [];
  return [what, [...own, ...foreign].join('; ')].filter((text) => text !== '').join(': ');
}

/** Which component removes the finalizer of a Work, and when. */
function whoReleases(cluster: Cluster): string {
  const { name } = cluster.metadata;
  if (cluster.spec?.syncMode !== 'Pull')
    return isReady(cluster)
      ? `the execution controller has deleted the copy on ${name}`
      : `the execution controller reaches ${name}, which is not Ready, and has deleted the copy there`;
  return isReady(cluster)
    ? `the agent of ${name} has deleted the copy there`
    : `the cluster controller removes it: the agent of ${name} does not report; the copy there is orphaned`;
}

/** The bindings that still name the cluster, in versions that wait for them. */
function bindingTexts(
  { metadata: { name } }: Cluster,
  bindings: readonly ResourceBinding[],
  configuration: Configuration,
): string[] {
  const waits =
    configuration.rules.taints.clusterRemoval !== 'waitsWithTaintManager' ||
    startsTaintManager(configuration);
  const naming = bindings.filter(({ spec }) => spec.clusters?.some((one) => one.name === name));
  if (!waits || naming.length === 0) return [];
  const names = naming.slice(0, 3).map(bindingKey).join(', ');
  const more = naming.length > 3 ? ` and ${naming.length - 3} more` : '';
  return [
    naming.length === 1
      ? `binding ${names} still names it: the scheduler moves it away`
      : `bindings ${names}${more} still name it: the scheduler moves them away`,
  ];
}

/** A copy on a terminating cluster whose binding has left, while its Work still exists. */
export interface CopyLeft {
  binding: ResourceBinding;
  /** of the object in its Work */
  replicas: number;
}

/** The copies that remain on a terminating cluster although their bindings have left it. */
export function copiesLeft(cluster: Cluster, works: Work[], bindings: ResourceBinding[]): CopyLeft[] {
  const { name, deletionTimestamp } = cluster.metadata;
  if (!deletionTimestamp) return [];
  const worksOf = worksOfBinding(
    works.filter((work) => clusterOfWork(work) === name),
    bindings,
  );
  return bindings.flatMap((binding) => {
    const work = worksOf(binding).get(name);
    const isHere =
      placedOn(binding.spec).some((one) => one.name === name) ||
      binding.spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === name);
    return work && !isHere ? [{ binding, replicas: replicasIn(work) }] : [];
  });
}

function replicasIn({ spec }: Work): number {
  return numberIn(spec?.workload?.manifests?.[0]?.spec, 'replicas') ?? 0;
}
