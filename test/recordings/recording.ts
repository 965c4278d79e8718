import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { KubernetesObject } from '../../src/karmada/api/meta.ts';
import { parseScenario, type ScenarioFile } from '../../src/state/scenario/scenarioFile.ts';
import { parseAnyYaml } from '../../src/state/yaml/anyYaml.ts';

/** One change, as the watch reported it. */
export interface Change {
  /** epoch milliseconds */
  time: number;
  resource: string;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: KubernetesObject;
}

/** A line of readiness.jsonl: a member's own report, or the state of its API server or agent. */
export type ReadinessRow =
  | {
      /** RFC 3339, to the millisecond */
      time: string;
      member: string;
      kind: string;
      namespace: string;
      name: string;
      /** desired replicas of the workload there, and ready ones; neither once it is gone */
      desired: number;
      ready: number;
    }
  | { time: string; member: string; process: string; running: boolean };

/** What was recorded of a control plane. */
export interface Recording {
  /** its folder */
  name: string;
  before: KubernetesObject[];
  /** in the order of time */
  changes: Change[];
  /** undefined if members were not recorded */
  readiness: ReadinessRow[] | undefined;
  scenario: ScenarioFile;
  /** the same with the real failures of members, long before Karmada noticed; undefined if unknown */
  failures: ScenarioFile | undefined;
  /** epoch milliseconds */
  start: number;
  until: number;
}

/**
 * Reads the recording of a folder: 01-before.json, watch.jsonl, scenario.yaml and, if present, readiness.jsonl and failures.yaml; each may
 * be gzipped. Throws if one of the first three is missing or the scenario has no start and end.
 */
export function readRecording(folder: string): Recording {
  const { items } = JSON.parse(text(folder, '01-before.json')) as { items: KubernetesObject[] };
  const scenario = readScenario(folder, 'scenario.yaml');
  const { start, until } = scenario;
  if (start === undefined || until === undefined) throw new Error(`${folder}: no start or no end`);
  const changes = lines<Omit<Change, 'time'> & { time: string }>(text(folder, 'watch.jsonl'))
    .map((row) => ({ ...row, time: Date.parse(row.time) }))
    .sort((a, b) => a.time - b.time);
  const readiness = find(folder, 'readiness.jsonl');
  return {
    name: basename(folder),
    before: items,
    changes,
    readiness: readiness ? lines(text(folder, 'readiness.jsonl')) : undefined,
    scenario,
    failures: find(folder, 'failures.yaml') ? readScenario(folder, 'failures.yaml') : undefined,
    start,
    until: 'instant' in until ? until.instant : start + until.after,
  };
}

function readScenario(folder: string, name: string): ScenarioFile {
  return parseScenario(
    parseAnyYaml(text(folder, name), () => undefined),
    join(folder, name),
  );
}

/** Whether a folder holds a recording that can be replayed. */
export function isRecording(folder: string): boolean {
  return ['01-before.json', 'watch.jsonl', 'scenario.yaml'].every((name) => find(folder, name));
}

function find(folder: string, name: string): string | undefined {
  return [join(folder, name), join(folder, `${name}.gz`)].find((file) => existsSync(file));
}

function text(folder: string, name: string): string {
  const file = find(folder, name);
  if (!file) throw new Error(`${folder} has no ${name}`);
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function lines<T>(content: string): T[] {
  return content
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
