import { subjectOf, type ControllerNews } from '../../karmada/running/controllerNews.ts';
import type { ControllerReport } from '../../karmada/running/controllerReport.ts';
import { workloadIdentity } from '../../karmada/objects/identities.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';

const HEAD = { kind: 'ControllerEvent', schemaVersion: 'v1' } as const;

/** The start of a controller, as the first line of -o json. */
interface StartedInput {
  /** epoch milliseconds */
  time: number;
  written: boolean;
  karmadaVersion: string;
  controllers: readonly string[];
  settings: readonly { name: string; value: unknown; source: string }[];
  clusters: number;
  bindings: number;
  /** the reasons why it would have refused to write, in words */
  refusals: readonly string[];
}

/** The start of controllers as a line of -o json. */
export function startedDocument({ time, settings, refusals, ...rest }: StartedInput) {
  return {
    ...HEAD,
    time: rfc3339Milliseconds(time),
    type: 'started',
    ...rest,
    settings: settings.map(({ name, value, source }) => ({ name, value, source })),
    ...(refusals.length > 0 && { refusals }),
  };
}

/** The current leader, as a line of -o json. */
export function leaderDocument(time: number, holder: string, self: boolean) {
  return { ...HEAD, time: rfc3339Milliseconds(time), type: 'leader', holder, self };
}

/** The loss of leadership of this process, as a line of -o json. */
export function leadershipLostDocument(time: number) {
  return { ...HEAD, time: rfc3339Milliseconds(time), type: 'leadership-lost' };
}

/** News as a line of -o json. */
export function newsDocument(news: ControllerNews, written: boolean) {
  return {
    ...HEAD,
    time: rfc3339Milliseconds(news.time),
    type: news.type,
    controller: news.controller,
    ...(isWrite(news) && { written }),
    ...(news.type !== 'pace' && { object: subjectOf(news) }),
    ...detail(news),
    ...(news.evidence.length > 0 && { evidence: news.evidence }),
  };
}

/** Whether an event is about a write that was made, or would have been. */
function isWrite({ type }: ControllerNews): boolean {
  return type === 'tainted' || type === 'evicted' || type === 'task-begun' || type === 'task-ended';
}

function detail(news: ControllerNews): object {
  switch (news.type) {
    case 'tainted':
      return { cluster: news.cluster, added: news.added, removed: news.removed };
    case 'evicted':
    case 'task-begun':
    case 'task-ended': {
      const { cluster, binding, task } = news;
      return { cluster, workload: workloadIdentity(binding), ...(task && { task }) };
    }
    case 'tolerated':
      return {
        cluster: news.cluster,
        ...(news.until !== undefined && { until: rfc3339Milliseconds(news.until) }),
      };
    case 'queued':
      return { cluster: news.cluster, bindings: news.bindings.length };
    case 'dropped':
      return { cluster: news.cluster, bindings: news.bindings.length, reason: news.reason };
    case 'abandoned':
      return { cluster: news.cluster, reason: news.reason };
    case 'pace':
      return { pace: news.pace };
    case 'failed':
      return { reason: news.reason, message: news.message };
  }
}

/** The totals, as the last line of -o json. */
export function controllerReportDocument(
  { since, until, clusters, failures }: ControllerReport,
  written: boolean,
) {
  const time = (instant: number | undefined) =>
    instant === undefined ? undefined : rfc3339Milliseconds(instant);
  return {
    kind: 'ControllerReport' as const,
    schemaVersion: 'v1',
    since: rfc3339Milliseconds(since),
    until: rfc3339Milliseconds(until),
    written,
    clusters: clusters.map(({ firstEviction, lastEviction, ...counts }) => ({
      ...counts,
      ...(firstEviction !== undefined && {
        firstEviction: time(firstEviction),
        lastEviction: time(lastEviction),
      }),
    })),
    failures,
  };
}
