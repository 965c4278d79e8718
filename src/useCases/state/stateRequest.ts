import type { HostComponents } from '../../state/live/hostComponents.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { LiveOptions } from '../../state/source.ts';
import type { Position } from '../../state/position.ts';
import type { ScenarioFile } from '../../state/scenario/scenarioFile.ts';

/** The state to read, and assumptions for missing facts. */
export interface StateRequest {
  source: FileSource | LiveSource;
  /** the instant to use as now: epoch milliseconds, and the text as written */
  at?: { time: number; text: string } | undefined;
  /** Karmada's feature gates and flags: each is NAME=VALUE */
  assume?: readonly string[] | undefined;
  /** Karmada's version: what `parseVersion` takes, or "head" */
  version?: string | undefined;
  /** whether workloads are selected by labels, for which templates must be read */
  labels?: boolean;
}

/** A state of a live control plane, which can be followed and changed. */
export interface LiveRequest extends StateRequest {
  source: LiveSource;
}

export interface FileSource {
  files: readonly string[];
}

/** A control plane, and optionally the cluster that it runs in. */
export interface LiveSource {
  connect(): Promise<ApiServer>;
  /** resolves to a function that reads how the components were started there */
  connectHost?: (() => Promise<() => Promise<HostComponents>>) | undefined;
}

/** The parts of a state to read: everything if nothing is set. */
export interface Reading {
  /** kinds of objects; others are not read */
  kinds?: ReadonlySet<string> | undefined;
  /** a scenario whose assumptions and start apply unless the request overrides them */
  scenario?: OpenedScenario | undefined;
  live?: LiveOptions | undefined;
}

/** A scenario file after reading. */
export interface OpenedScenario {
  /** its name in messages, with the input that names it */
  source: string;
  path: string;
  file: ScenarioFile;
  /** where a field of the file is; absent: unknown */
  at?: (path: string) => Position;
}
