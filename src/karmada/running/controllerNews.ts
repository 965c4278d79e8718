import type { ObjectIdentity, Taint } from '../api/meta.ts';
import type { GracefulEvictionTask, ResourceBinding } from '../api/work.ts';
import type { Evidence } from '../evidence.ts';
import { bindingIdentity } from '../objects/identities.ts';
import { findTaint } from '../objects/sameTaint.ts';
import type { EvictionPace } from '../controllers/controller.ts';
import type { Dequeue, Failure, Step } from '../controllers/controller.ts';
import { parseTaintedPairKey } from '../taints/taintedPair.ts';
import { factsOf } from '../controllers/registry.ts';
import type { ControllerName } from '../controllers/karmada.ts';
import type { Write } from '../controllers/write.ts';

export interface Reconciled<Name extends string = string> {
  controller: Name;
  key: string;
  /** epoch milliseconds of the reconcile */
  now: number;
  step: Step<unknown>;
  /** dequeued keys that were waiting for their turn */
  dequeued?: readonly Dequeue[] | undefined;
  /** why the key is retried with back-off: the reconcile failed, or a write was not made */
  failure: Failure | undefined;
  evidence: readonly Evidence[];
}

/** The result of one reconcile of a controller, for users and programs. Times are epoch milliseconds. */
export type ControllerNews = { time: number; controller: ControllerName; evidence: readonly Evidence[] } & (
  | {
      type: 'tainted';
      cluster: string;
      added: readonly Taint[];
      removed: readonly Taint[];
      taints: readonly Taint[];
    }
  | ({ type: 'evicted'; task: GracefulEvictionTask | undefined } & OfBinding)
  /** the task's creationTimestamp is now set */
  | ({ type: 'task-begun'; task: GracefulEvictionTask } & OfBinding)
  /** the old copy is no longer kept */
  | ({ type: 'task-ended'; task: GracefulEvictionTask } & OfBinding)
  /** bindings of a faulty cluster wait for their turn */
  | { type: 'queued'; cluster: string; bindings: readonly string[] }
  /** its turn came without a target: it stays as long as the cluster is faulty */
  | { type: 'abandoned'; key: string; cluster: string; reason: string }
  /** they left the queue before their turn */
  | { type: 'dropped'; cluster: string; bindings: readonly string[]; reason: string }
  /** evictions change their pace */
  | { type: 'pace'; pace: EvictionPace }
  /** the binding stays on the cluster, until then or permanently */
  | { type: 'tolerated'; key: string; cluster: string; until: number | undefined }
  /** the reconcile failed or a write was not made; it is retried */
  | { type: 'failed'; key: string; reason: string; message: string; writes: readonly Write[] }
);

interface OfBinding {
  binding: ResourceBinding;
  cluster: string;
}

/** The news of a reconcile: of its successful writes, its notes, and its failure. */
export function reconcileNews({
  controller,
  key,
  now,
  step,
  dequeued = [],
  failure,
  evidence,
}: Reconciled<ControllerName>): ControllerNews[] {
  const writes = step.writes ?? [];
  const common = { time: now, controller, evidence };
  if (failure) {
    const { reason, message } = failure;
    return [{ ...common, type: 'failed', key, reason, message, writes }];
  }
  const news: ControllerNews[] = writes.flatMap((write) =>
    writeNews(write).map((one) => ({ ...common, ...one })),
  );
  if (dequeued.length > 0) {
    const pairs = dequeued.map((one) => parseTaintedPairKey(one.key));
    const [{ cluster }] = pairs as [(typeof pairs)[number]];
    const bindings = pairs.map(({ binding }) => binding);
    news.push({ ...common, type: 'dropped', cluster, bindings, reason: dequeued[0]!.reason });
  }
  for (const note of step.notes ?? [])
    if (note.type === 'EvictionsQueued')
      news.push({ ...common, type: 'queued', cluster: note.cluster, bindings: note.bindings });
    else if (note.type === 'EvictionAbandoned')
      news.push({
        ...common,
        type: 'abandoned',
        key: note.binding,
        cluster: note.cluster,
        reason: note.reason,
      });
    else if (note.type === 'EvictionPace') news.push({ ...common, type: 'pace', pace: note.pace });
    else if (note.type === 'Tolerated') {
      const { binding, cluster, until } = note;
      news.push({
        ...common,
        type: 'tolerated',
        key: binding,
        cluster,
        until,
        evidence: note.evidence ?? [],
      });
    }
  return news;
}

type Without<T> = T extends unknown ? Omit<T, 'time' | 'controller' | 'evidence'> : never;

/** The news in a write, by its changes. */
export function writeNews(write: Write): Without<ControllerNews>[] {
  if (write.verb !== 'update') return [];
  if (write.kind === 'Cluster') {
    const [before, after] = [write.base.spec?.taints ?? [], write.object.spec?.taints ?? []];
    const added = after.filter((one) => !findTaint(before, one));
    const removed = before.filter((one) => !findTaint(after, one));
    return [{ type: 'tainted', cluster: write.key, added, removed, taints: after }];
  }
  return write.kind === 'Binding' ? bindingNews(write.base, write.object) : [];
}

function bindingNews(before: ResourceBinding, after: ResourceBinding): Without<ControllerNews>[] {
  const old = before.spec.gracefulEvictionTasks ?? [];
  const now = after.spec.gracefulEvictionTasks ?? [];
  const targets = new Set((after.spec.clusters ?? []).map(({ name }) => name));
  const news: Without<ControllerNews>[] = [];
  for (const { name: cluster } of before.spec.clusters ?? [])
    if (!targets.has(cluster)) {
      const task = now.find(({ fromCluster }) => fromCluster === cluster);
      news.push({ type: 'evicted', binding: before, cluster, task });
    }
  for (const task of old) {
    const { fromCluster: cluster, creationTimestamp } = task;
    const kept = now.find((one) => one.fromCluster === cluster);
    if (!kept) news.push({ type: 'task-ended', binding: before, cluster, task });
    else if (!creationTimestamp && kept.creationTimestamp)
      news.push({ type: 'task-begun', binding: before, cluster, task: kept });
  }
  return news;
}

/** The object of a news item. */
export function subjectOf(news: Exclude<ControllerNews, { type: 'pace' }>): ObjectIdentity {
  switch (news.type) {
    case 'tainted':
    case 'queued':
    case 'dropped':
      return { kind: 'Cluster', name: news.cluster };
    case 'evicted':
    case 'task-begun':
    case 'task-ended':
      return bindingIdentity(news.binding);
    default:
      return keyIdentity(news.controller, news.key);
  }
}

/** The object of a controller's key: "member1", "shop/web-deployment", "member1|shop/web-deployment". */
function keyIdentity(controller: ControllerName, key: string): ObjectIdentity {
  if (factsOf(controller).keys === 'Cluster') return { kind: 'Cluster', name: key };
  const [namespace = '', name = ''] = key.slice(key.indexOf('|') + 1).split('/');
  return namespace ? { kind: 'ResourceBinding', namespace, name } : { kind: 'ClusterResourceBinding', name };
}
