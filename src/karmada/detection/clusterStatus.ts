import type { Cluster, ResourceSummary } from '../api/cluster.ts';
import type { ResourceList } from '../api/meta.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { CLUSTER_CONDITION_READY } from '../api/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { formatDuration, instant, rfc3339 } from '../../kubernetes/time.ts';
import { probedReadiness, readinessWithoutClient, type Readiness } from './readiness.ts';
import { debounceReadiness } from './readinessDebounce.ts';
import type { Evidence } from '../evidence.ts';
import { MAX_JOIN_TIME, readyCondition } from '../objects/clusterReadiness.ts';
import { oneNodeModels } from '../objects/oneNodeModels.ts';
import type { Controller, ReconcileRequest, Step, Wake, WakeContext } from '../controllers/controller.ts';
import { electionWait, POD_INFORMER, staleUntil } from './memberAccess.ts';
import type { Member } from '../controllers/kinds.ts';
import type { View } from '../controllers/view.ts';
import type { Write } from '../controllers/write.ts';
import { largest } from '../../kubernetes/longLists.ts';
import type { MemoryOf } from '../controllers/karmada.ts';

/** The memory of the process that probes a cluster. */
type ClusterStatusMemory = MemoryOf<'cluster-status'>;

/**
 * The cluster status controller, in the controller manager for Push clusters and in the agent for Pull clusters: it
 * probes a member every --cluster-status-update-frequency, publishes a Ready condition once the probes have agreed for
 * the threshold, and reports the resources of its nodes while Ready is True (pkg/controllers/status). A change of the
 * Cluster triggers a probe at once and restarts the period, unless its queue keeps timers. The start of the period is
 * known only if the cluster has changed recently. Otherwise the first probe after a change of the member is assumed in
 * the middle of the period; other processing orders vary it.
 */
export const clusterStatus: Controller<ClusterStatusMemory> = {
  wakes: {
    *Member({ key }) {
      yield { key };
    },
    *Cluster({ key, before, after }, _view, { configuration }) {
      if (!before || !after) return;
      const sameReady = readyCondition(before)?.status === readyCondition(after)?.status;
      if (!sameReady || probedWith(before, configuration) !== probedWith(after, configuration)) yield { key };
    },
  },
  resumes,
  started: () => ({ stopped: true }),
  reconcile(request) {
    const cluster = request.view.get('Cluster', request.key);
    const member = request.view.get('Member', request.key);
    if (!cluster || !member) return {};
    if (member.agent && !member.agent.running) return { memory: { stopped: true } };
    if (isChanged(request, cluster)) {
      const { ControllerPriorityQueue: forgetsTimers } = request.configuration.featureGates;
      return probe(request, cluster, member, forgetsTimers ? request.now : request.memory?.probedAt);
    }
    const due = nextProbe(request, member);
    if (due > request.now) return waitUntil(due, request);
    return probe(request, cluster, member, request.now);
  },
};

/** The Ready condition if no client can be built; the agent of a Pull cluster needs no endpoint. */
function withoutClient(cluster: Cluster, member: Member): Readiness | undefined {
  return member.agent ? undefined : readinessWithoutClient(cluster);
}

/** After this many periods the phase of the probes is unknown: each period is a little too long. */
const IN_STEP = 50;
/** Milliseconds: the mean error of a time in whole seconds. */
const HALF_A_SECOND = 500;

/**
 * Clusters whose last change is known, which sets the phase of their probes. In other processing orders all clusters,
 * since more may have changed.
 */
function* resumes(view: View, { configuration, now, unseen }: WakeContext): Iterable<Wake> {
  if (!unseen) return;
  for (const cluster of view.all('Cluster')) {
    const { name } = cluster.metadata;
    const member = view.get('Member', name);
    if (!member || (member.agent && !member.agent.running)) continue;
    const place = unseen(`probe of ${name}`);
    const period = flagsOf(configuration, member)['cluster-status-update-frequency'];
    const probedAt =
      place === undefined ? lastProbe(cluster, configuration) : Math.round(now - place * period);
    if (probedAt === undefined || probedAt > now || now - probedAt > IN_STEP * period) continue;
    const published = readyCondition(cluster)?.status;
    const seen = probedWith(cluster, configuration);
    yield {
      key: name,
      memory: { probedAt, seen, ...(published && { published }) } satisfies ClusterStatusMemory,
    };
  }
}

/**
 * When (epoch milliseconds) a cluster was last probed, by its Ready condition or its taints. Undefined if its queue
 * keeps timers: then joining the cluster changes more than these.
 */
function lastProbe(cluster: Cluster, { featureGates }: Configuration): number | undefined {
  const { creationTimestamp } = cluster.metadata;
  const joined = creationTimestamp ? instant(creationTimestamp) + MAX_JOIN_TIME : 0;
  const times = [
    readyCondition(cluster)?.lastTransitionTime,
    ...(featureGates.ControllerPriorityQueue ? (cluster.spec?.taints ?? []) : []).map(
      ({ timeAdded }) => timeAdded,
    ),
  ].flatMap((time) => (time ? [instant(time) + HALF_A_SECOND] : []));
  const last = largest(times);
  return last > joined ? last : undefined;
}

/** The part of a Cluster whose change triggers a probe at once: its spec, and in older versions its status. */
function probedWith({ metadata, status }: Cluster, { rules }: Configuration): string {
  const generation = metadata.generation ?? 0;
  if (rules.detection.probedOn === 'specChanges') return `${generation}`;
  return `${generation} ${JSON.stringify(status?.conditions)}`;
}

/**
 * Whether the Cluster has changed since the last reconcile. A Ready condition written by another client counts as a
 * probe's.
 */
function isChanged(
  { memory, configuration }: ReconcileRequest<ClusterStatusMemory>,
  cluster: Cluster,
): boolean {
  if (memory?.seen === undefined) return false;
  return (
    memory.seen !== probedWith(cluster, configuration) || memory.published !== readyCondition(cluster)?.status
  );
}

/** The instant of the next probe (epoch milliseconds), or now if it is due. */
function nextProbe(
  { memory, configuration, now }: ReconcileRequest<ClusterStatusMemory>,
  member: Member,
): number {
  const period = flagsOf(configuration, member)['cluster-status-update-frequency'];
  if (memory?.stopped)
    return member.agent ? Math.max(now, member.agent.since + electionWait(configuration)) : now;
  // The driver may reconcile late.
  if (memory?.probesAt !== undefined && memory.probesAt <= now) return now;
  if (memory?.probedAt === undefined) return now + period / 2;
  return memory.probedAt + Math.max(1, Math.ceil((now - memory.probedAt) / period)) * period;
}

function waitUntil(
  due: number,
  { memory, configuration, now, view, key }: ReconcileRequest<ClusterStatusMemory>,
): Step<ClusterStatusMemory> {
  const period = flagsOf(configuration, view.get('Member', key)!)['cluster-status-update-frequency'];
  const known =
    memory?.stopped || memory?.probedAt !== undefined ? memory : { ...memory, probedAt: due - period };
  return { memory: { ...known, probesAt: due }, requeue: { after: due - now } };
}

function probe(
  request: ReconcileRequest<ClusterStatusMemory>,
  cluster: Cluster,
  member: Member,
  probedAt: number | undefined,
): Step<ClusterStatusMemory> {
  const { key, now, memory, configuration, evidence } = request;
  const flags = flagsOf(configuration, member);
  const published = readyCondition(cluster);
  const clientless = withoutClient(cluster, member);
  const observed = clientless ?? probedReadiness[member.up ? 'healthy' : 'unreachable'];
  // A process that ran when the state was captured remembers the published condition as observed.
  const remembered =
    memory?.probe ?? (memory?.stopped || !published ? undefined : { observed: published.status });
  const atOnce = clientless && configuration.rules.detection.clientFailure === 'atOnce';
  const result = debounceReadiness(remembered, published, observed, now, {
    failure: atOnce ? 0 : flags['cluster-failure-threshold'],
    success: flags['cluster-success-threshold'],
  });
  const ready = result.readiness.status === 'True';
  const counted = ready ? countedBy(request, member) : undefined;
  const unheard = ready && counted === undefined && member.allocated !== undefined;
  const pending = result.readiness.status !== observed.status || unheard;
  const period = flags['cluster-status-update-frequency'];
  const next = (probedAt ?? now) + period - now;
  const wait = next > 0 ? next : period;
  const memoryAfter = {
    ...(probedAt !== undefined && { probedAt }),
    ...(pending && { probesAt: now + wait }),
    probe: result.memory,
    seen: probedWith(cluster, configuration),
    published: result.readiness.status,
  };
  const requeue = pending ? { requeue: { after: wait } } : {};
  const status = statusAfter(cluster, result.readiness, counted, now);
  const informed = ready && member.up ? informersStarted(member) : [];
  if (status === cluster.status) return { memory: memoryAfter, ...requeue, writes: informed };
  if (published?.status !== result.readiness.status)
    evidence?.push(probeEvidence(request, member, published !== undefined));
  return {
    memory: memoryAfter,
    ...requeue,
    writes: [
      ...informed,
      {
        verb: 'update',
        kind: 'Cluster',
        key,
        part: 'status',
        lock: false,
        base: cluster,
        object: { ...cluster, status },
      },
    ],
  };
}

/** Informers of a member start with the first probe that succeeds (initializeGenericInformerManagerForCluster). */
function informersStarted(base: Member): Write[] {
  const { uninformed, ...object } = base;
  if (!uninformed) return [];
  return [{ verb: 'update', kind: 'Member', key: base.name, part: 'object', lock: false, base, object }];
}

/** The status to write; the current one if nothing is new. While the member is offline only the condition changes. */
function statusAfter(
  cluster: Cluster,
  readiness: Readiness,
  allocated: ResourceList | undefined,
  now: number,
): Cluster['status'] {
  const { status } = cluster;
  const published = readyCondition(cluster);
  const sameReadiness =
    published?.status === readiness.status &&
    (published.reason ?? '') === readiness.reason &&
    (published.message ?? '') === readiness.message;
  const sameCapacity =
    allocated === undefined || deepEqual(allocated, status?.resourceSummary?.allocated ?? {});
  if (sameReadiness && sameCapacity) return status;
  const others = (status?.conditions ?? []).filter(({ type }) => type !== CLUSTER_CONDITION_READY);
  const lastTransitionTime =
    published?.status === readiness.status && published.lastTransitionTime
      ? published.lastTransitionTime
      : rfc3339(now);
  return {
    ...status,
    ...(!sameReadiness && {
      conditions: [...others, { type: CLUSTER_CONDITION_READY, ...readiness, lastTransitionTime }],
    }),
    ...(sameCapacity ? {} : { resourceSummary: capacityWith(cluster, allocated) }),
  };
}

function capacityWith(cluster: Cluster, allocated: ResourceList): ResourceSummary {
  const models = oneNodeModels(cluster, allocated);
  return {
    ...cluster.status?.resourceSummary,
    allocated,
    ...(models && { allocatableModelings: models }),
  };
}

/** The allocated resources of a member, by the informers; undefined while it is unreachable. */
function countedBy(
  { view, now }: ReconcileRequest<ClusterStatusMemory>,
  member: Member,
): ResourceList | undefined {
  const hears = member.up && staleUntil(view, member.name, POD_INFORMER, now) === undefined;
  return hears ? member.allocated : undefined;
}

function flagsOf({ agent, controllerManager }: Configuration, member: Member) {
  return member.agent ? agent : controllerManager;
}

/** The tolerance of the instant, and its reason. */
function probeEvidence(
  { key, memory, configuration }: ReconcileRequest<ClusterStatusMemory>,
  member: Member,
  crosses: boolean,
): Evidence {
  const flags = flagsOf(configuration, member);
  const period = flags['cluster-status-update-frequency'];
  const object = { kind: 'Cluster', name: key };
  if (memory?.stopped)
    return {
      rule: 'a restarted agent publishes its first probe at once, without a threshold',
      object,
      field: configuration.agent['leader-elect']
        ? `leader-elect-lease-duration=${formatDuration(electionWait(configuration))}`
        : 'leader-elect=false',
      certainty: 'estimate',
      missing: 'how long the agent takes to start and become the leader',
    };
  const flag = member.up ? 'cluster-success-threshold' : 'cluster-failure-threshold';
  const threshold = formatDuration(flags[flag]);
  const probes = formatDuration(period);
  const changes = crosses ? `after its probes have agreed for ${threshold}` : 'with the next probe';
  return {
    rule: `the cluster is probed every ${probes}, and Ready changes ${changes}: the exact time is unknown`,
    object,
    field: [`cluster-status-update-frequency=${probes}`, ...(crosses ? [`${flag}=${threshold}`] : [])].join(
      ' ',
    ),
    certainty: 'estimate',
    missing: member.up
      ? 'when within its period the cluster is probed'
      : 'when within its period the cluster is probed; connections are assumed to be refused at once, lost packets cost each probe a timeout of 32s',
  };
}
