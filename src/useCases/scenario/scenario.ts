import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import * as Flags from '@oclif/core/flags';
import { ScenarioError } from '../../engine/simulation/scenarioWrites.ts';
import { isReady } from '../../engine/objects/clusterReadiness.ts';
import type { Scenario, ScenarioAction, ScenarioEvent } from '../../engine/scenario.ts';
import { OTHER_ORDERS } from '../../engine/simulation/otherOrders.ts';
import { simulate, type SimulateOptions } from '../../engine/simulation/simulate.ts';
import type { Simulation } from '../../engine/simulation/simulation.ts';
import type { ResumableWorld } from '../../engine/store/savedSimulation.ts';
import type { World } from '../../engine/world.ts';
import type { KubernetesObject, TaintEffect } from '../../karmada/api/meta.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { formatDuration, instant, parseDuration } from '../../kubernetes/time.ts';
import { stateFromFiles } from '../../state/fileSource.ts';
import type { Moment } from '../../state/fieldReader.ts';
import { problemOfPatch } from '../../state/patchedObject.ts';
import { systemProblem } from '../../state/systemProblem.ts';
import { parseScenario, resolveScenario, usualMembers, type ScenarioFile } from '../../state/scenarioFile.ts';
import type { AnsweredAssumption } from '../../views/assumptions.ts';
import { duration } from '../../views/duration.ts';
import { nearMatches } from '../../views/nearMatches.ts';
import { scenarioTitle } from '../../views/scenarioTitle.ts';
import { UserError, withSuggestion } from '../../cli/errors.ts';
import type { OpenedScenario } from '../state/openState.ts';
import { memberFlags } from '../../cli/flags.ts';
import { givenDuration, knownCluster, subjectAndDelay } from '../selection/subject.ts';
import { startProgress } from '../../terminal/progress.ts';
import { sayWarning } from '../../terminal/messages.ts';

const many = { multiple: true, multipleNonGreedy: true } as const;

/** What happens to the control plane in a simulation. */
export const scenarioFlags = {
  fail: Flags.string({
    summary: 'this member cluster fails, at the start or after a duration',
    helpValue: 'CLUSTER[@DURATION]',
    ...many,
  }),
  recover: Flags.string({
    summary: 'this member cluster is back after a duration',
    helpValue: 'CLUSTER@DURATION',
    ...many,
  }),
  'fail-region': Flags.string({
    summary: 'all clusters of this region fail',
    helpValue: 'REGION[@DURATION]',
    ...many,
  }),
  'fail-zone': Flags.string({
    summary: 'all clusters of this zone fail',
    helpValue: 'ZONE[@DURATION]',
    ...many,
  }),
  taint: Flags.string({
    summary: 'this cluster gets a taint, CLUSTER:KEY[=VALUE]:EFFECT[@DURATION]; a - at the end takes it away',
    helpValue: 'CLUSTER:TAINT',
    ...many,
  }),
  apply: Flags.string({
    summary: 'manifests applied at the start: what would this policy change do?',
    helpValue: 'FILE',
    ...many,
  }),
  scenario: Flags.string({
    summary: 'a file that says what happens and what is assumed (docs/scenario.md)',
    helpValue: 'FILE',
  }),
  until: Flags.string({
    summary: 'when to stop: a time or a duration; default: when nothing more happens',
    helpValue: 'TIME|DURATION',
  }),
  'save-state': Flags.string({
    summary:
      'write the state at the end to a file, which --state takes: a simulation from there goes on as this one would',
    helpValue: 'FILE',
  }),
  ...memberFlags,
};

export interface ScenarioFlags {
  fail?: string[] | undefined;
  recover?: string[] | undefined;
  'fail-region'?: string[] | undefined;
  'fail-zone'?: string[] | undefined;
  taint?: string[] | undefined;
  apply?: string[] | undefined;
  until?: string | undefined;
  'ready-after'?: string | undefined;
}

/** Reads the scenario file that a flag names. Throws a UserError or StateError that names the file and the field. */
export async function readScenario(
  path: string | undefined,
  flag: OpenedScenario['flag'] = '--scenario',
): Promise<OpenedScenario | undefined> {
  if (path === undefined) return undefined;
  return { flag, path, file: parseScenario(await parseNamed(flag, path, await readNamed(flag, path)), path) };
}

/** The text of a file that a flag names, "-" for stdin. Rejects with a UserError that names both. */
export async function readNamed(flag: string, path: string): Promise<string> {
  if (path === '-' && process.stdin.isTTY)
    throw new UserError(`${flag} -: stdin is a terminal; pipe the text in, or name a file`);
  try {
    return await (path === '-' ? text(process.stdin) : readFile(path, 'utf8'));
  } catch (error) {
    throw new UserError(`${flag} ${path}: ${systemProblem(error as Error)}`);
  }
}

/** What YAML or JSON says, the text of a file that a flag names. Rejects with a UserError that names both, and the line. */
export async function parseNamed(flag: string, path: string, text: string): Promise<unknown> {
  const { parseAnyYaml, YamlProblem } = await import('../../state/yaml/anyYaml.ts');
  try {
    return parseAnyYaml(text, () => undefined);
  } catch (error) {
    if (error instanceof YamlProblem)
      throw new UserError(`${flag} ${path}:${error.line + 1}: ${error.message}`);
    throw error;
  }
}

/** The scenario of a command, and what is said of it. */
export interface GivenScenario {
  scenario: Scenario;
  /** in words what happens, "" if nothing does */
  title: string;
  /** the flag and file that an event is from */
  sources: Sources;
}

/** "--apply policy.yaml", by the actions that are from there. */
export type Sources = ReadonlyMap<ScenarioAction, string>;

/** The scenario of a command: its file's, then what the flags say. */
export async function scenarioFromFlags(
  flags: ScenarioFlags,
  opened: OpenedScenario | undefined,
  world: ResumableWorld,
  start: number,
): Promise<GivenScenario> {
  const file = opened?.file;
  const source = `${opened?.flag} ${opened?.path}`;
  const events = [...(file?.events ?? [])];
  const sources = new Map(events.map(({ action }) => [action, source]));
  checkPatches(events, world, source);
  const files = new Map<ScenarioAction, string>();
  const add = (action: ScenarioAction, after: number) => void events.push({ at: { after }, action });

  for (const manifest of flags.apply ?? []) {
    const action: ScenarioAction = { type: 'apply', objects: await manifests(manifest) };
    if (action.objects.length === 0) throw new UserError(`--apply ${manifest}: holds no manifest`);
    files.set(action, manifest);
    sources.set(action, `--apply ${manifest}`);
    add(action, 0);
  }
  for (const given of flags.fail ?? []) {
    const { subject, after } = subjectAndDelay('--fail', given);
    add({ type: 'fail', cluster: knownCluster('--fail', subject, world) }, after);
  }
  for (const [flag, property] of [
    ['fail-region', 'region'],
    ['fail-zone', 'zone'],
  ] as const) {
    for (const given of flags[flag] ?? []) {
      const { subject, after } = subjectAndDelay(`--${flag}`, given);
      const clusters = clustersIn(property, subject, world);
      for (const cluster of clusters) add({ type: 'fail', cluster }, after);
    }
  }
  for (const given of flags.taint ?? []) {
    const { subject, after } = subjectAndDelay('--taint', given);
    add(parseTaint(subject, world), after);
  }
  for (const given of flags.recover ?? []) {
    const { subject, after } = subjectAndDelay('--recover', given);
    if (after === 0) throw new UserError(`--recover ${given}: say when, as in ${subject}@10m`);
    add({ type: 'recover', cluster: knownCluster('--recover', subject, world) }, after);
  }

  const until = flags.until === undefined ? file?.until : moment('--until', flags.until);
  const readyAfter = flags['ready-after'];
  const merged: ScenarioFile = {
    assume: {},
    ...file,
    ...(until ? { until } : {}),
    members: {
      ...file?.members,
      ...(readyAfter === undefined ? {} : { workloadReadyAfter: givenDuration('--ready-after', readyAfter) }),
    },
    events,
  };
  const scenario = goingOn(resolveScenario(merged, start, usualMembers(world)), world);
  if (scenario.until !== undefined && scenario.until < scenario.start)
    throw new UserError(
      `${flags.until === undefined ? `until of ${source}` : `--until ${flags.until}`} lies before the start of the simulation, ${new Date(scenario.start).toISOString()}; give a later one`,
    );
  warnOfIdleTurns(scenario, world);
  return { scenario, title: scenarioTitle(scenario.events, files), sources };
}

/** What a simulation is called in which nothing happens that was asked for. */
export function uneventfulTitle({ simulation }: ResumableWorld): string {
  return simulation?.events.length ? 'As the saved simulation goes on' : 'If nothing happens from outside';
}

/** Says of members that fail when they are down, or come back when they are up, that this changes nothing. */
function warnOfIdleTurns({ start, events }: Scenario, { clusters, simulation }: ResumableWorld): void {
  const up = new Map(
    clusters.map((cluster): [string, boolean] => {
      const { name } = cluster.metadata;
      return [name, simulation?.members[name]?.up ?? isReady(cluster)];
    }),
  );
  for (const { at, action } of [...(simulation?.events ?? []), ...events].sort((a, b) => a.at - b.at)) {
    if (action.type === 'condition' && action.condition.type === 'Ready')
      up.set(action.cluster, action.condition.status === 'True');
    if (action.type !== 'fail' && action.type !== 'recover') continue;
    const turnsUp = action.type === 'recover';
    if (up.get(action.cluster) === turnsUp)
      sayWarning(
        `at T+${duration(at - start)} ${action.cluster} ${turnsUp ? 'comes back, but has not failed by then' : 'fails, but is down already'}: that changes nothing`,
      );
    up.set(action.cluster, turnsUp);
  }
}

/** Throws a UserError for a patch that makes an object of the world what it cannot be. */
export function checkPatches(
  events: readonly { action: ScenarioAction }[],
  world: World,
  source: string,
): void {
  for (const { action } of events) {
    if (action.type !== 'patch') continue;
    const problem = problemOfPatch(world, action.target, action.merge);
    if (problem !== undefined) throw new UserError(`${source}: ${problem}`);
  }
}

/**
 * In a world that a simulation has saved, what a scenario that began before has brought is not brought again, nor what the world
 * has kept of it.
 */
function goingOn(scenario: Scenario, { simulation }: ResumableWorld): Scenario {
  if (!simulation) return scenario;
  const { now } = simulation.queues;
  if (scenario.start >= now) return { ...scenario, start: now };
  const kept = (event: ScenarioEvent) => simulation.events.some((one) => deepEqual(one, event));
  return { ...scenario, start: now, events: scenario.events.filter((one) => one.at > now && !kept(one)) };
}

/** Whether a scenario or a flag says how long new replicas take. */
export function isReadyAfterGiven(
  opened: OpenedScenario | undefined,
  flags: Pick<ScenarioFlags, 'ready-after'>,
): boolean {
  return opened?.file.members.workloadReadyAfter !== undefined || flags['ready-after'] !== undefined;
}

/** What the simulation takes for granted of member clusters, which no control plane state tells. */
export function memberAssumptions(
  { members }: Scenario,
  given: boolean,
  { simulation }: ResumableWorld,
): AnsweredAssumption[] {
  return [
    {
      name: 'workloadReadyAfter',
      value: formatDuration(members.workloadReadyAfter),
      source: given ? 'given' : simulation ? 'saved with the state' : 'a guess; give --ready-after',
      assumed: true,
    },
  ];
}

/** Simulates; objects that a scenario names and the world does not have become the user's mistake. */
export function runScenario(
  world: ResumableWorld,
  scenario: Scenario,
  configuration: Configuration,
  options: SimulateOptions,
  sources: Sources = new Map(),
): Simulation {
  const progress = startProgress(process.stderr);
  try {
    return simulate(world, scenario, configuration, {
      otherOrders: OTHER_ORDERS,
      ...options,
      progress: (now) =>
        progress.report(`simulating T+${formatDuration(Math.floor((now - scenario.start) / 1000) * 1000)}`),
    });
  } catch (error) {
    throw scenarioProblem(error, sources);
  } finally {
    progress.done();
  }
}

/** What a scenario cannot bring is the user's mistake, and named with the file that it is from; other errors stay as they are. */
export function scenarioProblem(error: unknown, sources: Sources): unknown {
  if (!(error instanceof ScenarioError)) return error;
  const source = error.action && sources.get(error.action);
  return new UserError(source === undefined ? error.message : `${source}: ${error.message}`);
}

function moment(flag: string, text: string): Moment {
  const after = parseDuration(text);
  if (after !== undefined) return { after };
  const parsed = instant(text);
  if (Number.isNaN(parsed))
    throw new UserError(`${flag}: "${text}" is neither a duration such as 30m nor an RFC 3339 time`);
  return { instant: parsed };
}

function clustersIn(property: 'region' | 'zone', value: string, world: World): string[] {
  const valuesOf = ({ spec }: World['clusters'][number]) =>
    property === 'region' ? [spec?.region ?? ''] : [...(spec?.zones ?? []), spec?.zone ?? ''];
  const found = world.clusters.filter((cluster) => valuesOf(cluster).includes(value));
  if (found.length > 0) return found.map(({ metadata }) => metadata.name).sort();
  const known = [...new Set(world.clusters.flatMap(valuesOf))].filter((one) => one !== '').sort();
  throw new UserError(
    withSuggestion(
      `--fail-${property}: no cluster is in ${property} "${value}"`,
      nearMatches(value, known),
      known.length > 0 ? `there are ${known.join(', ')}` : `no cluster has a ${property}`,
    ),
  );
}

const TAINT = /^([^:]+):([^:=]+)(?:=([^:=]*))?:(NoSchedule|NoExecute)(-?)$/;

function parseTaint(text: string, world: World): ScenarioAction {
  const parts = TAINT.exec(text);
  if (!parts)
    throw new UserError(
      `--taint "${text}" is not CLUSTER:KEY[=VALUE]:NoSchedule|NoExecute, such as frankfurt:maintenance=network:NoExecute`,
    );
  const [, name, key, value, effect, minus] = parts as unknown as [
    string,
    string,
    string,
    string,
    TaintEffect,
    string,
  ];
  const cluster = knownCluster('--taint', name, world);
  if (minus) return { type: 'untaint', cluster, key, effect };
  return { type: 'taint', cluster, taint: { key, ...(value === undefined ? {} : { value }), effect } };
}

const read = new Map<string, Promise<KubernetesObject[]>>();

/**
 * All objects of a file of manifests, checked as a state is. It is read once: stdin cannot be read again.
 *
 * @param stdin what has been read of it already
 */
export function manifests(path: string, stdin?: string): Promise<KubernetesObject[]> {
  const known = read.get(path) ?? readManifests(path, stdin);
  read.set(path, known);
  return known;
}

async function readManifests(path: string, stdin?: string): Promise<KubernetesObject[]> {
  const chunks = stdin === undefined ? undefined : () => [Buffer.from(stdin)];
  const { world } = await stateFromFiles([path], chunks).load();
  return [
    ...world.clusters,
    ...world.taintPolicies,
    ...world.policies,
    ...world.others,
    ...world.bindings,
    ...world.works,
  ] as KubernetesObject[];
}
