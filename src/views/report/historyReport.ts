import type { History } from '../../engine/history/history.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block } from '../../presentation/model.ts';
import { warn } from '../../presentation/words.ts';
import { assumptionBlocks } from '../assumptions.ts';
import { duration } from '../words/duration.ts';
import { plural } from '../words/plural.ts';
import { evictionTable, missingTable } from '../timeline/timelineAnswer.ts';
import { timelineDocument } from '../timeline/timelineDocument.ts';
import { doubtText, minutesText, worstWorkloads, type TimelineInput } from '../timeline/timelineWords.ts';
import type { ViewNames } from '../viewNames.ts';
import { reportPage } from './reportPage.ts';

/** What happened, recorded or as a state still tells, as a page for a browser. */
export function historyReport(input: TimelineInput, names: ViewNames): Generator<string> {
  const { history, karmadaVersion, assumptions } = input;
  const { start, end, seen, spans, doubts } = history;
  const from = seen
    ? `Recorded from ${rfc3339(start)} over ${duration(end - start)}`
    : `As the state of ${rfc3339(end)} still tells`;
  return reportPage({
    kind: 'Timeline',
    shown: { title: 'What happened', start, end, spans },
    outcomes: [],
    placed: new Map(),
    room: new Map(),
    verdict: historyVerdict(history),
    basis: `${from}, of Karmada ${karmadaVersion}.`,
    placement: [
      ...doubts.map((doubt): Block => ({ type: 'paragraph', words: warn(doubtText(doubt)) })),
      ...evictionTable(history),
      ...missingTable(history),
    ],
    assumptions: assumptionBlocks(assumptions, { wide: true, names }),
    document: timelineDocument(input),
    file: 'timeline.json',
  });
}

/** "What happened: 12 evictions of 11 workloads; ready replicas were missing in 3 of them, 12.5 replica minutes together." */
export function historyVerdict(history: History): string {
  const { evictions } = history;
  if (evictions.length === 0) return 'What happened: nothing was evicted.';
  const names = new Set(
    evictions.map(({ workload: { kind, namespace = '', name } }) => `${kind}/${namespace}/${name}`),
  );
  const missing = worstWorkloads(history).filter(
    ({ missingReplicaMinutes = 0 }) => missingReplicaMinutes > 0,
  );
  const minutes = missing.reduce((sum, one) => sum + (one.missingReplicaMinutes ?? 0), 0);
  const lacked =
    missing.length === 0
      ? ''
      : `; ${plural(missing.length, 'workload')} lacked ready replicas, ${minutesText(minutes)} replica minutes together`;
  return `What happened: ${plural(evictions.length, 'eviction')} of ${plural(names.size, 'workload')}${lacked}.`;
}
