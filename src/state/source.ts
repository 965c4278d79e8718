import type { ObjectIdentity } from '../karmada/api/meta.ts';
import type { ResumableWorld } from '../simulator/store/savedSimulation.ts';
import type { Assumption } from '../karmada/configuration/assumptions.ts';
import type { ObservedComponents } from './componentFlags.ts';

/** The source of a world: files, or a live control plane. */
export interface StateSource {
  /**
   * Reads everything and returns a world whose objects have the shape that the engine expects. Rejects with a
   * StateError for mistakes that the user can fix.
   */
  load(options?: LoadOptions): Promise<LoadedState>;
}

export interface LoadOptions {
  /** called while reading, at most once per block */
  progress?: (progress: LoadProgress) => void;
  /** keep only objects of these kinds; component flags and times are taken from all */
  kinds?: ReadonlySet<string>;
  /** the reads from a live control plane besides whole kinds; files are read completely */
  live?: LiveOptions;
  /** the requested instant of a recording, epoch milliseconds; absent: its end */
  at?: number | undefined;
}

export interface LiveOptions {
  /** read only the bindings of this namespace */
  namespace?: string | undefined;
  /** read only the Works on clusters with evictions in progress */
  worksOfEvictions?: boolean;
  /** also read history: Karmada's Events, and who last changed the taints of clusters */
  history?: boolean;
  /** also read the kinds that only checks need */
  checks?: boolean;
  /** also read resource templates; they matter only if policies or templates change */
  templates?: TemplateOptions | undefined;
}

export interface TemplateOptions {
  /** kinds in addition to those that bindings and policies name */
  kinds?: readonly { apiVersion: string; kind: string }[];
  /** with more bindings than this, no templates are read */
  mostBindings?: number;
  /** only their labels are needed */
  metadataOnly?: boolean;
}

interface LoadProgress {
  /** the file being read, as named by the user */
  reading: string;
  /** bytes of all files read so far, before decompression */
  bytes: number;
  /** absent if the size is not known in advance (stdin) */
  totalBytes?: number | undefined;
  objects: number;
}

export interface LoadedState {
  world: ResumableWorld;
  /** the contribution of each file, in reading order */
  origins: Origin[];
  /** the instant that the state shows, if its source records it */
  captured?: CapturedInstant | undefined;
  /** the time of reading: by this machine's clock for files, by the server's for a control plane */
  read?: CapturedInstant | undefined;
  /**
   * if the state is one instant of a recording: the recording's span, and the paths to read all of it from; absent
   * for stdin, which can be read only once
   */
  recorded?: (RecordedSpan & { paths?: readonly string[] }) | undefined;
  /** the newest time in the files: the best estimate of the capture, which kubectl does not print */
  newestTimestamp?: NewestTimestamp | undefined;
  /** flags and versions of Karmada's components, if their Deployments or Pods are in the state */
  components: ObservedComponents;
  /** Karmada's version by its API, if detection was requested */
  detected?: DetectedVersion | undefined;
  /** the user's assumptions about Karmada in the simulation that saved the state */
  assumed?: SavedAssumptions | undefined;
  /** one line each: data that may not mean what its author intended */
  warnings: string[];
}

interface CapturedInstant {
  /** epoch milliseconds */
  time: number;
  /** "the clock of the API server" */
  source: string;
}

/** The period of a recording, in epoch milliseconds. */
export interface RecordedSpan {
  /** its file, with the path inside an archive after a colon; of several files, the last */
  file: string;
  from: number;
  to: number;
  /** its end was not written: the recorder was killed, or the file is incomplete */
  isTorn: boolean;
}

/** How Karmada was started, for states that do not show it. */
export interface SavedAssumptions {
  /** "v1.17.3" */
  version?: string;
  gatesAndFlags: Assumption[];
}

export interface DetectedVersion {
  /** "v1.18"; if the API fits several versions, the newest */
  version: string;
  /** "the API has …" */
  source: string;
}

export interface Origin {
  /** as named by the user, with the path inside an archive after a colon: "dump.tgz:clusters.json" */
  name: string;
  objects: number;
}

export interface NewestTimestamp {
  /** epoch milliseconds */
  time: number;
  /** the object that contains it */
  object: ObjectIdentity;
}
