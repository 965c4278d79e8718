import type { ObjectIdentity } from '../karmada/api/meta.ts';
import type { ResumableWorld } from '../engine/store/savedSimulation.ts';
import type { Assumption } from '../karmada/assumptions.ts';
import type { ObservedComponents } from './componentFlags.ts';

/** Where a world comes from: files, or a live control plane. */
export interface StateSource {
  /**
   * Reads everything and returns a world whose objects have the shape that the engine expects. Throws
   * StateError for what the user can put right.
   */
  load(options?: LoadOptions): Promise<LoadedState>;
}

export interface LoadOptions {
  /** called now and then while reading, never more than once per read block */
  progress?: (progress: LoadProgress) => void;
  /** keep objects of these kinds alone; component flags and times are taken from all */
  kinds?: ReadonlySet<string>;
  /** what of a live control plane is read beside whole kinds; files are read as they are */
  live?: LiveOptions;
}

export interface LiveOptions {
  /** of the bindings only those of this namespace */
  namespace?: string | undefined;
  /** of the Works only those on clusters that workloads are being evicted from */
  worksOfEvictions?: boolean;
  /** resource templates, too; they only count where policies or templates change */
  templates?: TemplateOptions | undefined;
}

export interface TemplateOptions {
  /** kinds beside those that bindings and policies name */
  kinds?: readonly { apiVersion: string; kind: string }[];
  /** none are read if there are more bindings */
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
  /** the instant that the state shows, where its source tells it */
  captured?: CapturedInstant | undefined;
  /** kubectl prints no time of capture: the newest time of the state is the best estimate of it */
  newestTimestamp?: NewestTimestamp | undefined;
  /** flags and versions of Karmada's components, where their Deployments or Pods are in the state */
  components: ObservedComponents;
  /** Karmada's version by what its API serves, where it was asked */
  detected?: DetectedVersion | undefined;
  /** what somebody has said of Karmada to the simulation that saved the state */
  assumed?: SavedAssumptions | undefined;
  /** one line each: what was read and may not mean what its author thinks */
  warnings: string[];
}

export interface CapturedInstant {
  /** epoch milliseconds */
  time: number;
  /** "the clock of the API server" */
  source: string;
}

/** How Karmada was started, as far as no state tells it. */
export interface SavedAssumptions {
  /** "v1.17.3" */
  version?: string;
  gatesAndFlags: Assumption[];
}

export interface DetectedVersion {
  /** "v1.18"; where it cannot be told exactly, the newest that it may be */
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
