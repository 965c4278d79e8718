import { subjectOf, type ControllerNews } from '../../engine/controllers/controllerNews.ts';
import { workloadIdentity } from '../../engine/objects/identities.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import type { Words } from '../../presentation/model.ts';
import { bad, faint, warn } from '../../presentation/words.ts';
import { objectText } from '../words/objectText.ts';
import { plural } from '../words/plural.ts';
import { workloadName } from '../words/workloadName.ts';

/**
 * News as a line: "2026-09-01T08:00:05Z would evict shop/deployment/web from member1". Undefined for news that people
 * need not see each time.
 *
 * @param written false: nothing was written, only decided
 */
export function newsLine(news: ControllerNews, written: boolean): Words | undefined {
  const words = newsWords(news, written);
  return words === undefined ? undefined : [faint(rfc3339(news.time)), ' ', words];
}

function newsWords(news: ControllerNews, written: boolean): Words | undefined {
  const does = (past: string, plain: string) => (written ? past : `would ${plain}`);
  switch (news.type) {
    case 'tainted': {
      const { added, removed, cluster } = news;
      const parts = [
        ...(added.length > 0 ? [`${does('tainted', 'taint')} ${cluster} with ${listed(added)}`] : []),
        ...(removed.length > 0
          ? [`${does('took', 'take')} ${listed(removed)} ${added.length > 0 ? 'away' : `from ${cluster}`}`]
          : []),
      ];
      return warn(parts.join(', and '));
    }
    case 'evicted': {
      const mode = news.task?.purgeMode;
      return warn(
        `${does('evicted', 'evict')} ${workloadOf(news)} from ${news.cluster}${mode ? ` (${mode})` : ''}`,
      );
    }
    case 'task-ended':
      return `${does('ended', 'end')} the eviction of ${workloadOf(news)} from ${news.cluster}`;
    case 'failed':
      return bad(`${objectText(subjectOf(news))}: ${news.message}; tried again`);
    case 'queued':
      return `${plural(news.bindings.length, 'workload')} of ${news.cluster} wait for their turn to be evicted`;
    case 'abandoned':
      return `${objectText(subjectOf(news))} stays on ${news.cluster}: ${news.reason}`;
    case 'dropped':
      return `${plural(news.bindings.length, 'workload')} no longer wait to be evicted from ${news.cluster}: ${news.reason}`;
    case 'pace':
      return warn(`evictions at ${news.pace.rate}/s (${news.pace.mode}): ${news.pace.reason}`);
    case 'task-begun':
    case 'tolerated':
      return undefined;
  }
}

function listed(taints: readonly Parameters<typeof formatTaint>[0][]): string {
  return taints.map(formatTaint).join(', ');
}

function workloadOf({ binding }: Extract<ControllerNews, { type: 'evicted' | 'task-ended' }>): string {
  return workloadName(workloadIdentity(binding));
}

/** News as an entry of a log. */
export function newsEntry(
  news: ControllerNews,
  written: boolean,
): { message: string; fields: Readonly<Record<string, unknown>> } {
  const common = {
    controller: news.controller,
    ...(news.type !== 'pace' && { object: objectText(subjectOf(news)) }),
    ...(written ? {} : { observed: true }),
    ...(news.evidence.length > 0 && { because: news.evidence.map(({ rule }) => rule) }),
  };
  switch (news.type) {
    case 'tainted':
      return {
        message: 'Updated cluster taints',
        fields: { ...common, added: news.added.map(formatTaint), removed: news.removed.map(formatTaint) },
      };
    case 'evicted':
      return {
        message: 'Evicted cluster from binding',
        fields: { ...common, cluster: news.cluster, purgeMode: news.task?.purgeMode },
      };
    case 'task-begun':
      return { message: 'Began to time the eviction task', fields: { ...common, cluster: news.cluster } };
    case 'task-ended':
      return { message: 'Ended the eviction task', fields: { ...common, cluster: news.cluster } };
    case 'tolerated':
      return {
        message: 'The binding tolerates the taints',
        fields: {
          ...common,
          cluster: news.cluster,
          ...(news.until !== undefined && { until: rfc3339Milliseconds(news.until) }),
        },
      };
    case 'queued':
      return {
        message: 'Queued evictions',
        fields: { ...common, cluster: news.cluster, bindings: news.bindings.length },
      };
    case 'dropped':
      return {
        message: 'Dropped evictions from the queue',
        fields: {
          ...common,
          ...{ cluster: news.cluster, bindings: news.bindings.length, reason: news.reason },
        },
      };
    case 'abandoned':
      return {
        message: 'Abandoned the eviction',
        fields: { ...common, cluster: news.cluster, reason: news.reason },
      };
    case 'pace': {
      const { mode, rate, faulty, clusters, reason } = news.pace;
      const fields = { ...common, mode, rate, faulty: faulty.length, clusters, reason };
      return { message: 'Changed the pace of evictions', fields };
    }
    case 'failed':
      return { message: news.message, fields: { ...common, reason: news.reason } };
  }
}
