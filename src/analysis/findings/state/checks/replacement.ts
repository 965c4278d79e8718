import { DEFAULT_SCHEDULER_NAME } from '../../../../karmada/api/names.ts';
import { hasBug } from '../../../../karmada/dialects/knownBugs.ts';
import { purgesDirectly } from '../../../../karmada/eviction/evictionTasks.ts';
import { isAttached } from '../../../../karmada/objects/dependents.ts';
import { bindingIdentity } from '../../../../karmada/objects/identities.ts';
import { isWorkload, placedOn } from '../../../../karmada/objects/placement.ts';
import { handledByScheduler } from '../../../../karmada/scheduling/wakeUp.ts';
import { taintEvictionPurgeMode } from '../../../../karmada/taints/evictionPurgeMode.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { nameList } from '../../../explanation/nameList.ts';
import { finding, inBinding, firstObjectNames, jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import { patchPolicies, startWith } from '../remedies.ts';
import type { Remedy, StateCheck } from '../stateCheck.ts';

export const schedulingSuspended: StateCheck = {
  id: 'scheduling-suspended',
  severity: 'warning',
  theme: 'chain',
  title: 'the scheduling of a binding is suspended',
  help: 'spec.suspension.scheduling is true: an evicted workload is not placed until scheduling is resumed.',
  needs: ['ResourceBinding'],
  symptoms: ['condition Scheduled: SchedulingSuspended'],
  find: (seen) => {
    // Releases with this bug schedule it anyway.
    const has = seen.configuration.rules.scheduling.suspension !== 'unknown';
    if (!has || hasBug('bug-suspended-is-scheduled', seen.release)) return [];
    const found = seen.bindings.filter(({ spec }) => spec.suspension?.scheduling);
    return jointFinding(
      found,
      (workloads) => `scheduling of ${workloads} is suspended: after an eviction it is not placed`,
      {
        rule: 'no scheduler reconciles it',
        field: 'spec.suspension.scheduling',
        value: true,
      },
      {
        text: 'resume it: spec.suspension.scheduling of the binding',
        patches: found.map((one) => ({
          target: { apiVersion: 'work.karmada.io/v1alpha2', ...bindingIdentity(one) },
          merge: { spec: { suspension: { scheduling: false } } },
        })),
      },
    );
  },
};

export const dispatchingSuspended: StateCheck = {
  id: 'dispatching-suspended',
  lints: 'manifests',
  severity: 'warning',
  theme: 'chain',
  title: 'the dispatching of a binding is suspended',
  help: 'Works are written but not applied while spec.suspension.dispatching is true: the workload starts on no other cluster. The scheduler ignores this: it places replicas on a suspended cluster, and removes them, which deletes the copy.',
  needs: ['ResourceBinding'],
  symptoms: ['condition Dispatching of a Work: SuspendDispatching'],
  issues: [6536, 6730, 6763],
  find: (seen) => {
    const found = seen.bindings.filter(({ spec }) => spec.suspension?.dispatching);
    const suspended = new Set(found);
    const clusters = (one: ResourceBinding) => one.spec.suspension?.dispatchingOnClusters?.clusterNames ?? [];
    const some = seen.bindings.filter((one) => !suspended.has(one) && clusters(one).length > 0);
    const unplaced = some.some((one) => {
      const placed = placedOn(one.spec).map(({ name }) => name);
      return isWorkload(one.spec) && clusters(one).some((name) => !placed.includes(name));
    });
    const isAny = seen.world.works.some(({ spec }) => spec?.suspendDispatching);
    const byHand = seen.bindings.flatMap((binding) =>
      !isAny || suspended.has(binding)
        ? []
        : [...seen.worksOf(binding)].flatMap(([cluster, work]) =>
            work.spec?.suspendDispatching && !clusters(binding).includes(cluster)
              ? [{ kind: 'Work', namespace: work.metadata.namespace ?? '', name: work.metadata.name }]
              : [],
          ),
    );
    return [
      ...jointFinding(
        found,
        (workloads) => `dispatching of ${workloads} is suspended: its Works are written but not applied`,
        { rule: 'a suspended Work stays undone', field: 'spec.suspension.dispatching', value: true },
        {
          text: 'resume it in the policy: spec.suspension.dispatching',
          patches: patchPolicies(found, () => ({ suspension: { dispatching: false } })),
        },
      ),
      ...jointFinding(
        some,
        (workloads) =>
          `dispatching of ${workloads} to ${nameList([...new Set(some.flatMap(clusters))], 3)} is suspended: nothing starts there${unplaced ? ', and a copy from which the scheduler takes all replicas is deleted all the same' : ''}`,
        { rule: 'a suspended Work stays undone', field: 'spec.suspension.dispatchingOnClusters' },
        {
          text: 'resume it in the policy: spec.suspension.dispatchingOnClusters',
          patches: patchPolicies(some, () => ({ suspension: { dispatchingOnClusters: null } })),
        },
      ),
      ...(byHand.length > 0
        ? [
            finding(
              byHand,
              `${firstObjectNames(byHand)}: dispatching is suspended in the Work itself, not in the binding: it is not applied`,
              { rule: 'a suspended Work stays undone', field: 'spec.suspendDispatching', value: true },
              {
                text: 'resume it in the Work',
                patches: byHand.map((target) => ({
                  target: { apiVersion: 'work.karmada.io/v1alpha1', ...target },
                  merge: { spec: { suspendDispatching: false } },
                })),
              },
            ),
          ]
        : []),
    ];
  },
};

export const foreignScheduler: StateCheck = {
  id: 'foreign-scheduler',
  lints: 'manifests',
  severity: 'note',
  theme: 'chain',
  title: 'a scheduler other than karmada-scheduler places a workload',
  help: 'spec.schedulerName names a scheduler whose rules are unknown here: its decisions are unknown, too.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['scheduler-name'],
  symptoms: ['a binding is evicted, and karmada-scheduler logs nothing about it'],
  find: (seen) => {
    const ours = seen.configuration.scheduler['scheduler-name'];
    const of = ({ spec }: ResourceBinding) => spec.schedulerName || DEFAULT_SCHEDULER_NAME;
    const others = seen.bindings.filter((one) => of(one) !== ours);
    const names = nameList([...new Set(others.map(of))], 3);
    // Policies without a scheduler name get the default one, which may be any scheduler.
    const isDefault = others.some((one) => of(one) === DEFAULT_SCHEDULER_NAME);
    const unknownSchedulers = [...new Set(others.map(of))].filter((name) => !runsAs(name, seen));
    // Without the Deployments it is unknown which schedulers exist.
    const hasUnknownScheduler =
      unknownSchedulers.length > 0 && seen.commandLines.some(({ component }) => component === 'scheduler');
    return jointFinding(
      others,
      (workloads) =>
        isDefault
          ? `${workloads}: karmada-scheduler runs as ${ours}, and leaves them to a scheduler ${names}`
          : hasUnknownScheduler
            ? `${workloads}: schedulerName is ${nameList(unknownSchedulers, 3)}, and nothing in the state runs under that name; karmada-scheduler (${ours}) ignores them`
            : `${workloads}: the scheduler ${names} places them, not ${ours}, with its own rules`,
      (first) =>
        inBinding(first, `karmada-scheduler reconciles only ${ours}`, 'spec.schedulerName', of(first)),
      hasUnknownScheduler
        ? `run that scheduler, or recreate the policy with schedulerName ${ours} (Karmada refuses to change it)`
        : 'check that this scheduler runs',
      isDefault || hasUnknownScheduler ? 'warning' : undefined,
    );
  },
};

/** Whether the state shows a program with a scheduler's name, as its own or in its arguments. */
function runsAs(scheduler: string, seen: Examined): boolean {
  return ['Deployment', 'StatefulSet'].some((kind) =>
    seen
      .ofKind(kind)
      .some((object) => object.metadata.name === scheduler || JSON.stringify(object).includes(scheduler)),
  );
}

export const unclaimedBinding: StateCheck = {
  id: 'unclaimed-binding',
  severity: 'warning',
  theme: 'chain',
  title: 'no policy claims a binding: the scheduler ignores its changes',
  help: 'karmada-scheduler watches only bindings with the permanent id of a policy, or managed-by. After an eviction it does not reschedule others. Let a policy claim the workload.',
  needs: ['ResourceBinding', 'Configuration'],
  symptoms: ['spec.clusters lost a cluster, and Scheduled does not change'],
  find: (seen) => {
    const ours = seen.configuration.scheduler['scheduler-name'];
    return jointFinding(
      seen.bindings.filter(
        (one) =>
          !isAttached(one.spec) &&
          !one.spec.suspension?.scheduling &&
          (one.spec.schedulerName || DEFAULT_SCHEDULER_NAME) === ours &&
          !handledByScheduler(one, seen.configuration),
      ),
      (workloads) => `${workloads}: no policy claims its binding, and karmada-scheduler ignores its changes`,
      {
        rule: 'karmada-scheduler watches bindings with the permanent id of a policy',
        field: 'metadata.labels',
      },
      { text: 'let a policy claim it' },
    );
  },
};

export const purgeDirectlyWaits: StateCheck = {
  id: 'purge-directly-waits',
  severity: 'warning',
  theme: 'chain',
  title: 'no new copy starts while the failed cluster has the old Work',
  help: 'With purge mode Directly the new copy waits for the old Work to be deleted, which a cluster that is down cannot do: the workload is down until the task times out. Gracefully starts the new copy at once.',
  needs: ['ResourceBinding', 'Configuration'],
  flags: ['no-execute-taint-eviction-purge-mode'],
  versions: 'from v1.15.0 on',
  symptoms: ['after an eviction no Work is written for the new cluster for 10 minutes'],
  issues: [5788],
  find: (seen) => {
    const { rules } = seen.configuration;
    if (rules.eviction.directPurge !== 'waitsForOldWork') return [];
    const found = seen.bindings.filter((binding) => {
      if ((binding.spec.replicas ?? 0) === 0 || isAttached(binding.spec)) return false;
      const mode = taintEvictionPurgeMode(binding, seen.configuration);
      return mode !== 'withoutTask' && purgesDirectly(mode, rules);
    });
    const isOwn = ({ spec }: ResourceBinding) => spec.failover?.cluster?.purgeMode !== undefined;
    const waiting = (bindings: readonly ResourceBinding[], remedy: () => Omit<Remedy, 'text'>) =>
      jointFinding(
        bindings,
        (workloads) =>
          `${workloads}: purge mode Directly starts no new copy while the failed cluster has the old Work`,
        { rule: 'purge mode Directly waits for the old Work', field: 'no-execute-taint-eviction-purge-mode' },
        () => ({ ...remedy(), text: 'use purge mode Gracefully, unless two copies must never run at once' }),
      );
    const own = found.filter(isOwn);
    return [
      ...waiting(
        found.filter((one) => !isOwn(one)),
        () => startWith('controllerManager', '--no-execute-taint-eviction-purge-mode=Gracefully', seen),
      ),
      ...waiting(own, () => ({
        patches: patchPolicies(own, () => ({ failover: { cluster: { purgeMode: 'Gracefully' } } })),
      })),
    ];
  },
};
