import { startsApplicationFailover } from '../../karmada/application/applicationFailover.ts';
import { evictsByTaints } from '../../karmada/taints/taintEviction.ts';
import { parseFeatureGates, type CommandLine } from '../../karmada/configuration/commandLine.ts';
import { startsController, type KarmadaController } from '../../karmada/dialects/controllerList.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Dialect } from '../../karmada/dialects/dialect.ts';
import { resolveConfiguration } from '../../karmada/configuration/resolveConfiguration.ts';
import type { OurController } from './ourControllers.ts';
import type { Refusal } from './refusal.ts';

/** Karmada's own controller for a job. */
interface KarmadasOwn {
  /** its name in messages */
  name: string;
  /** the entry of --controllers that starts it */
  entry: KarmadaController;
  /** whether it acts once it is started, by the gates and flags of the version */
  acts(configuration: Configuration): boolean;
  /** what turns it off */
  off: string;
}

/**
 * Which controller of karmada-controller-manager does the job of each of ours
 * (cmd/controller-manager/app/controllermanager.go).
 */
export const karmadasOwn: Record<OurController, KarmadasOwn> = {
  'cluster-taint-policy': {
    name: 'clustertaintpolicy',
    entry: 'clustertaintpolicy',
    acts: ({ rules, featureGates }) => rules.taints.clusterTaintPolicies && featureGates.Failover,
    off: '--controllers=*,-clustertaintpolicy',
  },
  'taint-manager': {
    name: 'the taint manager',
    entry: 'cluster',
    acts: evictsByTaints,
    off: '--enable-taint-manager=false',
  },
  'graceful-eviction': {
    name: 'gracefulEviction',
    entry: 'gracefulEviction',
    acts: ({ rules, featureGates }) =>
      rules.eviction.taskControllers === 'always' || featureGates.GracefulEviction,
    off: '--controllers=*,-gracefulEviction',
  },
  'application-failover': {
    name: 'applicationFailover',
    entry: 'applicationFailover',
    acts: startsApplicationFailover,
    off: '--controllers=*,-applicationFailover',
  },
};

/**
 * The controllers of karmada-controller-manager that do what ours would do, by how it was started.
 *
 * @param dialect of the version that runs there, whatever rules ours follow
 */
export function sameJobs(
  chosen: readonly OurController[],
  line: CommandLine,
  dialect: Dialect,
): Extract<Refusal, { code: 'same-job' }>[] {
  const { configuration } = resolveConfiguration(dialect, [line], []);
  return chosen.flatMap((controller) => {
    const { name, entry, acts, off } = karmadasOwn[controller];
    if (!isStarted(line, entry) || !acts(configuration)) return [];
    const found = `${line.source} starts it (${startedBy(line)})`;
    return [{ code: 'same-job', controller, karmadas: name, found, off }];
  });
}

/** Whether --controllers has karmada-controller-manager start a controller. */
function isStarted({ flags }: CommandLine, entry: KarmadaController): boolean {
  return startsController(flags.findLast(({ name }) => name === 'controllers')?.value ?? '*', entry);
}

const DECISIVE = new Set([
  'controllers',
  'feature-gates',
  'enable-taint-manager',
  'enable-no-execute-taint-eviction',
]);

/** The flags that decide which controllers start, as they are given. */
function startedBy({ flags }: CommandLine): string {
  const given = flags.filter(({ name }) => DECISIVE.has(name));
  return given.length === 0 ? 'by default' : given.map(({ name, value }) => `--${name}=${value}`).join(' ');
}

/**
 * How karmada-controller-manager was started, as the user says: "controllers=*,-gracefulEviction", "Failover=true",
 * "enable-taint-manager=false". Undefined for texts of another form.
 */
export function saidFlags(texts: readonly string[], source: string): CommandLine | undefined {
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
