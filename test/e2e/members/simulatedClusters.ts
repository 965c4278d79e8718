import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { Api } from '../controlPlane/api.ts';
import { eventually } from '../controlPlane/processes.ts';
import { adjust, readyAfter, statusOf, wantedReplicas, type Workload } from './replicas.ts';

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
const WORKS = '/apis/work.karmada.io/v1alpha1';
const SPACE = 'karmada-es-';
/** The time format of Works and Clusters. */
const SECOND = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

interface Work extends KubernetesObject {
  metadata: KubernetesObject['metadata'] & { deletionTimestamp?: string; finalizers?: string[] };
  spec: { workload: { manifests: Workload[] } };
  status?: {
    conditions?: { message?: string }[];
    manifestStatuses?: { health?: string; status?: Record<string, unknown> }[];
  };
}

export interface SimulatedCluster {
  name: string;
  /** how many Pods fit on it */
  pods?: number;
}

/** An agent's first report that a workload is healthy in its cluster, or that it is not. */
export interface HealthReport {
  /** epoch milliseconds just before the report */
  time: number;
  cluster: string;
  /** "namespace/name" */
  workload: string;
  healthy: boolean;
}

/**
 * Clusters without an API server, whose agents are played: they join as Pull members, report what Karmada needs, apply Works and report
 * their replicas as ready after a while. A failed one does nothing, and the test sets its Ready condition.
 */
export interface SimulatedClusters {
  /** Creates Clusters, and waits until Karmada has made them ready for Works. */
  join(clusters: SimulatedCluster[]): Promise<void>;
  /** The clusters stop answering, and Karmada learns that. */
  fail(...names: string[]): Promise<void>;
  /** They answer again. */
  recover(...names: string[]): Promise<void>;
  /** all health reports of the agents, in order */
  readonly reports: readonly HealthReport[];
  stop(): Promise<void>;
}

/**
 * @param seconds until new replicas are ready, unless the workload's annotation says otherwise (members/replicas.ts)
 * @param tellAgain seconds after which agents report all Works once more. Karmada copies the status of a Work when it changes, not when it
 * sees the Work for the first time, as after a restart of the API server (workPredicateFn of v1.18.2)
 */
export function playSimulatedClusters(api: Api, seconds: number, reportAgain?: number): SimulatedClusters {
  const abort = new AbortController();
  const joined = new Set<string>();
  const failed = new Set<string>();
  const works = new Map<string, Work>();
  const underWay = new Map<string, Promise<void>>();
  const reports: HealthReport[] = [];

  const following = api.follow(
    `${WORKS}/works`,
    ({ type, object }) => {
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      if (type === 'DELETED') works.delete(key);
      else works.set(key, object as unknown as Work);
      play(key);
    },
    abort.signal,
  );

  /** Processes a Work once more, after its current processing. */
  function play(key: string): void {
    const before = underWay.get(key) ?? Promise.resolve();
    const turn = before.then(() => apply(key)).catch(() => void sleep(500).then(() => play(key)));
    underWay.set(key, turn);
  }

  let times = 0;
  const messageNow = () =>
    `Manifest has been successfully applied${times > 0 ? `, reported ${times} times more` : ''}`;
  const again =
    reportAgain === undefined
      ? undefined
      : setInterval(() => {
          times++;
          for (const key of works.keys()) play(key);
        }, reportAgain * 1000);

  async function apply(key: string): Promise<void> {
    const work = works.get(key);
    const cluster = work?.metadata.namespace?.slice(SPACE.length) ?? '';
    if (abort.signal.aborted || !work || !joined.has(cluster) || failed.has(cluster)) return;
    const { namespace, name, deletionTimestamp, finalizers = [] } = work.metadata;
    const path = `${WORKS}/namespaces/${namespace}/works/${name}`;
    if (deletionTimestamp) {
      started.delete(key);
      if (finalizers.length > 0) await api.merge(path, { metadata: { finalizers: null } });
      return;
    }
    const workload = work.spec.workload.manifests[0]!;
    const now = Date.now();
    const created = startedAt(key, workload, now);
    const wait = readyAfter(workload, cluster, seconds);
    const replicas = adjust(undefined, workload, wait, created);
    const ready = now >= created + wait * 1000;
    const status = {
      ...statusOf(workload, replicas, now),
      observedGeneration: 1,
      generation: 1,
      resourceTemplateGeneration: Number(
        workload.metadata.annotations?.['resourcetemplate.karmada.io/generation'] ?? 1,
      ),
    };
    const health = ready ? 'Healthy' : 'Unhealthy';
    const reported = work.status?.manifestStatuses?.[0];
    if (!ready && wait < Infinity) setTimeout(() => play(key), created + wait * 1000 - now + 1);
    const known = reported?.health === health && reported.status?.replicas === wantedReplicas(workload);
    if (known && work.status?.conditions?.[0]?.message === messageNow()) return;
    const { namespace: of = '', name: called } = workload.metadata;
    reports.push({ time: Date.now(), cluster, workload: `${of}/${called}`, healthy: ready });
    const [group, version] = workload.apiVersion.includes('/')
      ? workload.apiVersion.split('/')
      : ['', workload.apiVersion];
    await api.merge(`${path}/status`, {
      status: {
        conditions: [
          {
            type: 'Applied',
            status: 'True',
            reason: 'AppliedSuccessful',
            message: messageNow(),
            lastTransitionTime: SECOND(),
          },
        ],
        manifestStatuses: [
          {
            identifier: {
              ordinal: 0,
              group,
              version,
              kind: workload.kind,
              resource: `${workload.kind.toLowerCase()}s`,
              namespace: workload.metadata.namespace,
              name: workload.metadata.name,
            },
            status,
            health,
          },
        ],
      },
    });
  }

  /** When the replicas of a Work were started: when it was first applied, and again if their number changes. */
  const started = new Map<string, { replicas: number; at: number }>();
  function startedAt(key: string, workload: Workload, now: number): number {
    const replicas = wantedReplicas(workload);
    const known = started.get(key);
    if (known?.replicas === replicas) return known.at;
    started.set(key, { replicas, at: now });
    return now;
  }

  /** Retries: the API server may be restarting. */
  async function notify(name: string, ready: boolean): Promise<void> {
    await eventually(`Ready=${ready} of ${name}`, async () => {
      const reported = await api.get<{ status: { conditions: { type: string }[] } }>(`${CLUSTERS}/${name}`);
      const others = reported.status.conditions.filter(({ type }) => type !== 'Ready');
      const conditions = [...others, condition('Ready', ready)];
      return api.merge(`${CLUSTERS}/${name}/status`, { status: { conditions } });
    });
  }

  return {
    reports,
    async join(clusters) {
      for (const { name, pods = 110 } of clusters) {
        await api.create(CLUSTERS, { metadata: { name }, spec: { syncMode: 'Pull' } });
        const allocatable = { cpu: '100', memory: '400Gi', pods: String(pods) };
        await api.merge(`${CLUSTERS}/${name}/status`, {
          status: {
            kubernetesVersion: 'v1.35.4',
            apiEnablements: [
              { groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] },
            ],
            resourceSummary: { allocatable },
            conditions: [condition('Ready', true), condition('CompleteAPIEnablements', true)],
          },
        });
        joined.add(name);
      }
      await eventually('namespaces for Works', async () => {
        const { items } = await api.list('/api/v1/namespaces');
        const there = new Set(items.map(({ metadata }) => metadata.name));
        return clusters.every(({ name }) => there.has(`${SPACE}${name}`));
      });
    },
    async fail(...names) {
      for (const name of names) failed.add(name);
      for (const name of names) await notify(name, false);
    },
    async recover(...names) {
      for (const name of names) await notify(name, true);
      for (const name of names) failed.delete(name);
      for (const key of works.keys()) play(key);
    },
    async stop() {
      clearInterval(again);
      abort.abort();
      await following;
    },
  };
}

function condition(type: string, holds: boolean) {
  return {
    type,
    status: holds ? 'True' : 'False',
    reason: type === 'Ready' ? (holds ? 'ClusterReady' : 'ClusterNotReachable') : type,
    message: type === 'Ready' && !holds ? 'cluster is not reachable' : '',
    lastTransitionTime: SECOND(),
  };
}
