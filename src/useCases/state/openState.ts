import type { ResumableWorld } from '../../engine/store/savedSimulation.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import { resolveConfiguration } from '../../karmada/resolveConfiguration.ts';
import type { ObservedComponents } from '../../state/componentFlags.ts';
import { stateFromFiles } from '../../state/fileSource.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type {
  LiveOptions,
  LoadedState,
  LoadOptions,
  SavedAssumptions,
  StateSource,
} from '../../state/source.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import type { ScenarioFile } from '../../state/scenarioFile.ts';
import { worldOfVersion } from '../../state/worldOfVersion.ts';
import type { AnsweredAssumption } from '../../views/assumptions.ts';
import { assumptionsFromFlags, assumptionsFromScenario } from './assumptions.ts';
import { connectFromFlags, connectionFlags, type ConnectionFlags } from '../../cli/connection.ts';
import { chooseDialect } from './chooseDialect.ts';
import { UserError } from '../../cli/errors.ts';
import { startProgress } from '../../terminal/progress.ts';
import { instantOfState } from './instantOfState.ts';
import { sayWarning } from '../../terminal/messages.ts';

/** Where a state is read from: files, or a control plane and perhaps the cluster that it runs in. */
export interface SourceFlags extends ConnectionFlags {
  state?: string[] | undefined;
  'host-kubeconfig'?: string | undefined;
  'host-context'?: string | undefined;
  'host-namespace'?: string | undefined;
}

export interface StateFlags extends SourceFlags {
  /** labels are those of the templates, which are then read, too */
  selector?: string | undefined;
  at?: string | undefined;
  assume?: string[] | undefined;
  'karmada-version'?: string | undefined;
}

/** A control plane as a command looks at it: the world, the instant, and how Karmada was started. */
export interface OpenedState {
  world: ResumableWorld;
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  karmadaVersion: string;
  /** the instant, the version, then every gate and flag */
  assumptions: AnsweredAssumption[];
  /** what the user has said of Karmada, now or to the simulation that saved the state */
  assumed: SavedAssumptions;
  /** as it was read */
  loaded: LoadedState;
  /** where it was read from, if that is a live control plane */
  server?: ApiServer;
}

/** A scenario file, whose assumptions and start count where flags say nothing else. */
export interface OpenedScenario {
  /** the flag that names it */
  flag: '--scenario' | '--scenario-to';
  path: string;
  file: ScenarioFile;
}

/**
 * The state that flags name: files with --state, else the live control plane of the kubeconfig. Kinds of objects
 * that a command does not look at are not read, and neither are, of a live one, templates that `live` does not
 * ask for. Warnings go to stderr.
 */
export async function openState(
  flags: StateFlags,
  kinds?: ReadonlySet<string>,
  scenario?: OpenedScenario,
  live?: LiveOptions,
): Promise<OpenedState> {
  const templates = live?.templates ?? templatesFor(flags.selector);
  const { state, server } = await readState(flags, {
    ...(kinds ? { kinds } : {}),
    live: { ...live, templates },
  });
  const { dialect, assumption: version, warning } = chooseDialect(flags['karmada-version'], state);
  const given = [
    ...(state.assumed?.gatesAndFlags ?? []),
    ...(scenario ? assumptionsFromScenario(scenario.file.assume, scenario.path, dialect) : []),
    ...assumptionsFromFlags(flags.assume ?? [], dialect),
  ];
  const { configuration, values, warnings } = resolveConfiguration(
    dialect,
    state.components.commandLines,
    given,
  );
  for (const text of [...state.warnings, ...state.components.warnings, ...warnings, ...(warning ?? [])])
    sayWarning(text);
  const { now, assumption: instant } = instantOfState(flags.at, state, scenario?.file.start);
  return {
    world: state.world,
    loaded: state,
    now,
    configuration,
    karmadaVersion: dialect.version,
    assumptions: [instant, version, ...values],
    assumed: {
      ...((flags['karmada-version'] ?? state.assumed?.version) && { version: dialect.version }),
      gatesAndFlags: given,
    },
    ...(server ? { server } : {}),
  };
}

/** Labels are those of the templates. */
function templatesFor(selector: string | undefined): LiveOptions['templates'] {
  return selector === undefined ? undefined : { metadataOnly: true };
}

/**
 * The same for commands that write nothing: fields and kinds that the version whose behaviour applies does not know are left out, as
 * that version would see the control plane, and a warning says so.
 */
export async function openStateToRead(...asked: Parameters<typeof openState>): Promise<OpenedState> {
  const opened = await openState(...asked);
  const { karmadaVersion, configuration } = opened;
  const { world, warnings } = asVersionSees(opened.world, karmadaVersion, configuration.rules);
  for (const warning of warnings) sayWarning(warning);
  return { ...opened, world };
}

/**
 * A state with all that a simulation goes by, if only some kinds of a live control plane were read at first: then it is read
 * anew, with its clock. What the first reading has warned of is not said again.
 */
export async function readWhole(opened: OpenedState, { at, selector }: StateFlags): Promise<OpenedState> {
  const { server } = opened;
  if (!server) return opened;
  const { stateFromControlPlane } = await import('../../state/live/liveSource.ts');
  const live = { templates: templatesFor(selector) };
  const loaded = await load(stateFromControlPlane(server, { detectVersion: false }), { live });
  const whole = { ...opened, loaded, world: loaded.world, now: instantOfState(at, loaded).now };
  const { karmadaVersion, configuration } = opened;
  const { world, warnings } = asVersionSees(loaded.world, karmadaVersion, configuration.rules);
  const said = new Set([
    ...opened.loaded.warnings,
    ...asVersionSees(opened.loaded.world, karmadaVersion, configuration.rules).warnings,
  ]);
  for (const warning of [...loaded.warnings, ...warnings]) if (!said.has(warning)) sayWarning(warning);
  return { ...whole, world };
}

/** A world as a version would see it, and what to say of what that leaves out. */
export function asVersionSees(
  all: ResumableWorld,
  version: string,
  rules: Rules,
): { world: ResumableWorld; warnings: string[] } {
  const { world, left } = worldOfVersion(all, rules);
  const owners = new Map<string, string[]>();
  for (const { path, kind, objects, first } of left) {
    const what =
      path === undefined ? `has no ${kind}; left out:` : `does not know ${path}; it is left out of`;
    const others = objects > 1 ? ` and ${objects - 1} more` : '';
    owners.set(what, [
      ...(owners.get(what) ?? []),
      `${path === undefined ? '' : `${kind} `}${first}${others}`,
    ]);
  }
  const warnings = [...owners].map(([what, objects]) => `${version} ${what} ${objects.join(', ')}`);
  return { world, warnings };
}

/** Reads the state that flags name, as it is. Rejects with a UserError where they name two sources. */
export async function readState(
  flags: SourceFlags & { 'karmada-version'?: string | undefined },
  options: LoadOptions = {},
): Promise<{ state: LoadedState; server?: ApiServer }> {
  const { state: paths = [] } = flags;
  refuseTwoSources(flags);
  if (paths.length > 0) {
    const state = await load(stateFromFiles(paths), options);
    if (!state.captured && state.origins.every(({ objects }) => objects === 0))
      throw new UserError(
        `--state ${paths.join(', ')}: holds no object; give what kubectl get clusters,resourcebindings,… -A -o json prints, or a snapshot (docs/state.md)`,
      );
    return { state };
  }
  const [{ stateFromControlPlane }, server] = await Promise.all([
    import('../../state/live/liveSource.ts'),
    connectFromFlags(flags, true),
  ]);
  const host = await hostFromFlags(flags);
  const source = stateFromControlPlane(server, {
    ...(host ? { host } : {}),
    detectVersion: flags['karmada-version'] === undefined,
  });
  try {
    return { state: await load(source, options), server };
  } catch (error) {
    server.close();
    throw error;
  }
}

const HOST_FLAGS = ['host-kubeconfig', 'host-context', 'host-namespace'] as const;

function refuseTwoSources(flags: SourceFlags): void {
  if (!flags.state?.length) return;
  const live = [...Object.keys(connectionFlags), ...HOST_FLAGS] as (keyof ConnectionFlags)[];
  const given = live.filter((name) => flags[name] !== undefined);
  if (given.length > 0)
    throw new UserError(
      `--state reads files and --${given.join(', --')} a live control plane; give one or the other`,
    );
}

async function hostFromFlags(flags: SourceFlags): Promise<(() => Promise<ObservedComponents>) | undefined> {
  const { 'host-kubeconfig': kubeconfig, 'host-context': context, 'host-namespace': namespace } = flags;
  if (kubeconfig === undefined && context === undefined) {
    if (namespace === undefined) return undefined;
    throw new UserError(
      '--host-namespace says where in the host cluster Karmada runs; name that cluster with --host-context or --host-kubeconfig',
    );
  }
  const [{ hostComponents }, server] = await Promise.all([
    import('../../state/live/hostComponents.ts'),
    connectFromFlags({
      kubeconfig: kubeconfig ?? flags.kubeconfig,
      context,
      'request-timeout': flags['request-timeout'],
    }),
  ]);
  return () => hostComponents(server, namespace).finally(() => server.close());
}

/** Of a live control plane, reading fewer objects takes no second. */
const FEW_OBJECTS = 2000;

async function load(source: StateSource, options: LoadOptions): Promise<LoadedState> {
  const progress = startProgress(process.stderr);
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
