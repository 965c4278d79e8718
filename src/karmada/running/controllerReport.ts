import type { ControllerNews } from './controllerNews.ts';

/** The work that controllers did, or would have done. Times are epoch milliseconds. */
export interface ControllerReport {
  since: number;
  until: number;
  /** affected clusters, sorted by name */
  clusters: readonly ClusterReport[];
  /** failed writes and reconciles that were retried */
  failures: number;
}

interface ClusterReport {
  cluster: string;
  taintsAdded: number;
  taintsRemoved: number;
  /** number of evicted bindings, with the times of the first and the last eviction */
  evicted: number;
  firstEviction?: number;
  lastEviction?: number;
  tasksEnded: number;
}

/** Counts news. Keeps only counts, so its size is constant. */
interface Tally {
  add(news: ControllerNews): void;
  report(until: number): ControllerReport;
}

/** An empty tally. `since`: epoch milliseconds at which the controllers started. */
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
            evicted: evicted + 1,
            firstEviction,
            lastEviction: news.time,
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
