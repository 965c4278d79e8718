import type { LoggedDecision } from '../../analysis/history/controllerLog.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { plural } from '../words/plural.ts';

/** What there is to say of a decision, whether a controller has just told of it or a log holds it. */
export type Decided = Pick<
  LoggedDecision,
  'cluster' | 'written' | 'purgeMode' | 'bindings' | 'reason' | 'message' | 'until' | 'pace'
> &
  Partial<Pick<LoggedDecision, 'added' | 'removed'>> & {
    type: string;
    /** what it is about, in words: a workload, or an object */
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
        ...(removed ? [`${does('took', 'take')} ${removed} ${added ? 'away' : `from ${cluster}`}`] : []),
      ].join(', and ');
    }
    case 'evicted':
      return `${does('evicted', 'evict')} ${subject} from ${cluster}${one.purgeMode ? ` (${one.purgeMode})` : ''}`;
    case 'task-begun':
      return `${does('began', 'begin')} to time the eviction of ${subject} from ${cluster}`;
    case 'task-ended':
      return `${does('ended', 'end')} the eviction of ${subject} from ${cluster}`;
    case 'tolerated':
      return `${subject} tolerates ${cluster} ${one.until === undefined ? 'for good' : `until ${rfc3339(one.until)}`}`;
    case 'queued':
      return `${plural(bindings, 'workload')} of ${cluster} wait for their turn to be evicted`;
    case 'dropped':
      return `${plural(bindings, 'workload')} no longer wait to be evicted from ${cluster}: ${reason}`;
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
