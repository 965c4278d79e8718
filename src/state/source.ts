import type { ObjectIdentity } from '../karmada/api/meta.ts';
import type { ResumableWorld } from '../simulator/store/savedSimulation.ts';
import type { Assumption } from '../karmada/configuration/assumptions.ts';
import type { ObservedComponents } from './componentFlags.ts';

/** What a world is read from: files, or a live control plane. */
export interface StateSource {
  /**
   * Reads everything and returns a world whose objects have the shape that the engine expects. Throws
   * StateError for what the user can put right.
   */
  load(options?: LoadOptions): Promise<LoadedState>;
}

export interface LoadOptions {
  /** called while reading, at most once per block */
  progress?: (progress: LoadProgress) => void;
  /** keep only objects of these kinds; component flags and times are taken from all */
  kinds?: ReadonlySet<string>;
  /** what is read of a live control plane besides whole kinds; files are read as they are */
  live?: LiveOptions;
  /** the requested instant of a recording, epoch milliseconds; absent: its end */
  at?: number | undefined;
}

export interface LiveOptions {
  /** read only the bindings of this namespace */
  namespace?: string | undefined;
  /** read only the Works on clusters that workloads are being evicted from */
  worksOfEvictions?: boolean;
  /** read what is only about the past, too: Karmada's Events, and who changed the taints of clusters last */
  history?: boolean;
  /** read what only checks of a control plane ask for, too */
  checks?: boolean;
  /** read resource templates too; they count only if policies or templates change */
  templates?: TemplateOptions | undefined;
}

export interface TemplateOptions {
  /** kinds besides those that bindings and policies name */
  kinds?: readonly { apiVersion: string; kind: string }[];
  /** if there are more bindings, no templates are read */
  mostBindings?: number;
  /** their labels are enough */
  metadataOnly?: boolean;
}

export interface LoadProgress {
  /** what is being read: a file name as given */
  reading: string;
  /** bytes of all files read so far, before decompression */
  bytes: number;
  /** absent if the size is not known beforehand (stdin) */
  totalBytes?: number | undefined;
  objects: number;
}

export interface LoadedState {
  world: ResumableWorld;
  /** what each file gave, in the order of reading */
  origins: Origin[];
  /** the instant that the state shows, if its source has it */
  captured?: CapturedInstant | undefined;
  /** the clock by which the state was read: of this machine for files, of the server for a control plane */
  read?: CapturedInstant | undefined;
  /**
   * if the state is one instant of a recording: from when to when that reaches, and the paths to read all of it from; absent if it
   * came from stdin, which can be read only once
   */
  recorded?: (RecordedSpan & { paths?: readonly string[] }) | undefined;
  /** the newest time in the files; kubectl prints no time of capture; this is its best estimate */
  newestTimestamp?: NewestTimestamp | undefined;
  /** flags and versions of Karmada's components, if their Deployments or Pods are in the state */
  components: ObservedComponents;
  /** Karmada's version by what its API serves, if it was asked */
  detected?: DetectedVersion | undefined;
  /** what the user of the simulation that saved the state said about Karmada */
  assumed?: SavedAssumptions | undefined;
  /** one line each: what may not mean what its author intended */
  warnings: string[];
}

export interface CapturedInstant {
  /** epoch milliseconds */
  time: number;
  /** "the clock of the API server" */
  source: string;
}

/** From when to when a recording reaches, in epoch milliseconds. */
export interface RecordedSpan {
  /** its file, with the path inside an archive after a colon; of several the last */
  file: string;
  from: number;
  to: number;
  /** its end was not written: the recorder was killed, or the file is not whole */
  isTorn: boolean;
}

/** How Karmada was started, if no state shows it. */
export interface SavedAssumptions {
  /** "v1.17.3" */
  version?: string;
  gatesAndFlags: Assumption[];
}

export interface DetectedVersion {
  /** "v1.18"; if the API fits several, the newest of them */
  version: string;
  /** "the API has …" */
  source: string;
}

export interface Origin {
  /** as given, with the path inside an archive after a colon: "dump.tgz:clusters.json" */
  name: string;
  objects: number;
}

export interface NewestTimestamp {
  /** epoch milliseconds */
  time: number;
  /** the object that carries it */
  object: ObjectIdentity;
}
