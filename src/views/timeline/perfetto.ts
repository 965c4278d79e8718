import { presentable } from '../../presentation/presentable.ts';
import { objectText } from '../words/objectText.ts';
import { PHASES } from './phases.ts';
import { readyByCluster } from './readyByCluster.ts';
import { byWorkload, lanesOf, type SpansShown } from './spansShown.ts';

/** An event of the trace event format; times are microseconds. */
interface TraceEvent {
  ph: 'X' | 'M' | 'C';
  name: string;
  pid: number;
  tid?: number;
  cat?: string;
  ts?: number;
  dur?: number;
  args?: Record<string, unknown>;
}

/**
 * A trace for ui.perfetto.dev and chrome://tracing: a process for each workload with a track for each cluster, and
 * counters of the ready replicas on each cluster. Times count from the start.
 */
export function perfettoOf({ title, start, end, spans }: SpansShown): string {
  const events: TraceEvent[] = [{ ph: 'M', name: 'process_name', pid: 1, args: { name: 'ready replicas' } }];
  for (const { cluster, steps } of readyByCluster(spans, start))
    for (const { time, ready } of steps)
      events.push({
        ph: 'C',
        name: presentable(cluster),
        pid: 1,
        ts: (time - start) * 1000,
        args: { ready },
      });
  byWorkload(spans).forEach(({ workload, spans: own }, i) => {
    const pid = i + 2;
    events.push({ ph: 'M', name: 'process_name', pid, args: { name: presentable(objectText(workload)) } });
    lanesOf(own).forEach(({ cluster, phase, spans: lane }, at) => {
      const tid = at + 1;
      const name = presentable(cluster ?? PHASES[phase!].text);
      events.push({ ph: 'M', name: 'thread_name', pid, tid, args: { name } });
      for (const { phase: what, from, to = end, replicas, ready, certainty, evidence } of lane)
        events.push({
          ph: 'X',
          name: PHASES[what].text,
          cat: what,
          pid,
          tid,
          ts: (from - start) * 1000,
          dur: (to - from) * 1000,
          args: { replicas, ready, certainty, why: evidence.map(({ rule }) => presentable(rule)) },
        });
    });
  });
  const head = { title: presentable(title), start: new Date(start).toISOString() };
  return `{"displayTimeUnit":"ms","otherData":${JSON.stringify(head)},"traceEvents":[\n${events
    .map((event) => JSON.stringify(event))
    .join(',\n')}\n]}\n`;
}
