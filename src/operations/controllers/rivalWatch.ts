import { writeNews } from '../../karmada/running/controllerNews.ts';
import { evictorOf, jobFacts, type Job } from '../../karmada/controllers/registry.ts';
import type { Change, Write } from '../../karmada/controllers/write.ts';
import { bindingIdentity } from '../../karmada/objects/identities.ts';
import { marksFaulty } from '../../karmada/taints/evictingTaints.ts';
import type { KubernetesObject, ObjectIdentity } from '../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { ApiError } from '../../state/live/apiError.ts';
import { CONTROLLER_MANAGER } from '../../analysis/history/taintWriters.ts';
import { ownsSpecField } from '../../kubernetes/ownedFields.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, CLUSTERS } from '../../state/live/resources.ts';
import { bindingResource } from '../writeBinding.ts';
import type { LiveView } from './liveView.ts';

/** Karmada's controller manager was seen doing a job of ours. */
export interface ObservedRival {
  job: Job;
  object: ObjectIdentity;
  /** RFC 3339, if the server says when */
  time: string | undefined;
}

/** Milliseconds between two requests; a single answer is enough. */
const PAUSE = 10_000;

/**
 * Finds the writer of changes that only controllers like ours make. In managedFields a list has one owner, its last
 * writer: if that is Karmada's controller manager right after the change, Karmada's own controller is running.
 *
 * @param found is called once
 * @param localNow epoch milliseconds of the local clock
 * @returns a function that stops the watch
 */
export function watchRivals(
  server: ApiServer,
  live: Pick<LiveView, 'subscribe'>,
  jobs: readonly Job[],
  { found, localNow }: { found: (rival: ObservedRival) => void; localNow: () => number },
): () => void {
  let askedAt = -Infinity;
  let over = false;
  const end = live.subscribe((change) => {
    const [job] = over ? [] : jobsOf(change, jobs);
    if (job === undefined || localNow() - askedAt < PAUSE) return;
    askedAt = localNow();
    void ownerOf(server, change).then((entry) => {
      if (!entry || over) return;
      over = true;
      const object =
        change.kind === 'Binding' ? bindingIdentity(change.after!) : { kind: 'Cluster', name: change.key };
      found({ job, object, time: entry.time ?? undefined });
    });
  });
  return () => {
    over = true;
    end();
  };
}

/** The jobs that may have made a change. */
function jobsOf(change: Change, jobs: readonly Job[]): Job[] {
  const { kind, before, after } = change;
  if (!before || !after || (kind !== 'Cluster' && kind !== 'Binding')) return [];
  const write = { verb: 'update', kind, key: change.key, base: before, object: after } as unknown as Write;
  const news = writeNews(write);
  return jobs.filter((job) => news.some((one) => isOf(one, job)));
}

/** Whether a write's news results from a job. */
function isOf(news: ReturnType<typeof writeNews>[number], job: Job): boolean {
  const { writes, controller } = jobFacts(job);
  switch (news.type) {
    case 'tainted':
      return writes === 'taints' && [...news.added, ...news.removed].some(marksFaulty);
    case 'evicted':
      return writes === 'evictions' && news.task !== undefined && evictorOf(news.task) === controller;
    case 'task-begun':
    case 'task-ended':
      return writes === 'tasks';
    default:
      return false;
  }
}

/** The managedFields entry of Karmada's controller manager, if it wrote the list last. */
async function ownerOf(
  server: ApiServer,
  { kind, key, after }: Change,
): Promise<{ time?: string | null } | undefined> {
  const { namespace, name } = kind === 'Binding' ? (after as ResourceBinding).metadata : { name: key };
  const resource = kind === 'Binding' ? bindingResource(after as ResourceBinding) : CLUSTERS;
  const field = kind === 'Binding' ? 'gracefulEvictionTasks' : 'taints';
  try {
    const { metadata } = await server.get<KubernetesObject>(apiPath(resource, namespace, name));
    return metadata.managedFields?.find(
      (one) => one.manager === CONTROLLER_MANAGER && ownsSpecField(one, field),
    );
  } catch (error) {
    // the next change will show it
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
