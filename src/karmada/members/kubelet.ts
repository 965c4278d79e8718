import { isObject } from '../../kubernetes/json.ts';
import type { Controller, Wake } from '../controllers/controller.ts';
import { executionNamespace, workName } from '../api/names.ts';
import { workKey } from '../objects/identities.ts';
import type { Copy } from '../controllers/kinds.ts';
import { answers, isUp } from '../detection/memberAccess.ts';
import type { View } from '../controllers/view.ts';
import type { ChangeOf, Write } from '../controllers/write.ts';
import type { MemberAssumptions } from './memberAssumptions.ts';
import { terminateCopy } from '../works/executionController.ts';
import { withAllReady, startRollout } from './rollout.ts';
import type { ResourceList } from '../api/meta.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { quantityMilliValue } from '../../kubernetes/quantity.ts';
import { copyUpdate } from '../controllers/write.ts';

/**
 * The kubelets and workload controllers of all members: copies become ready after a while, unless configured never to,
 * and allocated resources are updated.
 */
export function kubelet(assumptions: MemberAssumptions): Controller {
  return {
    wakes: { Copy: isOpen, Member: isBack },
    resumes,
    reconcile({ key, view, now }) {
      const copy = view.get('Copy', key);
      if (!copy) return {};
      const allocated = allocatedWrite(view, copy);
      if (copy.terminating) {
        const { emptiesAt = now } = copy;
        if (emptiesAt > now) return { requeue: { after: emptiesAt - now } };
        const gone: Write = { verb: 'delete', kind: 'Copy', key, base: copy, lock: true };
        return { writes: [...contentOf(copy, view, now), gone, ...allocated] };
      }
      const { counted: _, ...seen } = copy;
      const reacted = copy.unobserved
        ? startRollout(seen, assumptions, view.hooks, now, view.sampleStatus(copy.workload))
        : seen;
      // Replicas that start while the API server is down are counted once it is back.
      const down = !isUp(view, copy.cluster);
      const due = reacted.readyAt !== undefined && reacted.readyAt <= now;
      const after = due && !down ? withAllReady(reacted) : reacted;
      const changed = copy.counted !== undefined || after !== seen;
      return {
        writes: changed ? [copyUpdate(key, copy, after), ...allocated] : [],
        ...(after.readyAt !== undefined && !due && { requeue: { after: after.readyAt - now } }),
      };
    },
  };
}

/** The writes that delete the contents of a member's Namespace, whether Karmada manages them or not. */
function contentOf({ cluster, workload: { kind, name } }: Copy, view: View, now: number): Write[] {
  if (kind !== 'Namespace') return [];
  return [...view.all('Copy')].flatMap((copy) => {
    if (copy.cluster !== cluster || copy.workload.namespace !== name || copy.terminating) return [];
    const key = workKey({
      metadata: { namespace: executionNamespace(cluster), name: workName(copy.workload) },
    });
    return view.get('Copy', key) === copy ? [copyUpdate(key, copy, terminateCopy(copy, now))] : [];
  });
}

function isOpen({ key, after }: ChangeOf<'Copy'>): Wake[] {
  if (!after) return [];
  const { unobserved, terminating, counted, readyAt } = after;
  return unobserved || terminating || counted !== undefined || readyAt !== undefined ? [{ key }] : [];
}

function* isBack({ key, before, after }: ChangeOf<'Member'>, view: View): Iterable<Wake> {
  if (!after || !answers(after) || (before && answers(before))) return;
  for (const work of view.worksOn(key))
    if (view.get('Copy', workKey(work))?.readyAt !== undefined) yield { key: workKey(work) };
}

/** Copies that were starting when the world was captured. */
function* resumes(view: View): Iterable<Wake> {
  for (const work of view.openWorks()) {
    const key = workKey(work);
    if (view.get('Copy', key)?.readyAt !== undefined) yield { key };
  }
}

/** The write that counts a copy's current replicas in its member's allocated resources; none if already counted. */
function allocatedWrite(view: View, copy: Copy): Write[] {
  const member = view.get('Member', copy.cluster);
  const pods = copy.replicas - (copy.counted ?? copy.replicas);
  if (!member || pods === 0 || !hasPods(copy)) return [];
  const reported = view.get('Cluster', copy.cluster)?.status?.resourceSummary?.allocated ?? {};
  const counts = Object.keys(reported).length > 0;
  const allocated = allocatedAfter(member.allocated ?? (counts ? reported : undefined), copy.request, pods);
  if (!allocated) return [];
  const object = { ...member, allocated };
  return [
    { verb: 'update', kind: 'Member', key: member.name, part: 'object', lock: true, base: member, object },
  ];
}

/**
 * Whether the replicas of a copy are pods of the member. A custom resource is assumed to have pods if it has a pod
 * template.
 */
function hasPods({ object, request }: Copy): boolean {
  if (request) return true;
  const hasTemplate = isObject(object.spec) && object.spec['template'] !== undefined;
  return hasTemplate || builtInGroups.has(object.apiVersion);
}

const builtInGroups: ReadonlySet<string> = new Set(['v1', 'apps/v1', 'batch/v1']);

/**
 * A member's allocated resources after adding `pods` (removing, if negative) with this `request`. Undefined if they
 * were unknown before.
 */
function allocatedAfter(
  before: ResourceList | undefined,
  request: ResourceList | undefined,
  pods: number,
): ResourceList | undefined {
  if (!before) return undefined;
  const after: ResourceList = { ...before };
  for (const [name, amount] of Object.entries({ ...request, pods: 1 })) {
    const total = milli(before[name] ?? 0) + milli(amount) * BigInt(pods);
    after[name] = `${total < 0n ? 0n : total}m`;
  }
  return after;
}

function milli(amount: string | number): bigint {
  return quantityMilliValue(parseQuantity(amount));
}
