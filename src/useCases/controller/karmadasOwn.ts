import { parseFeatureGates, type CommandLine } from '../../karmada/configuration/commandLine.ts';
import { factsOf, jobFacts, type Job } from '../../karmada/controllers/registry.ts';
import type { ControllerFacts } from '../../karmada/controllers/karmada.ts';
import { startsController } from '../../karmada/dialects/controllerList.ts';
import type { Dialect } from '../../karmada/dialects/dialects.ts';
import { resolveConfiguration } from '../../karmada/configuration/resolveConfiguration.ts';
import type { RunRefusal } from './refusal.ts';

/**
 * The controllers of karmada-controller-manager that do what ours would do, by how it was started.
 *
 * @param dialect of the version that runs there, whatever rules ours follow
 */
export function sameJobs(
  chosen: readonly Job[],
  line: CommandLine,
  dialect: Dialect,
): Extract<RunRefusal, { code: 'same-job' }>[] {
  const { configuration } = resolveConfiguration(dialect, [line], []);
  return chosen.flatMap((controller) => {
    const { controller: own, idle, karmadas } = jobFacts(controller);
    if (!isListed(line, factsOf(own).list) || idle(configuration) !== undefined) return [];
    const found = `${line.source} starts it (${startedBy(line)})`;
    return [{ code: 'same-job', controller, karmadas: karmadas.name, found, off: karmadas.off }];
  });
}

/** Whether --controllers has karmada-controller-manager start a controller. A design beside a release leaves that list out. */
function isListed({ flags }: CommandLine, list: ControllerFacts['list']): boolean {
  const given = flags.findLast(({ name }) => name === 'controllers')?.value ?? '*';
  return list === null || startsController(given, list);
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
