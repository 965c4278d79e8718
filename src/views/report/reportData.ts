/**
 * The data of a report for its page, packed as JSON: the page draws it and decides nothing. All texts are presentable. Times are
 * milliseconds since the start.
 */
export interface ReportData {
  /** epoch milliseconds */
  start: number;
  length: number;
  /** the phases of spans, in the order of legends */
  phases: { name: string; text: string }[];
  /** show times of the clock, in UTC, instead of those since the start */
  byClock: boolean;
  /** whether the number of ready replicas before the end is known */
  readyKnown: boolean;
  /** the outcomes of workloads, worst first; empty if nothing is judged */
  outcomes: { text: string; tone: 'bad' | 'warn' | 'plain' }[];
  clusters: ReportedCluster[];
  workloads: ReportedWorkload[];
  spans: ReportedSpans;
  /** texts of evidence, each once */
  texts: string[];
  /** why spans began: indexes in `texts` */
  reasons: number[][];
  /** the name of the file with the whole answer */
  file: string;
}

export interface ReportedCluster {
  name: string;
  /** ready replicas over time */
  times: number[];
  ready: number[];
  /** the workloads' replicas there at the start and at the end; absent: unknown */
  placed?: { before: number; after: number };
  /** its pod capacity for our workloads; absent: not reported */
  capacity?: number;
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
  /** missing replicas times seconds, for sorting */
  weight: number;
  /** how many spans it has; they follow those of the previous workload */
  spans: number;
}

/** The spans of all workloads in sequence: a list for each of their fields. */
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

/** The ids of the elements that contain the page's data. */
export const DATA_ID = 'report-data';
export const DOCUMENT_ID = 'report-document';
