import type { Work } from '../../../../karmada/api/work.ts';
import { conditionOf } from '../../../../karmada/objects/conditions.ts';
import { getOrAdd } from '../../../../karmada/objects/getOrAdd.ts';
import { bindingKey, workKey } from '../../../../karmada/objects/identities.ts';
import { evictingFrom, placedOn } from '../../../../karmada/objects/placement.ts';
import { clusterOfWork, namedBinding } from '../../../../karmada/objects/worksOfBinding.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { instant } from '../../../../kubernetes/time.ts';
import { isEvent } from '../../../history/karmadaEvents.ts';
import { count, finding, inBinding, firstNames, jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import { refusalIn, withCause } from '../refusals.ts';
import { investigateComponent } from '../remedies.ts';
import type { StateCheck } from '../stateCheck.ts';
import { olderWebhook } from './versions.ts';

export const workNotApplied: StateCheck = {
  id: 'work-not-applied',
  severity: 'error',
  theme: 'stuck',
  title: 'a Work cannot be applied in its cluster',
  help: 'The cluster refuses the object, and no copy starts there. The message is the answer of its API server.',
  needs: ['Work'],
  symptoms: ['AppliedFailed', 'Failed to apply all manifests'],
  find: (seen) => {
    const groups = new Map<string, { why: string; works: Work[] }>();
    for (const work of seen.world.works) {
      const condition = conditionOf(work.status?.conditions, 'Applied');
      if (condition?.status !== 'False' || work.metadata.deletionTimestamp) continue;
      // Another write came first: Karmada retries at once.
      if (condition.message?.includes('the object has been modified')) continue;
      const why = `${condition.message ?? condition.reason ?? ''}`.replace(/\.$/, '');
      // Several clusters may report the same error, each with its own name.
      const alike = why.replaceAll(clusterOfWork(work) || why, '');
      getOrAdd(groups, alike, () => ({ why, works: [] })).works.push(work);
    }
    return [...groups.values()].map(({ why, works }) => {
      const isThere = why.includes('already exists');
      // karmada-webhook labels the copies, and Karmada recognizes its own by the labels.
      const webhook = isThere ? olderWebhook(seen) : undefined;
      return finding(
        works.map(({ metadata: { namespace = '', name } }) => ({ kind: 'Work', namespace, name })),
        `${count(works.length, 'Work')} cannot be applied (${firstNames(works.map(workKey))}): ${webhook ? `${webhook}, and labels copies differently (${why})` : withCause(why)}`,
        { rule: why, field: 'status.conditions[Applied]', value: 'False' },
        webhook
          ? 'upgrade karmada-webhook to the version of karmada-controller-manager'
          : isThere && overwrites(works, seen)
            ? 'annotate the template with work.karmada.io/conflict-resolution: overwrite, or delete the copy in the cluster: the Overwrite of the policy has not reached the Work'
            : (refusalIn(why)?.remedy ?? 'fix what the API server of the cluster refuses'),
      );
    });
  },
};

/** Whether the policies of all these Works let Karmada overwrite existing objects. */
function overwrites(works: readonly Work[], seen: Examined): boolean {
  const bindings = new Map(seen.world.bindings.map((one) => [bindingKey(one), one]));
  return works.every((work) => {
    const { namespace = '', name = '' } = namedBinding(work) ?? {};
    const binding = bindings.get(`${namespace}/${name}`);
    return binding !== undefined && seen.policyOf(binding)?.spec.conflictResolution === 'Overwrite';
  });
}

/** Milliseconds within which Karmada retries a cluster that refuses a copy. */
const TRIED_AGAIN = 1_200_000;
/** Milliseconds beyond which a failure is not temporary. */
const LASTING = 60_000;

export const copyRefused: StateCheck = {
  id: 'copy-refused',
  severity: 'warning',
  theme: 'stuck',
  title: 'a cluster refuses a copy, and its Work says Applied',
  help: 'Karmada fails to write a copy again (it was deleted or changed in the cluster), and some releases keep Applied=True of the first time. The Event SyncFailed of the Work, repeated for a minute or more, has the answer of the API server.',
  needs: ['Event', 'Work'],
  symptoms: ['SyncFailed'],
  issues: [4282],
  find: (seen) => {
    const works = new Map(seen.world.works.map((one) => [workKey(one), one]));
    return seen.ofKind('Event').flatMap((event) => {
      if (!isEvent(event) || event.reason !== 'SyncFailed') return [];
      const { involvedObject: about, firstTimestamp: first, lastTimestamp: last, message = '' } = event;
      const work = about?.kind === 'Work' ? works.get(`${about.namespace}/${about.name}`) : undefined;
      const applied = conditionOf(work?.status?.conditions, 'Applied');
      if (!work || work.metadata.deletionTimestamp || applied?.status !== 'True' || !first || !last)
        return [];
      if (seen.now - instant(last) > TRIED_AGAIN || instant(last) - instant(first) < LASTING) return [];
      if (applied.lastTransitionTime && applied.lastTransitionTime > last) return [];
      const { metadata } = work;
      const object = { kind: 'Work', namespace: metadata.namespace ?? '', name: metadata.name };
      return finding(
        [object],
        `${clusterOfWork(work)} refuses the copy of Work ${workKey(work)}, which says Applied: ${withCause(message)}`,
        { rule: message, object, field: 'Event', value: 'SyncFailed' },
        refusalIn(message)?.remedy ?? 'fix what the API server of the cluster refuses',
      );
    });
  },
};

/** Milliseconds within which a changed binding is applied. */
const APPLIED_BY_NOW = 600_000;

export const bindingNotApplied: StateCheck = {
  id: 'binding-not-applied',
  severity: 'warning',
  theme: 'stuck',
  title: 'a binding is not fully applied, and no Work shows why',
  help: 'FullyApplied has been False for ten minutes: a copy is missing on one of its clusters. Check the Works of the binding, and whether the execution controller or the agent of the cluster runs.',
  needs: ['ResourceBinding'],
  uses: ['Work'],
  symptoms: ['FullyApplied=False, FullyAppliedFailed'],
  issues: [4410, 5286],
  find: (seen) => {
    const open = seen.bindings.filter((binding) => {
      const { status, metadata, spec } = binding;
      const condition = conditionOf(status?.conditions, 'FullyApplied');
      if (condition?.status !== 'False' || metadata.deletionTimestamp || spec.suspension?.dispatching)
        return false;
      const { lastTransitionTime: since } = condition;
      if (!since || seen.now - instant(since) < APPLIED_BY_NOW) return false;
      const clusters = placedOn(spec).map(({ name }) => name);
      if (clusters.some((name) => !isReady(seen.clusters().get(name)))) return false;
      return ![...seen.worksOf(binding).values()].some(
        (work) =>
          conditionOf(work.status?.conditions, 'Applied')?.status === 'False' ||
          work.spec?.suspendDispatching,
      );
    });
    const refused = open
      .flatMap(({ status }) => status?.aggregatedStatus ?? [])
      .find(({ applied }) => !applied);
    const why = (refused?.appliedMessage ?? '').replace(/\.$/, '');
    return jointFinding(
      open,
      (workloads) =>
        `${workloads}: not applied on all of its clusters for more than ten minutes${why === '' ? '' : `: ${withCause(why)}`}`,
      (first) =>
        inBinding(
          first,
          conditionOf(first.status?.conditions, 'FullyApplied')?.message ?? '',
          'status.conditions[FullyApplied]',
          'False',
        ),
      refusalIn(why)?.remedy ?? 'check its Works, and the agent or the execution controller',
    );
  },
};

export const workOrphaned: StateCheck = {
  id: 'work-orphaned',
  severity: 'warning',
  theme: 'stuck',
  title: 'a Work has no binding, or its binding does not name its cluster',
  help: 'Nothing manages the copy. The binding controller removes such Works; if one stays for minutes, that controller does not run.',
  needs: ['Work', 'ResourceBinding'],
  symptoms: ['a copy runs on a cluster that no binding names'],
  issues: [5188],
  find: (seen) => {
    const orphans = seen.bindings.flatMap((binding) => {
      if (binding.metadata.deletionTimestamp) return [];
      const wanted = new Set([
        ...placedOn(binding.spec).map(({ name }) => name),
        ...evictingFrom(binding.spec),
      ]);
      return [...seen.worksOf(binding)].flatMap(([cluster, work]) =>
        wanted.has(cluster) || work.metadata.deletionTimestamp || !seen.clusters().has(cluster) ? [] : [work],
      );
    });
    const bindings = new Set(seen.world.bindings.map((one) => bindingKey(one)));
    const isAll = seen.bindings.length === seen.world.bindings.length;
    const left = (isAll ? seen.world.works : []).filter((work) => {
      const owner = namedBinding(work);
      return (
        owner !== undefined &&
        !work.metadata.deletionTimestamp &&
        !bindings.has(`${owner.namespace ?? ''}/${owner.name}`)
      );
    });
    const works = [...new Set([...orphans, ...left])];
    if (works.length === 0) return [];
    return finding(
      works.map(({ metadata }) => ({
        kind: 'Work',
        namespace: metadata.namespace ?? '',
        name: metadata.name,
      })),
      `${count(works.length, 'Work')} without a binding that wants ${works.length === 1 ? 'it' : 'them'}: ${firstNames(works.map(workKey))}`,
      { rule: 'no binding names this cluster', field: 'spec.clusters' },
      investigateComponent('controllerManager', seen),
    );
  },
};
