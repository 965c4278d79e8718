import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import { provenSwitches, withProven } from '../../analysis/explanation/failoverSwitch.ts';
import { conversionChecks } from '../../analysis/findings/conversion.ts';
import { type ConvertedInWorld, convertWorld } from '../../analysis/taintPolicy/conversion/convertWorld.ts';
import {
  unverified,
  type AnsweredAssumption,
  type DatedBasis,
} from '../../karmada/configuration/assumptions.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { rfc3339, rfc3339Milliseconds } from '../../kubernetes/time.ts';
import {
  resolveConfiguration,
  type ResolvedConfiguration,
} from '../../karmada/configuration/resolveConfiguration.ts';
import { stateFromFiles } from '../../state/fileSource.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type {
  LiveOptions,
  LoadedState,
  LoadOptions,
  RecordedSpan,
  SavedAssumptions,
  StateSource,
} from '../../state/source.ts';
import { worldOfVersion } from '../../state/world/worldOfVersion.ts';
import type { Ports, InputNames } from '../ports.ts';
import { Problem } from '../problem.ts';
import { assumptionsFromScenario, givenAssumptions } from './assumptions.ts';
import { convertedAnnotation } from '../taintPolicy/conversion/convertedAnnotation.ts';
import { chooseDialect } from './configurationOf.ts';
import { skippedNamespaces, type SkipsNamespace } from './skippedNamespaces.ts';
import type { LiveRequest, Reading, StateRequest } from './stateRequest.ts';

/** A control plane as commands see it: the world, the instant, and the configuration. */
export interface OpenedState extends DatedBasis {
  world: ResumableWorld;
  configuration: Configuration;
  /** the gates and flags among them that the objects prove to be on, each with its proof; absent: none */
  proven?: ReadonlyMap<string, string>;
  /** the user's assumptions about Karmada, now or to the simulation that saved the state */
  assumed: SavedAssumptions;
  skipsNamespace: SkipsNamespace;
  /** the state as read */
  loaded: LoadedState;
  /** the live control plane that it was read from, if any */
  server?: ApiServer;
}

/** A live control plane as commands see it. */
export interface LiveState extends OpenedState {
  server: ApiServer;
}

/** The parts of a state that answers need, whatever its source. */
export type KnownState = Omit<OpenedState, 'loaded' | 'assumed' | 'server' | 'skipsNamespace'>;

/**
 * Reads the requested state: only the kinds of `reading`, and from a live control plane only the templates that
 * `live` requests. Rejects with a Problem, or with the source's error.
 */
export function openState(request: LiveRequest, ports: Ports, reading?: Reading): Promise<LiveState>;
export function openState(request: StateRequest, ports: Ports, reading?: Reading): Promise<OpenedState>;
export async function openState(
  request: StateRequest,
  ports: Ports,
  { kinds, scenario, live }: Reading = {},
): Promise<OpenedState> {
  const templates = live?.templates ?? templatesFor(request);
  const { state, server } = await readState(request, ports, {
    ...(kinds ? { kinds } : {}),
    live: { ...live, templates },
    at: request.at?.time ?? scenario?.file.start,
  });
  const { names } = ports;
  const { dialect, assumption: version, warning, guessed } = chooseDialect(request.version, state, names);
  const given = [
    ...(state.assumed?.gatesAndFlags ?? []),
    ...(scenario ? assumptionsFromScenario(scenario.file.assume, scenario, dialect) : []),
    ...givenAssumptions(request.assume ?? [], dialect, names.assume),
  ];
  const resolved = resolveConfiguration(dialect, state.components.commandLines, given, names, guessed);
  const { warnings } = resolved;
  const { clusters, taintPolicies: policies, bindings } = state.world;
  const objects = { clusters, policies, bindings };
  const proven = provenSwitches(objects, resolved.configuration, unverified(resolved.values));
  const { configuration, values } = withProvenValues(resolved, proven);
  for (const text of [...state.warnings, ...state.components.warnings, ...warnings, ...(warning ?? [])])
    ports.warn(text);
  const { now, assumption: instant } = instantOfState(request.at, state, names, scenario?.file.start);
  if (request.at !== undefined || server === undefined) besideState(now, state).forEach(ports.warn);
  if (state.recorded) noteOfRecording(state.recorded, now, ports);
  const { world, converted } = convertedPolicies(readBefore(now, state), dialect.rules);
  return {
    world,
    loaded: state,
    now,
    configuration,
    karmadaVersion: dialect.version,
    assumptions: [instant, version, ...conversionAssumption(converted), ...values],
    ...(proven.size > 0 && { proven }),
    skipsNamespace: await skippedNamespaces(state.components.commandLines),
    assumed: {
      ...((request.version ?? state.assumed?.version) && { version: dialect.version }),
      gatesAndFlags: given,
    },
    ...(server ? { server } : {}),
  };
}

/** A configuration whose unverified defaults are corrected by proof from objects. */
export function withProvenValues<Resolved extends Pick<ResolvedConfiguration, 'configuration' | 'values'>>(
  resolved: Resolved,
  proven: ReadonlyMap<string, string>,
): Resolved {
  const open = unverified(resolved.values);
  const proofs = new Map([...proven].filter(([name]) => open.has(name)));
  return {
    ...resolved,
    configuration: withProven(resolved.configuration, proofs),
    // still unverified: the setting may have changed since
    values: resolved.values.map((one): AnsweredAssumption => {
      const proof = proofs.get(one.name);
      return proof === undefined ? one : { ...one, value: true, source: `it was true when ${proof}` };
    }),
  };
}

/** Notes which instant of a recording is shown, if it is the end. */
function noteOfRecording({ to, isTorn }: RecordedSpan, now: number, { note, names }: Ports): void {
  if (now < to) return;
  const end = isTorn ? 'where the recording is truncated' : 'the end of the recording';
  note(`State at ${rfc3339(to)}, ${end}; earlier: ${names.at} TIME`);
}

/** Labels are on the templates. */
function templatesFor({ labels }: StateRequest): LiveOptions['templates'] {
  return labels ? { metadataOnly: true } : undefined;
}

/** `openState` for a command that writes nothing: drops fields and kinds unknown to the version, with a warning. */
export function openStateToRead(request: LiveRequest, ports: Ports, reading?: Reading): Promise<LiveState>;
export function openStateToRead(request: StateRequest, ports: Ports, reading?: Reading): Promise<OpenedState>;
export async function openStateToRead(
  request: StateRequest,
  ports: Ports,
  reading?: Reading,
): Promise<OpenedState> {
  const opened = await openState(request, ports, reading);
  const { karmadaVersion, configuration } = opened;
  const { world, warnings } = worldAndWarning(opened.world, karmadaVersion, configuration.rules);
  warnings.forEach(ports.warn);
  return { ...opened, world };
}

/**
 * A state with everything that a simulation needs. If only some kinds of a live control plane were read at first, it
 * is reread, with its clock, and without repeating warnings.
 */
export async function readWhole(
  opened: OpenedState,
  request: StateRequest,
  ports: Ports,
): Promise<OpenedState> {
  const { server } = opened;
  if (!server) return opened;
  const { stateFromControlPlane } = await import('../../state/live/liveSource.ts');
  const live = { templates: templatesFor(request) };
  const loaded = await load(stateFromControlPlane(server, { detectVersion: false }), ports, { live });
  const { now } = instantOfState(request.at, loaded, ports.names);
  const { karmadaVersion, configuration } = opened;
  const { world, warnings } = worldAndWarning(readBefore(now, loaded), karmadaVersion, configuration.rules);
  const said = new Set([
    ...opened.loaded.warnings,
    ...worldAndWarning(opened.loaded.world, karmadaVersion, configuration.rules).warnings,
  ]);
  for (const warning of [...loaded.warnings, ...warnings]) if (!said.has(warning)) ports.warn(warning);
  return { ...opened, loaded, now, world };
}

/** The world of a state before any conversion for a version. */
export function worldAsRead({ now, loaded }: Pick<OpenedState, 'now' | 'loaded'>): ResumableWorld {
  return readBefore(now, loaded);
}

/** A world with its ClusterTaintPolicies in the form of a version, as its operator would have converted them. */
function convertedPolicies(world: ResumableWorld, rules: Rules) {
  return convertWorld(world, rules, ({ metadata }) => {
    const kept = convertedAnnotation({ metadata });
    return kept === 'invalid' ? undefined : kept;
  });
}

/** The note that policies were converted, with their names and the possible effect. */
function conversionAssumption(converted: readonly ConvertedInWorld[]): AnsweredAssumption[] {
  if (converted.length === 0) return [];
  const differs = [...new Set(converted.flatMap(({ differs }) => differs))];
  const changes = differs.map((code) => conversionChecks[code].title).join('; ');
  const policies = converted.map(({ policy }) => policy).join(', ');
  const source = `as taint-policy convert writes them: ${policies}${changes && `; they may act differently: ${changes}`}`;
  return [{ name: 'ClusterTaintPolicies', value: 'converted', source, assumed: true }];
}

/** The world of a state; if an instant after its capture (else newest time) is requested, with that as `readAt`. */
function readBefore(
  now: number,
  { world, captured, recorded, newestTimestamp }: LoadedState,
): ResumableWorld {
  const readAt = recorded ? undefined : (captured ?? newestTimestamp)?.time;
  return readAt !== undefined && readAt < now ? { ...world, readAt } : world;
}

/** A world as a version would see it, with ClusterTaintPolicies converted to its form, and warnings about omissions. */
export function worldAndWarning(
  all: ResumableWorld,
  version: string,
  rules: Rules,
): { world: ResumableWorld; converted: ConvertedInWorld[]; warnings: string[] } {
  const { world: inForm, converted } = convertedPolicies(all, rules);
  const { world, left } = worldOfVersion(inForm, rules);
  const owners = new Map<string, string[]>();
  for (const { path, kind, form, objects, first } of left) {
    const whole = form === undefined ? kind : `${kind} with ${form}`;
    const what =
      path === undefined ? `has no ${whole}; left out:` : `does not know ${path}; it is left out of`;
    const others = objects > 1 ? ` and ${objects - 1} more` : '';
    owners.set(what, [
      ...(owners.get(what) ?? []),
      `${path === undefined ? '' : `${kind} `}${first}${others}`,
    ]);
  }
  const warnings = [...owners].map(([what, objects]) => `${version} ${what} ${objects.join(', ')}`);
  return { world, converted, warnings };
}

interface ReadState {
  state: LoadedState;
  server?: ApiServer;
}

/** Reads the requested state, unchanged. Rejects with a Problem if files hold no object, or with the source's error. */
export function readState(
  request: Pick<LiveRequest, 'source' | 'version'>,
  ports: Ports,
  options?: LoadOptions,
): Promise<Required<ReadState>>;
export function readState(
  request: Pick<StateRequest, 'source' | 'version'>,
  ports: Ports,
  options?: LoadOptions,
): Promise<ReadState>;
export async function readState(
  { source, version }: Pick<StateRequest, 'source' | 'version'>,
  ports: Ports,
  options: LoadOptions = {},
): Promise<ReadState> {
  if ('files' in source) {
    const { files } = source;
    const state = await load(stateFromFiles([...files]), ports, options);
    if (!state.captured && !state.recorded && state.origins.every(({ objects }) => objects === 0))
      throw new Problem({ code: 'empty-state', files });
    return { state };
  }
  const [{ stateFromControlPlane }, server] = await Promise.all([
    import('../../state/live/liveSource.ts'),
    source.connect(),
  ]);
  const host = await source.connectHost?.();
  const live = stateFromControlPlane(server, {
    ...(host ? { host } : {}),
    detectVersion: version === undefined,
  });
  try {
    return { state: await load(live, ports, options), server };
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Fewer objects of a live control plane are read in under a second, so no progress is shown. */
const FEW_OBJECTS = 2000;

async function load(
  source: StateSource,
  { startProgress }: Ports,
  options: LoadOptions,
): Promise<LoadedState> {
  const progress = startProgress();
  try {
    return await source.load({
      ...options,
      progress({ reading, bytes, totalBytes, objects }) {
        if (bytes > 0) progress.report(`reading ${reading}`, bytes, totalBytes);
        else if (objects > FEW_OBJECTS) progress.report(`reading ${reading}, ${objects} objects so far`);
      },
    });
  } finally {
    progress.done();
  }
}

/** Milliseconds of tolerance: clocks differ, and reading a state takes a while. */
const TOLERANCE = 60_000;

/**
 * A warning if an instant is earlier than the state (whose past would then be in the future), or later than the clock
 * by which it was read.
 */
function besideState(
  now: number,
  { newestTimestamp: newest, read, world }: Pick<LoadedState, 'newestTimestamp' | 'read' | 'world'>,
): string[] {
  if (world.simulation) return [];
  const taken = `${rfc3339(now)} is used as the current time, but`;
  const clock = read && `${rfc3339(read.time)} by ${read.source}`;
  if (read && now > read.time + TOLERANCE)
    return [
      `${taken} it is ${clock}: deadlines before it count as passed, and later events are unknown; give an earlier time`,
    ];
  if (!newest || now >= newest.time - TOLERANCE) return [];
  const { kind, namespace, name } = newest.object;
  return [
    `${taken} the newest time in the state is ${rfc3339(newest.time)}, of ${kind} ${namespace ? `${namespace}/` : ''}${name}: earlier events count as future ones; give that time or a later one`,
  ];
}

/**
 * The instant to use as now, in epoch milliseconds. The first of these decides: the end of the simulation that saved
 * the state, the requested one, the start of a scenario, the end of a recording, the capture, the newest time in the
 * state (an assumption). Throws a Problem if there is none, or if a saved simulation ended at another instant.
 */
function instantOfState(
  at: StateRequest['at'],
  {
    captured,
    recorded,
    newestTimestamp: newest,
    world,
  }: Pick<LoadedState, 'captured' | 'recorded' | 'newestTimestamp' | 'world'>,
  names: InputNames,
  scenarioStart?: number,
): { now: number; assumption: AnsweredAssumption } {
  if (world.simulation) {
    const { now } = world.simulation.queues;
    if (at !== undefined && at.time !== now)
      throw new Problem({ code: 'instant-of-simulation', given: at.text, end: now });
    const value = rfc3339Milliseconds(now);
    return { now, assumption: { name: 'now', value, source: 'end of a simulation', assumed: false } };
  }
  if (at !== undefined) {
    const value = rfc3339(at.time);
    return { now: at.time, assumption: { name: 'now', value, source: names.at, assumed: false } };
  }
  if (scenarioStart !== undefined) {
    const value = rfc3339Milliseconds(scenarioStart);
    return { now: scenarioStart, assumption: { name: 'now', value, source: 'scenario', assumed: false } };
  }
  if (recorded) {
    const { from, to } = recorded;
    const source = `the end of the recording; give ${names.at} TIME for another moment since ${rfc3339(from)}`;
    return { now: to, assumption: { name: 'now', value: rfc3339Milliseconds(to), source, assumed: false } };
  }
  if (captured) {
    const { time, source } = captured;
    return { now: time, assumption: { name: 'now', value: rfc3339(time), source, assumed: false } };
  }
  if (!newest) throw new Problem({ code: 'no-instant', clusters: world.clusters.length });
  const { kind, namespace, name } = newest.object;
  return {
    now: newest.time,
    assumption: {
      name: 'now',
      value: rfc3339(newest.time),
      source: `the newest time in the state, of ${kind} ${namespace ? `${namespace}/` : ''}${name}; give ${names.at} TIME`,
      assumed: true,
    },
  };
}
