import type { ControllerNews } from './controllerNews.ts';

/** What controllers have done, or would have. Times are epoch milliseconds. */
export interface ControllerReport {
  since: number;
  until: number;
  /** by name, those to which something happened, in order */
  clusters: readonly ClusterReport[];
  /** writes and looks that failed and were tried again */
  failures: number;
}

interface ClusterReport {
  cluster: string;
  taintsAdded: number;
  taintsRemoved: number;
  /** bindings that were evicted, and when the first and the last one was */
  evicted: number;
  firstEviction?: number;
  lastEviction?: number;
  tasksEnded: number;
}

/** Adds up news. It keeps only counts, however much news comes. */
interface Tally {
  add(news: ControllerNews): void;
  report(until: number): ControllerReport;
}

/** A tally without news. `since`: epoch milliseconds at which the controllers started. */
export function createTally(since: number): Tally {
  const clusters = new Map<string, ClusterReport>();
  let failures = 0;

  function change(cluster: string, add: (report: ClusterReport) => Partial<ClusterReport>): void {
    const known = clusters.get(cluster) ?? {
      cluster,
      taintsAdded: 0,
      taintsRemoved: 0,
      evicted: 0,
      tasksEnded: 0,
    };
    clusters.set(cluster, { ...known, ...add(known) });
  }

  return {
    add(news) {
      switch (news.type) {
        case 'tainted':
          return change(news.cluster, ({ taintsAdded, taintsRemoved }) => ({
            taintsAdded: taintsAdded + news.added.length,
            taintsRemoved: taintsRemoved + news.removed.length,
          }));
        case 'evicted':
          return change(news.cluster, ({ evicted, firstEviction = news.time }) => ({
            ...{ evicted: evicted + 1, firstEviction, lastEviction: news.time },
          }));
        case 'task-ended':
          return change(news.cluster, ({ tasksEnded }) => ({ tasksEnded: tasksEnded + 1 }));
        case 'failed':
          failures++;
      }
    },
    report: (until) => ({
      since,
      until,
      clusters: [...clusters.values()].sort((a, b) => (a.cluster < b.cluster ? -1 : 1)),
      failures,
    }),
  };
}
