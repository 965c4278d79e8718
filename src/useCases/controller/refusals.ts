import type { Dialect } from '../../karmada/dialects/dialects.ts';
import type { ObservedComponents } from '../../state/componentFlags.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import type { Pause } from '../../operations/pause.ts';
import type { InputNames } from '../ports.ts';
import { Problem } from '../problem.ts';
import { observedLease, MANAGER_LEASE } from './observedLeases.ts';
import { notKept, refusedEffects } from './neededFields.ts';
import { jobFacts, type Job } from '../../karmada/controllers/registry.ts';
import type { IdleController, RunRefusal } from './refusal.ts';
import type { ControllerSettings } from './settings.ts';
import { listOf, parseFeatureGates, type CommandLine } from '../../karmada/configuration/commandLine.ts';
import { startsController, type KarmadaController } from '../../karmada/dialects/controllerList.ts';
import { resolveConfiguration } from '../../karmada/configuration/resolveConfiguration.ts';

interface Circumstances {
  settings: ControllerSettings;
  /** how Karmada's components were started, if their host cluster can be read */
  host: ObservedComponents | undefined;
  /** the running Karmada's dialect */
  running: Dialect;
  /** how karmada-controller-manager was started, according to the user */
  said: readonly string[];
  /** makes no request that needs write permission */
  observe: boolean;
  names: Pick<InputNames, 'assume'>;
  /** waits for an API server that has just started */
  pause: Pause;
  signal?: AbortSignal | undefined;
}

/**
 * All reasons not to run the chosen controllers on this control plane: Karmada's own controllers doing the same job,
 * an API that would drop fields they write, or settings that disable all of them. Throws a Problem if the user's
 * description of Karmada's flags cannot be parsed.
 */
export async function refusals(
  server: ApiServer,
  { settings, host, running, said, observe, names, pause, signal }: Circumstances,
): Promise<RunRefusal[]> {
  const { controllers, configuration } = settings;
  const idle = idleControllers(settings);
  if (idle.length === controllers.length) return [{ code: 'nothing-runs', controllers: idle }];
  const lacks = await notKept(server, controllers, configuration, { pause, signal });
  const effects = observe ? [] : await refusedEffects(server, controllers, configuration, { pause, signal });
  return [...lacks, ...effects, ...(await rivals())];

  async function rivals(): Promise<RunRefusal[]> {
    const line = host?.commandLines.find(({ component }) => component === 'controllerManager');
    const given = saidFlags(said, names.assume);
    if (!given)
      throw new Problem({
        code: 'settings',
        problems: [
          {
            place: names.assume,
            message: `${said.join(' ')} does not show the controllers of karmada-controller-manager; give controllers=*,-gracefulEviction, a feature gate such as Failover=false, or enable-taint-manager=false`,
          },
        ],
      });
    if (line) return sameJobs(controllers, { ...line, flags: withMessage(line, given) }, running);
    if (said.length > 0) return sameJobs(controllers, given, running);
    return withoutFlags(server, controllers);
  }
}

/** The chosen controllers that would do nothing with the given gates and flags. */
export function idleControllers({
  controllers,
  configuration,
}: Pick<ControllerSettings, 'controllers' | 'configuration'>): IdleController[] {
  return controllers.flatMap((controller) => {
    const needs = jobFacts(controller).idle(configuration);
    return needs ? [{ controller, needs }] : [];
  });
}

/** The refusals that follow from the Lease of Karmada's controller manager, if its flags are unknown. */
async function withoutFlags(server: ApiServer, controllers: readonly Job[]): Promise<RunRefusal[]> {
  const lease = `${MANAGER_LEASE.namespace}/${MANAGER_LEASE.name}`;
  const seen = await observedLease(server, MANAGER_LEASE);
  switch (seen.state) {
    case 'held':
      return [{ code: 'unknown-flags', controllers, lease, holder: seen.holder, renewed: seen.renewed }];
    case 'absent':
      return [{ code: 'unknown-manager', controllers, why: `there is no Lease ${lease}` }];
    case 'unknown':
      return [{ code: 'unknown-manager', controllers, why: seen.why }];
    case 'expired':
    case 'free':
      return [];
  }
}

/**
 * The controllers of karmada-controller-manager that do the same jobs as ours, by how it was started.
 *
 * @param dialect of the running version, whatever rules ours follow
 */
function sameJobs(
  chosen: readonly Job[],
  line: CommandLine,
  dialect: Dialect,
): Extract<RunRefusal, { code: 'same-job' }>[] {
  const { configuration } = resolveConfiguration(dialect, [line], []);
  return chosen.flatMap((controller) => {
    const { list, idle, karmadas } = jobFacts(controller);
    if (!isListed(line, list) || idle(configuration) !== undefined) return [];
    const found = `${line.source} starts it (${startedBy(line)})`;
    return [{ code: 'same-job', controller, karmadas: karmadas.name, found, off: karmadas.off }];
  });
}

/** Whether --controllers has karmada-controller-manager start a controller; without the flag, it starts all. */
function isListed(line: CommandLine, list: KarmadaController): boolean {
  return startsController(listOf(line, 'controllers') ?? '*', list);
}

/** The flags of a command line combined with the user's: a list of controllers from the user replaces the one read. */
function withMessage(line: CommandLine, { flags }: CommandLine): CommandLine['flags'] {
  const isSaid = flags.some(({ name }) => name === 'controllers');
  return [...line.flags.filter(({ name }) => !isSaid || name !== 'controllers'), ...flags];
}

const DECISIVE = new Set([
  'controllers',
  'feature-gates',
  'enable-taint-manager',
  'enable-no-execute-taint-eviction',
]);

/** The flags that decide which controllers start, as given. */
function startedBy({ flags }: CommandLine): string {
  const given = flags.filter(({ name }) => DECISIVE.has(name));
  return given.length === 0 ? 'by default' : given.map(({ name, value }) => `--${name}=${value}`).join(' ');
}

/**
 * How karmada-controller-manager was started, according to the user: "controllers=*,-gracefulEviction",
 * "Failover=true", "enable-taint-manager=false". Undefined for texts of another form.
 */
function saidFlags(texts: readonly string[], source: string): CommandLine | undefined {
  const flags = texts.map((text) => {
    const at = text.indexOf('=');
    const [name, value] = [text.slice(0, at).replace(/^--/, ''), text.slice(at + 1)];
    if (at < 1 || value === '') return undefined;
    if (DECISIVE.has(name)) return { name, value };
    return /^[A-Z]\w+$/.test(name) && parseFeatureGates(text).length === 1
      ? { name: 'feature-gates', value: text }
      : undefined;
  });
  if (flags.includes(undefined)) return undefined;
  return { component: 'controllerManager', flags: flags.filter((flag) => flag !== undefined), source };
}
