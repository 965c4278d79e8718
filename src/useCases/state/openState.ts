import type { ResumableWorld } from '../../simulator/store/savedSimulation.ts';
import type { AnsweredAssumption } from '../../karmada/configuration/assumptions.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { resolveConfiguration } from '../../karmada/configuration/resolveConfiguration.ts';
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
import type { Ports } from '../ports.ts';
import { Problem } from '../problem.ts';
import { assumptionsFromScenario, givenAssumptions } from './assumptions.ts';
import { chooseDialect } from './configurationOf.ts';
import { besideState, instantOfState } from './instantOfState.ts';
import type { Reading, StateRequest } from './stateRequest.ts';

/** A control plane as a command looks at it: the world, the instant, and how Karmada was started. */
export interface OpenedState {
  world: ResumableWorld;
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  karmadaVersion: string;
  /** the instant, the version, then every gate and flag */
  assumptions: AnsweredAssumption[];
  /** what the user has said about Karmada, now or to the simulation that saved the state */
  assumed: SavedAssumptions;
  /** the state as it was read */
  loaded: LoadedState;
  /** where it was read from, if that is a live control plane */
  server?: ApiServer;
}

/**
 * Reads the state that is asked for: only the kinds of `reading`, and of a live control plane only the templates that
 * `live` asks for. Rejects with a Problem, or with the source's error.
 */
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
  const { configuration, values, warnings } = resolveConfiguration(
    dialect,
    state.components.commandLines,
    given,
    names,
    guessed,
  );
  for (const text of [...state.warnings, ...state.components.warnings, ...warnings, ...(warning ?? [])])
    ports.warn(text);
  const { now, assumption: instant } = instantOfState(request.at, state, names, scenario?.file.start);
  if (request.at !== undefined || server === undefined) besideState(now, state).forEach(ports.warn);
  if (state.recorded) noteOfRecording(state.recorded, now, ports);
  return {
    world: state.world,
    loaded: state,
    now,
    configuration,
    karmadaVersion: dialect.version,
    assumptions: [instant, version, ...values],
    assumed: {
      ...((request.version ?? state.assumed?.version) && { version: dialect.version }),
      gatesAndFlags: given,
    },
    ...(server ? { server } : {}),
  };
}

/** Notes which instant of a recording is shown, if that is its end. */
function noteOfRecording({ from, to, isTorn }: RecordedSpan, now: number, { note, names }: Ports): void {
  if (now < to) return;
  const end = isTorn ? 'where the recording breaks off' : 'the end of the recording';
  note(`This is ${rfc3339(to)}, ${end}; ${names.at} TIME shows another moment since ${rfc3339(from)}.`);
}

/** Labels are on the templates. */
function templatesFor({ labels }: StateRequest): LiveOptions['templates'] {
  return labels ? { metadataOnly: true } : undefined;
}

/**
 * `openState` for a command that writes nothing: leaves out fields and kinds that the version does not know, as that
 * version would see the control plane, and warns about it.
 */
export async function openStateToRead(
  request: StateRequest,
  ports: Ports,
  reading?: Reading,
): Promise<OpenedState> {
  const opened = await openState(request, ports, reading);
  const { karmadaVersion, configuration } = opened;
  const { world, warnings } = asVersionSees(opened.world, karmadaVersion, configuration.rules);
  warnings.forEach(ports.warn);
  return { ...opened, world };
}

/**
 * A state with everything that a simulation needs. If only some kinds of a live control plane were read at first, it is
 * read anew, with its clock, and without the warnings of the first reading.
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
  const whole = {
    ...opened,
    loaded,
    world: loaded.world,
    now: instantOfState(request.at, loaded, ports.names).now,
  };
  const { karmadaVersion, configuration } = opened;
  const { world, warnings } = asVersionSees(loaded.world, karmadaVersion, configuration.rules);
  const said = new Set([
    ...opened.loaded.warnings,
    ...asVersionSees(opened.loaded.world, karmadaVersion, configuration.rules).warnings,
  ]);
  for (const warning of [...loaded.warnings, ...warnings]) if (!said.has(warning)) ports.warn(warning);
  return { ...whole, world };
}

/** A world as a version would see it, and the warning about what that leaves out. */
export function asVersionSees(
  all: ResumableWorld,
  version: string,
  rules: Rules,
): { world: ResumableWorld; warnings: string[] } {
  const { world, left } = worldOfVersion(all, rules);
  const owners = new Map<string, string[]>();
  const advice = new Map<string, string>();
  for (const { path, kind, form, objects, first } of left) {
    const whole = form === undefined ? kind : `${kind} with ${form}`;
    const what =
      path === undefined ? `has no ${whole}; left out:` : `does not know ${path}; it is left out of`;
    if (form !== undefined) advice.set(what, '; taint-policy convert gives them the other form');
    const others = objects > 1 ? ` and ${objects - 1} more` : '';
    owners.set(what, [
      ...(owners.get(what) ?? []),
      `${path === undefined ? '' : `${kind} `}${first}${others}`,
    ]);
  }
  const warnings = [...owners].map(
    ([what, objects]) => `${version} ${what} ${objects.join(', ')}${advice.get(what) ?? ''}`,
  );
  return { world, warnings };
}

/**
 * Reads the state that is asked for, as it is. Rejects with a Problem if files hold no object, or with the source's
 * error.
 */
export async function readState(
  { source, version }: Pick<StateRequest, 'source' | 'version'>,
  ports: Ports,
  options: LoadOptions = {},
): Promise<{ state: LoadedState; server?: ApiServer }> {
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

/** Fewer objects of a live control plane are read in less than a second: no progress is shown. */
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
