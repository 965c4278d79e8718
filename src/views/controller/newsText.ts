import type { LoggedDecision } from '../../analysis/history/karmadaEvents.ts';
import { type ControllerNews, subjectOf } from '../../karmada/running/controllerNews.ts';
import { workloadIdentity } from '../../karmada/objects/identities.ts';
import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import type { Words } from '../../presentation/model.ts';
import { asBad, asFaint, asWarning } from '../../presentation/words.ts';
import { plural } from '../words/amounts.ts';
import { objectText, workloadName } from '../words/names.ts';

/**
 * An event as a line: "2026-09-01T08:00:05Z would evict shop/deployment/web from member1". Undefined for events that users need not see
 * each time.
 * @param written false: nothing was written, only decided
 */
export function newsLine(news: ControllerNews, written: boolean): Words | undefined {
  const words = newsWords(news, written);
  return words === undefined ? undefined : [asFaint(rfc3339(news.time)), ' ', words];
}

function newsWords(news: ControllerNews, written: boolean): Words | undefined {
  const words = decisionSentence(decidedBy(news, written));
  switch (news.type) {
    case 'tainted':
    case 'evicted':
    case 'pace':
      return asWarning(words);
    case 'failed':
      return asBad(words);
    case 'task-begun':
    case 'tolerated':
      return undefined;
    default:
      return words;
  }
}

function decidedBy(news: ControllerNews, written: boolean): Decided {
  const nothing = { subject: subjectText(news), bindings: 0, reason: '', message: '', written };
  const purgeMode = 'task' in news ? news.task?.purgeMode : undefined;
  if ('bindings' in news) return { ...nothing, ...news, bindings: news.bindings.length };
  return { ...nothing, ...news, purgeMode };
}

function subjectText(news: ControllerNews): string {
  if (news.type === 'pace') return '';
  return 'binding' in news ? workloadName(workloadIdentity(news.binding)) : objectText(subjectOf(news));
}

/** An event as a log entry. */
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
      return {
        message: 'Started the timer of the eviction task',
        fields: { ...common, cluster: news.cluster },
      };
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
          cluster: news.cluster,
          bindings: news.bindings.length,
          reason: news.reason,
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

/** The parts of a decision's text, whether it was just reported or read from a log. */
type Decided = Pick<
  LoggedDecision,
  'cluster' | 'written' | 'purgeMode' | 'bindings' | 'reason' | 'message' | 'until' | 'pace'
> &
  Partial<Pick<LoggedDecision, 'added' | 'removed'>> & {
    type: string;
    /** its object in words: a workload, or another object */
    subject: string;
  };

/** "would evict shop/deployment/web from member1 (Gracefully)" */
export function decisionSentence(one: Decided): string {
  const { type, subject, cluster = '', reason, message, bindings } = one;
  const does = (past: string, plain: string) => (one.written === false ? `would ${plain}` : past);
  switch (type) {
    case 'tainted': {
      const [added, removed] = [one.added, one.removed].map((taints) =>
        (taints ?? []).map(formatTaint).join(', '),
      );
      return [
        ...(added ? [`${does('tainted', 'taint')} ${cluster} with ${added}`] : []),
        ...(removed ? [`${does('removed', 'remove')} ${removed}${added ? '' : ` from ${cluster}`}`] : []),
      ].join(', and ');
    }
    case 'evicted':
      return `${does('evicted', 'evict')} ${subject} from ${cluster}${one.purgeMode ? ` (${one.purgeMode})` : ''}`;
    case 'task-begun':
      return `${does('started', 'start')} the timer of the eviction of ${subject} from ${cluster}`;
    case 'task-ended':
      return `${does('ended', 'end')} the eviction of ${subject} from ${cluster}`;
    case 'tolerated':
      return `${subject} tolerates ${cluster} ${one.until === undefined ? 'permanently' : `until ${rfc3339(one.until)}`}`;
    case 'queued':
      return `${plural(bindings, 'workload')} of ${cluster} wait in the eviction queue`;
    case 'dropped':
      return `evictions of ${plural(bindings, 'workload')} from ${cluster} dropped from the queue: ${reason}`;
    case 'abandoned':
      return `${subject} stays on ${cluster}: ${reason}`;
    case 'pace':
      return one.pace ? `evictions at ${one.pace.rate}/s (${one.pace.mode}): ${one.pace.reason}` : type;
    case 'failed':
      return `${subject}: ${message}; tried again`;
    case 'started':
      return one.written === false ? 'started; nothing is written' : 'started';
    default:
      return [type, subject, cluster, reason, message].filter((text) => text !== '').join(' ');
  }
}
