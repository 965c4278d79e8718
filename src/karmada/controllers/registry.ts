import { executionCluster } from '../api/names.ts';
import type { GracefulEvictionTask } from '../api/work.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { startsController, type KarmadaController } from '../dialects/controllerList.ts';
import type { View } from './view.ts';

import {
  karmada,
  MANAGER,
  type ControllerFacts,
  type ControllerName,
  type EventReason,
  type LiveFacts,
} from './karmada.ts';
import { keysOf } from '../../kubernetes/json.ts';

export const controllerNames = keysOf(karmada);

/** The facts about a controller. */
export function factsOf(name: ControllerName): ControllerFacts {
  return karmada[name];
}

/** Whether a name is that of one of Karmada's controllers, and not of a scenario, a drain or a user. */
export function isController(name: string): name is ControllerName {
  return Object.hasOwn(karmada, name);
}

/** The controller as users know it: the taint manager includes the eviction queues and their pace. */
export function userFacingName(name: string): string {
  return (isController(name) ? factsOf(name).partOf : null) ?? name;
}

/** The controllers whose keys are pairs. */
export type EvictionQueueName = {
  [Name in ControllerName]: (typeof karmada)[Name]['keys'] extends 'pair' ? Name : never;
}[ControllerName];

/** Whether a controller's keys are pairs of a cluster and a binding that waits there for its eviction. */
export function isEvictionQueue(name: string): name is EvictionQueueName {
  return isController(name) && factsOf(name).keys === 'pair';
}

/**
 * The source component of this controller's Events about an object, namespaced or not; undefined if it writes none. A
 * part uses the source of the whole controller.
 */
export function eventSource(name: string, reason: EventReason, namespaced: boolean): string | undefined {
  const whole = userFacingName(name);
  const events = isController(whole) ? factsOf(whole).events : null;
  return events?.reasons.includes(reason) ? events.sources?.[namespaced ? 0 : 1] : undefined;
}

/** The controller that created an eviction task, by its producer; undefined if none of Karmada's did. */
export function evictorOf({ producer }: Pick<GracefulEvictionTask, 'producer'>): ControllerName | undefined {
  return controllerNames.find((name) => producer !== undefined && factsOf(name).producers.includes(producer));
}

/** The failover jobs that karmada-failover can take over from Karmada, by the names that users choose. */
export type Job = NonNullable<(typeof karmada)[ControllerName]['live']>['job'];

/** The requirements of each job, and the controllers that do it: one, with its parts. */
interface JobFacts extends LiveFacts {
  readonly job: Job;
  readonly controller: ControllerName;
  /** the entry of --controllers that starts Karmada's own */
  readonly list: KarmadaController;
}

const byJob = new Map(
  controllerNames.flatMap((controller) => {
    const { live, list } = karmada[controller];
    return live ? [[live.job, { ...live, controller, list }] as const] : [];
  }),
);

export const jobs: readonly Job[] = [...byJob.keys()];

/** The requirements of a job, and its controllers. */
export function jobFacts(job: Job): JobFacts {
  return byJob.get(job)!;
}

/** Whether gates, flags and controller lists start a controller. */
export function isStarted(name: ControllerName, configuration: Configuration): boolean {
  const { list, runs } = factsOf(name);
  if (list !== null && !startsController(configuration.controllerManager.controllers, list)) return false;
  return runs === 'always' || runs(configuration);
}

/**
 * The component that reconciles a controller's key: for a Pull member, the agent of its own cluster; undefined if the
 * controller is not one of Karmada's.
 */
export function processOf(name: string, key: string, view: View): Process | undefined {
  if (!isController(name)) return undefined;
  const { process } = factsOf(name);
  if (process !== 'agentsToo') return process;
  return agentFor(name, key, view) === undefined ? MANAGER : 'karmada-agent';
}

/** The Pull cluster whose agent reconciles a controller's key; undefined if no agent does. */
export function agentFor(name: string, key: string, view: View): string | undefined {
  if (!isController(name)) return undefined;
  const { process, keys } = factsOf(name);
  if (process !== 'agentsToo') return undefined;
  const cluster = keys === 'Cluster' ? key : executionCluster(key.slice(0, key.indexOf('/')));
  return cluster !== undefined && view.get('Member', cluster)?.agent ? cluster : undefined;
}

type Process = Exclude<ControllerFacts['process'], 'agentsToo'> | 'karmada-agent';
