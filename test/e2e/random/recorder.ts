import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setMaxListeners } from 'node:events';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import { writeState, withoutManagedFields } from '../capture.ts';
import type { Api } from '../controlPlane/api.ts';
import type { Bed } from '../controlPlane/bed.ts';
import { playedKinds } from '../members/playedKinds.ts';
import { wantedReplicas, type Workload } from '../members/replicas.ts';
import type { ReadinessRow } from '../../recordings/recording.ts';
import { NAMESPACES } from './workloadsOfSeed.ts';

const policies = '/apis/policy.karmada.io/v1alpha1';
const work = '/apis/work.karmada.io/v1alpha2';

/** What is captured and watched of the control plane: the resource and the path of each collection. */
function collections(bed: Bed): [resource: string, path: string][] {
  const workloads = playedKinds(bed.file.options).map(({ group, plural }): [string, string] => [
    plural,
    `${group}/${plural}`,
  ]);
  const clusterWide = {
    clusters: '/apis/cluster.karmada.io/v1alpha1/clusters',
    resourcebindings: `${work}/resourcebindings`,
    clusterresourcebindings: `${work}/clusterresourcebindings`,
    works: '/apis/work.karmada.io/v1alpha1/works',
    propagationpolicies: `${policies}/propagationpolicies`,
    clusterpropagationpolicies: `${policies}/clusterpropagationpolicies`,
    clustertaintpolicies: `${policies}/clustertaintpolicies`,
    namespaces: '/api/v1/namespaces',
    ingressclasses: '/apis/networking.k8s.io/v1/ingressclasses',
    federatedresourcequotas: `${policies}/federatedresourcequotas`,
    workloadrebalancers: '/apis/apps.karmada.io/v1alpha1/workloadrebalancers',
    resourceinterpretercustomizations: '/apis/config.karmada.io/v1alpha1/resourceinterpretercustomizations',
  };
  return [
    ...Object.entries(clusterWide),
    ...workloads,
    ...NAMESPACES.flatMap((namespace) =>
      ['configmaps', 'secrets', 'services'].map((resource): [string, string] => [
        resource,
        `/api/v1/namespaces/${namespace}/${resource}`,
      ]),
    ),
  ];
}

/** A change as the recordings keep it. */
export interface WatchRow {
  /** RFC 3339, to the millisecond */
  time: string;
  resource: string;
  type: string;
  object: KubernetesObject;
}

export interface Recorder {
  /** when a binding or a Work was last written, epoch milliseconds */
  lastMove(): number;
  /** the rows of bindings and clusters so far */
  rows(resource: string): WatchRow[];
  /** records that a member's API server or agent is ended or back */
  note(member: string, process: string, running: boolean): void;
  stop(): Promise<void>;
}

/**
 * Writes the state to 01-before.json and from then on every change to watch.jsonl, and every change of ready replicas
 * in the members, as their own API servers report it, to readiness.jsonl.
 */
export async function startRecorder(bed: Bed, folder: string): Promise<Recorder> {
  const all = collections(bed);
  const paths = all.map(([, path]) => path);
  const captured = await writeState(bed.api(), paths, join(folder, '01-before.json'));
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const watch = createWriteStream(join(folder, 'watch.jsonl'));
  const readiness = createWriteStream(join(folder, 'readiness.jsonl'));
  const kept: WatchRow[] = [];
  let lastMove = Date.now();

  const seen = new Map<string, string | undefined>();
  // a watch's initial list shows existing objects: they may have changed since the capture
  const listedAt = now();
  const see = (resource: string, type: string, object: KubernetesObject) => {
    const { uid = '', resourceVersion } = object.metadata;
    if (type !== 'DELETED' && seen.get(uid) === resourceVersion) return;
    const listed = type === 'ADDED' && !seen.has(uid) && captured.has(uid);
    seen.set(uid, resourceVersion);
    const row = { time: listed ? listedAt : now(), resource, type, object: withoutManagedFields(object) };
    watch.write(`${JSON.stringify(row)}\n`);
    if (/bindings$|^clusters$/.test(resource)) kept.push(row);
    if (/bindings$|^works$/.test(resource)) lastMove = Date.now();
  };
  const follow = (api: Api, path: string, notify: (type: string, object: KubernetesObject) => void) =>
    api.follow(path, ({ type, object }) => notify(type, object), abort.signal);

  const writeReadiness = (row: ReadinessRow) => readiness.write(`${JSON.stringify(row)}\n`);
  const counts = new Map<string, string>();
  const seeWorkload = (member: string, kind: string, type: string, workload: Workload) => {
    const { namespace = '', name } = workload.metadata;
    const key = [member, kind, namespace, name].join('/');
    const gone = type === 'DELETED';
    const row = { desired: gone ? 0 : wantedReplicas(workload), ready: gone ? 0 : readyOf(workload) };
    if ((counts.get(key) ?? '0/0') === `${row.desired}/${row.ready}`) return;
    counts.set(key, `${row.desired}/${row.ready}`);
    writeReadiness({ time: now(), member, kind, namespace, name, ...row });
  };

  const watches = [
    ...all.map(([resource, path]) => follow(bed.api(), path, (type, object) => see(resource, type, object))),
    ...bed.file.options.members.flatMap(({ name }) =>
      playedKinds(bed.file.options).map(({ group, plural, kind }) =>
        follow(bed.api(name), `${group}/${plural}`, (type, object) =>
          seeWorkload(name, kind, type, object as Workload),
        ),
      ),
    ),
  ];
  return {
    lastMove: () => lastMove,
    rows: (resource) => kept.filter((row) => row.resource === resource),
    note: (member, process, running) => void writeReadiness({ time: now(), member, process, running }),
    async stop() {
      abort.abort();
      await Promise.all(watches);
      await Promise.all([watch, readiness].map((stream) => new Promise((done) => stream.end(done))));
    },
  };
}

function now(): string {
  return new Date().toISOString();
}

function readyOf({ status }: Workload): number {
  return Number(status?.readyReplicas ?? status?.numberReady ?? status?.ready ?? 0);
}
