import type { ObservedComponents } from '../../state/componentFlags.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { LiveOptions } from '../../state/source.ts';
import type { ScenarioFile } from '../../state/scenarioFile.ts';

/** Which state is asked for, and what is taken for granted where it does not say. */
export interface StateRequest {
  source: FileSource | LiveSource;
  /** the instant to take for now: epoch milliseconds, and as it was written */
  at?: { time: number; text: string } | undefined;
  /** gates and flags of Karmada, each NAME=VALUE */
  assume?: readonly string[] | undefined;
  /** of Karmada, one that `parseVersion` or "head" takes */
  version?: string | undefined;
  /** whether workloads are chosen by labels, which are those of the templates */
  labels?: boolean;
}

export interface FileSource {
  files: readonly string[];
}

/** A control plane, and perhaps the cluster that it runs in. */
export interface LiveSource {
  connect(): Promise<ApiServer>;
  /** resolves with what reads how the components were started there */
  connectHost?: (() => Promise<() => Promise<ObservedComponents>>) | undefined;
}

/** What of a state is read: all where nothing is said. */
export interface Reading {
  /** kinds of objects; others are not looked at */
  kinds?: ReadonlySet<string> | undefined;
  /** a scenario whose assumptions and start count where the request says nothing else */
  scenario?: OpenedScenario | undefined;
  live?: LiveOptions | undefined;
}

/** A scenario file as it was read. */
export interface OpenedScenario {
  /** what it is called in messages, with the input that names it */
  source: string;
  path: string;
  file: ScenarioFile;
}
