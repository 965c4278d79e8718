/**
 * What a report gives to its page, packed as JSON: the page draws it and decides nothing. All texts are presentable.
 * Times are milliseconds since the start.
 */
export interface ReportData {
  /** epoch milliseconds */
  start: number;
  length: number;
  /** the phases of spans, in the order of legends */
  phases: { name: string; text: string }[];
  /** times of the clock are shown, in UTC, instead of those since the start */
  byClock: boolean;
  /** whether it is known how many replicas were ready before the end */
  readyKnown: boolean;
  /** the outcome of workloads, worst first; none if nothing is judged */
  outcomes: { text: string; tone: 'bad' | 'warn' | 'plain' }[];
  clusters: ReportedCluster[];
  workloads: ReportedWorkload[];
  spans: ReportedSpans;
  /** texts of evidence, each once */
  texts: string[];
  /** why spans began: indexes in `texts` */
  reasons: number[][];
  /** the name of the file in which the whole answer is saved */
  file: string;
}

export interface ReportedCluster {
  name: string;
  /** ready replicas from each time on */
  times: number[];
  ready: number[];
  /** the replicas that workloads have there at the start and at the end; absent: unknown */
  placed?: { before: number; after: number };
  /** how many pods of our workloads it has room for; absent: it does not report that */
  room?: number;
}

export interface ReportedWorkload {
  kind: string;
  namespace: string;
  name: string;
  /** index in `outcomes`; absent: it was not judged */
  outcome?: number;
  certainty: string;
  dependsOn: string[];
  reason: string;
  before: string;
  after: string;
  /** "3 for 1m9s" */
  fewer: string;
  /** by how many replicas times how many seconds, for sorting */
  weight: number;
  /** how many spans it has; they follow those of the workload before it */
  spans: number;
}

/** The spans of all workloads, one after the other: a list for each of their fields. */
interface ReportedSpans {
  /** index in `clusters`; -1: the span is about the whole workload */
  cluster: number[];
  /** index in `phases` */
  phase: number[];
  from: number[];
  /** -1: it continues to the end */
  to: number[];
  /** -1: unknown */
  replicas: number[];
  ready: number[];
  /** index in `CERTAINTIES` */
  certainty: number[];
  /** index in `reasons` */
  reason: number[];
}

export const CERTAINTIES = ['certain', 'estimate', 'unknown'] as const;

/** The element ids under which the page finds its data. */
export const DATA_ID = 'report-data';
export const DOCUMENT_ID = 'report-document';
