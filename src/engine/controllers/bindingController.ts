import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ResourceBinding, Work } from '../../karmada/api/work.ts';
import {
  CONFLICT_RESOLUTION_ANNOTATION,
  EXECUTION_FINALIZER,
  executionNamespace,
} from '../../karmada/names.ts';
import { workName } from '../../karmada/workName.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { instant } from '../../kubernetes/time.ts';
import { bindingOwnership } from '../eviction/bindingOwnership.ts';
import { planWorks, targetClusters, type WorkPlan, type WorkWrite } from '../eviction/works.ts';
import type { Controller, Failure, Look, Note, Step, Wake, WakeContext } from './controller.ts';
import { bindingKey, workKey } from '../objects/identities.ts';
import { jobCompletions } from '../scheduling/division/jobCompletions.ts';
import { clusterOfWork } from '../objects/worksOfBinding.ts';
import { nextRetry } from './retryBackoff.ts';
import { isSpecChange } from './specChange.ts';
import type { View } from './view.ts';
import { revisesReplicas, templateOf, workManifest, type ManifestParts } from './workManifest.ts';
import type { ChangeOf, Write } from './write.ts';

/** The clusters whose directly purged Works it waits for. */
interface BindingControllerMemory {
  waitingFor: string[];
}

/** Milliseconds within which the Works of a binding are written after its scheduling. */
const JUST_SCHEDULED = 10_000;

/**
 * The binding controllers of ResourceBindings and ClusterResourceBindings (Karmada v1.18): Works that nothing entitles
 * a binding to are deleted, those of its target clusters are written; with a binding go its Works.
 */
export const bindingController: Controller<BindingControllerMemory> = {
  name: 'binding-controller',
  wakes: { Binding: specChanged },
  resumes,
  look(request) {
    const binding = request.view.get('Binding', request.key);
    if (!binding) return {};
    return binding.metadata.deletionTimestamp ? removeWorks(request, binding) : syncWorks(request, binding);
  },
};

function specChanged({ key, before, after }: ChangeOf<'Binding'>): Wake[] {
  return after && isSpecChange(before, after) ? [{ key }] : [];
}

/**
 * Bindings that were being worked on when the world was captured: those that wait for a direct purge, that are being
 * deleted, that were scheduled a moment ago and have Works left to write, as well as what is attached to them. A Work that
 * somebody has deleted is not written again before the spec of its binding changes.
 */
function* resumes(view: View, { configuration, now }: WakeContext): Iterable<Wake> {
  const mayWrite = (binding: ResourceBinding): boolean => {
    const key = bindingKey(binding);
    const request = { key, view, configuration, now, memory: undefined, evidence: undefined };
    const { writes, again, failure } = syncWorks(request, binding);
    return Boolean(writes?.length) || again !== undefined || failure !== undefined;
  };
  for (const binding of view.all('Binding')) {
    const { metadata, spec, status } = binding;
    const fresh = status?.lastScheduledTime && now - instant(status.lastScheduledTime) < JUST_SCHEDULED;
    if (metadata.deletionTimestamp || spec.gracefulEvictionTasks?.length || (fresh && mayWrite(binding)))
      yield { key: bindingKey(binding) };
    if (fresh && spec.propagateDeps)
      for (const attached of view.attachedTo(bindingKey(binding))) yield { key: bindingKey(attached) };
  }
  // Those that cannot write a Work because the old one is still being deleted come with their next retry.
  for (const work of view.openWorks()) {
    if (!work.metadata.deletionTimestamp) continue;
    const binding = view.bindingOf(work);
    const scheduled = binding?.status?.lastScheduledTime;
    const cluster = clusterOfWork(work);
    if (!scheduled || !targetClusters(binding.spec).some(({ name }) => name === cluster)) continue;
    const since = Math.min(instant(scheduled), now);
    yield { key: bindingKey(binding), after: nextRetry(since, now) - now };
  }
}

/** The binding does not wait for its Works to be gone. */
function removeWorks({ key, view }: Look<unknown>, binding: ResourceBinding): Step<BindingControllerMemory> {
  const writes: Write[] = [];
  for (const work of view.worksOf(binding).values())
    if (!work.metadata.deletionTimestamp)
      writes.push({ verb: 'delete', kind: 'Work', key: workKey(work), base: work });
  return { writes: [...writes, { verb: 'release', kind: 'Binding', key, base: binding }] };
}

function syncWorks(
  { key, view, memory, configuration, evidence }: Look<BindingControllerMemory>,
  binding: ResourceBinding,
): Step<BindingControllerMemory> {
  const works = view.worksOf(binding);
  const existing = Array.from(works, ([cluster, { metadata }]) => ({
    cluster,
    // The execution controller's finalizer is on every Work.
    held: true,
    deleting: Boolean(metadata.deletionTimestamp),
  }));
  const { rules, featureGates } = configuration;
  const options = { statefulFailoverInjection: featureGates.StatefulFailoverInjection, rules };
  const plan = planWorks(binding.spec, existing, options, evidence);
  const writes = orphans(works, plan);
  if (plan.requeueAfter !== undefined) {
    const waits = plan.waitingFor.flatMap((cluster) => works.get(cluster) ?? []);
    return {
      writes,
      memory: { waitingFor: plan.waitingFor },
      again: {
        after: plan.requeueAfter,
        unless: waits.map((work) => ({ kind: 'Work', key: workKey(work) })),
      },
      notes: deepEqual(memory?.waitingFor, plan.waitingFor) ? [] : [waitsFor(key, plan.waitingFor)],
    };
  }
  const template = templateOf(binding, (key) => view.get('Object', key));
  const completions = jobCompletions(template, binding.spec, rules);
  const failures: string[] = [];
  for (const write of plan.writes) {
    const own = works.get(write.cluster);
    const parts = { template, completions: completions?.get(write.cluster) };
    const written = writeWork(view, binding, own, write, parts);
    if (typeof written === 'string') failures.push(written);
    else if (written) writes.push(written);
  }
  return failures.length > 0 ? { writes, failure: blocked(failures) } : { writes };
}

function orphans(works: ReadonlyMap<string, Work>, { fates }: WorkPlan): Write[] {
  const writes: Write[] = [];
  for (const [cluster, work] of works)
    if (!work.metadata.deletionTimestamp && fates.get(cluster) !== 'kept')
      writes.push({ verb: 'delete', kind: 'Work', key: workKey(work), base: work });
  return writes;
}

function waitsFor(binding: string, clusters: string[]): Note {
  return { type: 'WaitsForDirectPurge', binding, clusters };
}

function blocked(works: string[]): Failure {
  return {
    reason: 'SyncWorkFailed',
    message: works.map((work) => `work ${work} is being deleted`).join(', '),
    unless: works.map((key) => ({ kind: 'Work', key })),
  };
}

/** The write of one Work; nothing if it is as it should be, its key if the old one is still being deleted. */
function writeWork(
  view: View,
  binding: ResourceBinding,
  own: Work | undefined,
  { cluster, replicas, preservedLabels, suspendDispatching, preserveResourcesOnDeletion }: WorkWrite,
  parts: Pick<ManifestParts, 'template' | 'completions'>,
): Write | string | undefined {
  const name = own?.metadata.name ?? workName(binding.spec.resource);
  const namespace = executionNamespace(cluster);
  const key = `${namespace}/${name}`;
  // One that an earlier binding of the same name has left is taken over.
  const existing = own ?? view.get('Work', key);
  if (existing?.metadata.deletionTimestamp) return key;
  const manifest = workManifest({
    binding,
    name,
    namespace,
    ...parts,
    existing,
    replicas: revisesReplicas(binding.spec, view.hooks) ? replicas : undefined,
    preservedLabels,
  });
  const spec = { workload: { manifests: [manifest] }, suspendDispatching, preserveResourcesOnDeletion };
  if (!existing)
    return { verb: 'create', kind: 'Work', key, object: newWork(binding, name, namespace, spec) };
  if (isUpToDate(existing, binding, spec)) return undefined;
  const { labels, annotations } = ownMetadata(binding, manifest);
  return {
    verb: 'update',
    kind: 'Work',
    key,
    part: 'object',
    lock: true,
    base: existing,
    object: {
      ...existing,
      metadata: {
        ...existing.metadata,
        labels: { ...existing.metadata.labels, ...labels },
        annotations: { ...existing.metadata.annotations, ...annotations },
      },
      spec: { ...existing.spec, ...spec },
    },
  };
}

function newWork(binding: ResourceBinding, name: string, namespace: string, spec: Work['spec']): Work {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: {
      name,
      namespace,
      finalizers: [EXECUTION_FINALIZER],
      ...ownMetadata(binding, spec!.workload!.manifests![0]!),
    },
    spec: spec!,
  };
}

function ownMetadata(binding: ResourceBinding, manifest: KubernetesObject) {
  const { labels, annotations } = bindingOwnership(binding);
  const resolution = manifest.metadata.annotations![CONFLICT_RESOLUTION_ANNOTATION]!;
  return { labels, annotations: { ...annotations, [CONFLICT_RESOLUTION_ANNOTATION]: resolution } };
}

/**
 * Whether writing would change nothing that matters in the member. What Karmada's other components and releases note in
 * labels and annotations is left as it was captured.
 */
function isUpToDate({ metadata, spec = {} }: Work, binding: ResourceBinding, wanted: Work['spec']): boolean {
  const [is] = spec.workload?.manifests ?? [];
  const [should] = wanted!.workload!.manifests!;
  const { labels } = bindingOwnership(binding);
  const { metadata: isMetadata, ...isContent } = is ?? { metadata: undefined };
  const { metadata: shouldMetadata, ...shouldContent } = should!;
  const resolution = isMetadata?.annotations?.[CONFLICT_RESOLUTION_ANNOTATION] ?? 'abort';
  return (
    (spec.suspendDispatching ?? false) === wanted!.suspendDispatching &&
    (spec.preserveResourcesOnDeletion ?? false) === wanted!.preserveResourcesOnDeletion &&
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value) &&
    deepEqual(isContent, shouldContent) &&
    deepEqual(withoutKarmadas(isMetadata?.labels), withoutKarmadas(shouldMetadata.labels)) &&
    resolution === shouldMetadata.annotations?.[CONFLICT_RESOLUTION_ANNOTATION]
  );
}

function withoutKarmadas(labels: Record<string, string> = {}): Record<string, string> {
  const entries = Object.entries(labels).filter(([key]) => !key.split('/')[0]!.endsWith('karmada.io'));
  return Object.fromEntries(entries);
}
