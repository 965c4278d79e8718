import type { KubernetesObject, ObjectIdentity } from '../api/meta.ts';
import { isOtherKind, type OtherObject } from '../api/otherKinds.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { instant, rfc3339 } from '../../kubernetes/time.ts';
import { bindingName, objectKey } from '../objects/identities.ts';
import type { Controller, ReconcileRequest, Step, Wake, WakeContext } from '../controllers/controller.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf, Write } from '../controllers/write.ts';

const KIND = 'WorkloadRebalancer';

type WorkloadRebalancer = OtherObject<typeof KIND>;
type RebalancerStatus = NonNullable<WorkloadRebalancer['status']>;
type ObservedWorkload = NonNullable<RebalancerStatus['observedWorkloads']>[number];
type Workload = ObservedWorkload['workload'];

/**
 * The WorkloadRebalancer controller: requests one fresh scheduling of each listed workload, as of the rebalancer's
 * creation. It skips a workload whose last request is at least as recent. A workload without a binding has failed
 * permanently. A finished rebalancer is deleted after its ttlSecondsAfterFinished.
 */
export const workloadRebalancer: Controller = {
  wakes: { Object: specChanged },
  resumes,
  reconcile,
};

/**
 * When a rebalancer that lists a workload finished (RFC 3339); undefined if it does not list it, or has not finished.
 */
export function finishedFor(object: KubernetesObject, workload: ObjectIdentity): string | undefined {
  if (!isOtherKind(object, KIND)) return undefined;
  const { spec, status } = object;
  const key = objectKey(workload);
  const lists = (spec?.workloads ?? []).some((one) => objectKey(one) === key);
  return lists ? (status?.finishTime ?? undefined) : undefined;
}

function* specChanged({ key, before, after }: ChangeOf<'Object'>): Iterable<Wake> {
  if (!isOtherKind(after, KIND)) return;
  if (!isOtherKind(before, KIND) || !deepEqual(before.spec, after.spec)) yield { key };
}

/** The rebalancers with workloads left to process, or waiting to be deleted. */
function* resumes(view: View, { now }: WakeContext): Iterable<Wake> {
  for (const rebalancer of view.all('Object')) {
    if (!isOtherKind(rebalancer, KIND)) continue;
    const key = objectKey({ kind: KIND, name: rebalancer.metadata.name });
    const left = timeLeft(rebalancer, rebalancer.status, now);
    if (observed(rebalancer).some(({ result }) => !result)) yield { key };
    else if (left !== undefined) yield { key, after: Math.max(left, 0) };
  }
}

function reconcile({ key, view, now, evidence }: ReconcileRequest<unknown>): Step<unknown> {
  const rebalancer = view.get('Object', key);
  if (!isOtherKind(rebalancer, KIND)) return {};
  const at = rebalancer.metadata.creationTimestamp ?? rfc3339(now);
  const writes: Write[] = [];
  const observedWorkloads = observed(rebalancer).map((one): ObservedWorkload => {
    if (one.result) return one;
    const bindingKey = keyOfBinding(one.workload);
    const binding = view.get('Binding', bindingKey);
    if (!binding) return { ...one, result: 'Failed', reason: 'ReferencedBindingNotFound' };
    const { rescheduleTriggeredAt } = binding.spec;
    if (!rescheduleTriggeredAt || instant(at) > instant(rescheduleTriggeredAt))
      writes.push({
        verb: 'update',
        kind: 'Binding',
        key: bindingKey,
        part: 'object',
        lock: true,
        base: binding,
        object: { ...binding, spec: { ...binding.spec, rescheduleTriggeredAt: at } },
      });
    return { ...one, result: 'Successful' };
  });
  if (writes.length > 0)
    evidence?.push({
      rule: 'a WorkloadRebalancer requests rescheduling',
      object: { kind: KIND, name: rebalancer.metadata.name },
      field: 'spec.workloads',
    });
  const status = finished(rebalancer, observedWorkloads, now);
  if (status !== rebalancer.status)
    writes.push({
      verb: 'update',
      kind: 'Object',
      key,
      part: 'status',
      lock: false,
      base: rebalancer,
      object: { ...rebalancer, ...(status && { status }) },
    });
  const left = timeLeft(rebalancer, status, now);
  if (left === undefined) return { writes };
  if (left > 0) return { writes, requeue: { after: left } };
  return { writes: [...writes, { verb: 'delete', kind: 'Object', key, base: rebalancer }] };
}

/** The workloads with their results, sorted as text: listed ones, and formerly listed ones that were rebalanced. */
function observed({ spec, status }: WorkloadRebalancer): ObservedWorkload[] {
  const listed = new Map((spec?.workloads ?? []).map((workload) => [textOf(workload), workload]));
  const kept = (status?.observedWorkloads ?? []).filter(
    ({ workload, result }) => listed.has(textOf(workload)) || result === 'Successful',
  );
  for (const { workload } of kept) listed.delete(textOf(workload));
  return [...kept, ...[...listed.values()].map((workload): ObservedWorkload => ({ workload }))].sort(
    (a, b) => (textOf(a.workload) < textOf(b.workload) ? -1 : 1),
  );
}

function textOf({ apiVersion = '', kind, namespace = '', name }: Workload): string {
  return `${apiVersion} ${kind} ${namespace} ${name}`;
}

/** The status after all workloads are processed; the same object if nothing changes. */
function finished(
  { metadata, status }: WorkloadRebalancer,
  observedWorkloads: ObservedWorkload[],
  now: number,
): RebalancerStatus | undefined {
  const next = { observedWorkloads, observedGeneration: metadata.generation ?? 0 };
  const { observedWorkloads: before = [], observedGeneration = 0 } = status ?? {};
  if (status && deepEqual({ observedWorkloads: before, observedGeneration }, next)) return status;
  return { ...next, finishTime: rfc3339(now) };
}

/** Milliseconds until a finished rebalancer is deleted; undefined if it is kept. */
function timeLeft(
  { spec }: WorkloadRebalancer,
  status: RebalancerStatus | undefined,
  now: number,
): number | undefined {
  if (spec?.ttlSecondsAfterFinished === undefined || !status?.finishTime) return undefined;
  return instant(status.finishTime) + spec.ttlSecondsAfterFinished * 1000 - now;
}

/** The key of a workload's binding, by Karmada's naming of bindings. */
function keyOfBinding({ kind, namespace = '', name }: Workload): string {
  return `${namespace}/${bindingName(kind, name)}`;
}
