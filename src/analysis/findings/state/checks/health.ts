import type { ObjectIdentity } from '../../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../../karmada/api/work.ts';
import { isReady } from '../../../../karmada/objects/clusterReadiness.ts';
import { bindingKey, identityOf, objectKey, objectText } from '../../../../karmada/objects/identities.ts';
import { isObject, numberIn } from '../../../../kubernetes/json.ts';
import { instant } from '../../../../kubernetes/time.ts';
import {
  isRetainedByLabel,
  RETAIN_REPLICAS_LABEL,
  retainsReplicas,
} from '../../../../karmada/status/healthInterpreter.ts';
import { isDividedByCapacity } from '../../../../karmada/scheduling/strategy.ts';
import { runsDescheduler } from '../../../../simulator/verdicts/autoscalers.ts';
import type { WorkloadSummary } from '../../../explanation/workloadNow.ts';
import type { Severity } from '../../finding.ts';
import { count, finding, inBinding, firstNames, firstObjectNames, jointFinding } from '../about.ts';
import type { Examined } from '../examined.ts';
import { type PlacedCopy, placedCopies } from '../placedCopies.ts';
import type { Diagnosed, StateCheck } from '../stateCheck.ts';
import { investigateComponent } from '../remedies.ts';
import { overridesFor } from '../overridePolicies.ts';
import { interpretersFor } from './applicationFailover.ts';
import { isCustomized, REPLICATED } from './undone.ts';

export const workloadDown: StateCheck = {
  id: 'workload-down',
  severity: 'error',
  theme: 'stuck',
  title: 'a workload has no ready replica',
  help: 'The workload has no ready replica on any cluster. failover explain shows what happens to it.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['readyReplicas 0 in aggregatedStatus'],
  find: (seen) => {
    const bindings = new Map(seen.bindings.map((one) => [bindingKey(one), one]));
    const down = seen.doubtful().filter((one) => one.down);
    const [silent, known] = [true, false].map((is) =>
      down.filter(({ key }) => isSilent(bindings.get(key), seen) === is),
    );
    return [
      ...withoutReady(
        known!,
        (amount) => count(amount, 'workload has', 'workloads have') + ' no ready replica',
      ),
      ...withoutReady(
        silent!,
        (amount) => `no cluster reports how many replicas of ${count(amount, 'workload')} are ready`,
        'warning',
      ),
    ];
  },
};

/** Whether all clusters of a workload report, and none reports its health. */
function isSilent(binding: ResourceBinding | undefined, seen: Examined): boolean {
  const copies = binding?.status?.aggregatedStatus ?? [];
  return (
    copies.length > 0 &&
    copies.every(
      ({ clusterName, health, applied, status }) =>
        isReady(seen.clusters().get(clusterName)) && applied && health === 'Unknown' && status == null,
    )
  );
}

function withoutReady(
  workloads: readonly WorkloadSummary[],
  what: (amount: number) => string,
  severity?: Severity,
): Diagnosed[] {
  const objects = workloads.map(({ workload }) => workload);
  const [first] = objects;
  if (!first) return [];
  return [
    finding(
      objects,
      `${what(objects.length)}: ${firstObjectNames(objects)}`,
      workloads.slice(0, 5).map(({ binding, state }) => ({
        rule: `its state is ${state}`,
        object: binding,
        field: 'status.aggregatedStatus',
        value: 0,
      })),
      { text: 'see why', next: { action: 'explain', workload: first, failing: [] } },
      severity,
    ),
  ];
}

/** Milliseconds within which a member creates the Pods of a new copy. */
const CREATED_BY_NOW = 600_000;

export const podsNotCreated: StateCheck = {
  id: 'pods-not-created',
  severity: 'error',
  theme: 'stuck',
  title: 'a cluster creates no Pod of a copy',
  help: 'The copy is applied, and its Deployment reports unavailable replicas without any Pod: a ResourceQuota or an admission webhook of the cluster refuses the Pods. The reason is in the Events of its ReplicaSet there. Karmada neither sees it nor moves such replicas.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['exceeded quota', 'ReplicaFailure: FailedCreate', 'unavailableReplicas without replicas'],
  issues: [5011],
  find: (seen) => {
    const without = placedCopies(seen, CREATED_BY_NOW, ({ cluster, replicas, reported, since }) => {
      const { applied, status: copy } = reported ?? {};
      if (!applied || since === undefined || replicas === 0) return false;
      const hasNone = !numberIn(copy, 'replicas') && (numberIn(copy, 'unavailableReplicas') ?? 0) > 0;
      return hasNone && isReady(seen.clusters().get(cluster));
    });
    return [...without].flatMap(([cluster, bindings]) =>
      jointFinding(
        bindings,
        (workloads) =>
          `${workloads}: ${cluster} creates no Pod: a ResourceQuota or an admission webhook there may refuse them`,
        (first) =>
          inBinding(
            first,
            'replicas are unavailable, and there is no Pod',
            'status.aggregatedStatus',
            cluster,
          ),
        ({ namespace = '', name }) => ({
          text: 'look at the Events of its ReplicaSet in the cluster',
          commands: [
            [
              'karmadactl',
              'get',
              'events',
              '-n',
              namespace,
              '--operation-scope=members',
              `--clusters=${cluster}`,
            ],
            [
              ...['karmadactl', 'describe', 'deployment', name, '-n', namespace],
              ...['--operation-scope=members', '-C', cluster],
            ],
          ],
        }),
      ),
    );
  },
};

/** Milliseconds within which a scaled copy has its new replicas. */
const SCALED_BY_NOW = 1_800_000;

export const copyScaledElsewhere: StateCheck = {
  id: 'copy-scaled-elsewhere',
  severity: 'warning',
  theme: 'stuck',
  title: 'a cluster runs more or fewer replicas than are placed there',
  help: 'All replicas of the copy are ready, but their number differs from the placed one. If its Work has the old number, too, karmada-controller-manager has not written it. Otherwise the copy was changed in the cluster, or an autoscaler there scales it. Karmada sets it back at its next write, for example in a failover. If the cluster should decide, label the template of a Deployment resourcetemplate.karmada.io/retain-replicas: "true".',
  needs: ['ResourceBinding', 'Work', 'Cluster'],
  symptoms: ['replicas in aggregatedStatus differ from spec.clusters'],
  issues: [2863, 5905],
  find: (seen) => {
    const scaled = (counts: (asked: number, replicas: number, placed: PlacedCopy) => boolean) =>
      placedCopies(seen, SCALED_BY_NOW, (one) => {
        const { binding, cluster, replicas: placed, reported, since } = one;
        if (since === undefined || !placed) return false;
        const copy = reported?.status;
        const replicas = numberIn(copy, 'replicas');
        const done = ['readyReplicas', 'updatedReplicas'].map((field) => numberIn(copy, field));
        if (!replicas || replicas === placed || done.some((amount) => amount !== replicas)) return false;
        const written = seen.worksOf(binding).get(cluster)?.spec?.workload?.manifests?.[0];
        const asked = numberIn(written?.spec, 'replicas');
        if (
          asked === undefined ||
          retainsReplicas(written, seen.hooks()) ||
          !isReady(seen.clusters().get(cluster))
        )
          return false;
        return (
          counts(asked, replicas, one) &&
          `${cluster} runs ${replicas} replicas, where ${placed} ${placed === 1 ? 'is' : 'are'} placed`
        );
      });
    const outdated = scaled(
      (asked, replicas, { binding }) => asked === replicas && overridesFor(binding, seen).length === 0,
    );
    const changed = scaled((asked, _, { replicas: placed }) => asked === placed);
    return [
      ...[...outdated].flatMap(([text, bindings]) =>
        jointFinding(
          bindings,
          (workloads) => `${workloads}: ${text}: its Work there has the old number`,
          (first) => inBinding(first, 'the Work should have the placed number', 'spec.clusters', text),
          investigateComponent('controllerManager', seen),
        ),
      ),
      ...[...changed].flatMap(([text, bindings]) =>
        jointFinding(
          bindings,
          (workloads) => `${workloads}: ${text}: the copy was changed there, or something there scales it`,
          (first) => inBinding(first, 'the Work has the placed number', 'status.aggregatedStatus', text),
          // For other kinds the label has no effect.
          `change the template by an annotation, and Karmada writes the copy again${bindings.every(({ spec }) => isRetainedByLabel(spec.resource)) ? `; or let the cluster decide by the label ${RETAIN_REPLICAS_LABEL}` : ''}`,
        ),
      ),
    ];
  },
};

export const statusNotAggregated: StateCheck = {
  id: 'status-not-aggregated',
  severity: 'warning',
  theme: 'stuck',
  title: 'a workload shows no status, although its clusters report one',
  help: 'karmada-controller-manager (bindingStatus) adds up the status of the copies and writes it into the template. The binding has it, and the template has no ready replica: see Events AggregateStatusFailed of the workload. Failover reads the binding, not the template.',
  needs: ['ResourceBinding', 'Template'],
  symptoms: ['READY 0/2 in kubectl get deployment, and the Pods run', 'AggregateStatusFailed'],
  issues: [7096],
  find: (seen) => {
    const kinds = REPLICATED.filter((kind) => !isCustomized(kind, 'statusAggregation', seen));
    const behind = kinds.flatMap(seen.ofKind).flatMap((template) => {
      const binding = seen.byWorkload().get(objectKey(identityOf(template)));
      const { status, metadata } = binding ?? {};
      const since = status?.lastScheduledTime;
      if (!binding || metadata?.deletionTimestamp || !since) return [];
      const ready = (status.aggregatedStatus ?? []).reduce(
        (sum, one) => sum + (numberIn(one.status, 'readyReplicas') ?? 0),
        0,
      );
      const isBehind = isObject(template.status) && ready > 0 && !numberIn(template.status, 'readyReplicas');
      return isBehind && seen.now - instant(since) >= CREATED_BY_NOW ? [binding] : [];
    });
    return jointFinding(
      behind,
      (workloads) =>
        `${workloads}: the clusters report ready replicas, and the status of the template has none: karmada-controller-manager does not write it`,
      (first) => inBinding(first, 'the template should show their sum', 'status.aggregatedStatus', null),
      'see the Events of the workload and --controllers (bindingStatus) of karmada-controller-manager',
    );
  },
};

export const workloadUnhealthy: StateCheck = {
  id: 'copy-unhealthy',
  severity: 'warning',
  theme: 'stuck',
  title: 'a copy of a workload is Unhealthy',
  help: 'A cluster reports a copy Unhealthy. Without application failover it stays there.',
  needs: ['ResourceBinding', 'Cluster'],
  symptoms: ['health: Unhealthy in aggregatedStatus'],
  find: (seen) => {
    const unhealthy = seen.doubtful().filter(({ state, down }) => state === 'unhealthy' && !down);
    const decidedBy = unhealthy.map(({ workload }) => healthDecidedBy(workload, seen));
    const [interpreter] = decidedBy.flat();
    return [
      ...reportedUnhealthy(
        unhealthy.filter((_, at) => decidedBy[at]!.length > 0),
        () => ` although all replicas there are ready: ${interpreter} decides its health`,
        'correct the health that the interpreter reports',
      ),
      ...reportedUnhealthy(
        unhealthy.filter((_, at) => decidedBy[at]!.length === 0),
        (objects) => leftAlone(objects, seen),
        'check its Pods there; replicas that stay pending are moved only by karmada-descheduler, and only if they are divided by capacity',
      ),
    ];
  },
};

function reportedUnhealthy(
  workloads: readonly WorkloadSummary[],
  why: (objects: readonly ObjectIdentity[]) => string,
  fix: string,
): Diagnosed[] {
  const objects = workloads.map(({ workload }) => workload);
  const clusters = [...new Set(workloads.flatMap(({ where }) => where))];
  return objects.length === 0
    ? []
    : [
        finding(
          objects,
          `${firstObjectNames(objects)}: Unhealthy on ${firstNames(clusters)}${why(objects)}`,
          { rule: 'the cluster reports it', field: 'status.aggregatedStatus[].health', value: 'Unhealthy' },
          fix,
        ),
      ];
}

/** The interpreters that report a workload Unhealthy where all of its replicas are ready. */
function healthDecidedBy(workload: ObjectIdentity, seen: Examined): string[] {
  const binding = seen.byWorkload().get(objectKey(workload));
  if (!binding || !seen.hooks().enabled(binding.spec.resource, 'InterpretHealth')) return [];
  const isReadyThere = binding.status?.aggregatedStatus?.some(
    ({ health, status }) =>
      health === 'Unhealthy' &&
      isObject(status) &&
      (numberIn(status, 'readyReplicas') ?? 0) >= (numberIn(status, 'replicas') ?? Infinity),
  );
  return isReadyThere ? interpretersFor(binding, seen).map((one) => objectText(identityOf(one))) : [];
}

/** ": karmada-descheduler …", if it runs, and does not move pending replicas of these workloads. */
function leftAlone(workloads: readonly ObjectIdentity[], seen: Examined): string {
  if (!runsDescheduler(seen.world.others)) return '';
  const isMoved = (one: ObjectIdentity) =>
    one.kind === 'Deployment' && isDividedByCapacity(seen.byWorkload().get(objectKey(one))?.spec.placement);
  return workloads.some(isMoved)
    ? ''
    : ': karmada-descheduler moves only Deployments whose replicas are divided by capacity, and none of these is one';
}
