import type { Configuration } from '../../karmada/configuration.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import type { Look } from './controller.ts';
import type { Member } from './kinds.ts';
import type { View } from './view.ts';

/** Milliseconds that an agent that starts waits until it is the leader, and works. */
export function electionWait({ agent }: Configuration): number {
  return agent['leader-elect'] ? agent['leader-elect-lease-duration'] : 0;
}

/**
 * Whether the process works that handles a cluster: the controller manager for Push members, the member's karmada-agent for
 * Pull members. A cluster that is Ready has an agent that works.
 */
export function isHandled(
  { view, now, configuration }: Pick<Look<unknown>, 'view' | 'now' | 'configuration'>,
  name: string,
): boolean {
  const cluster = view.get('Cluster', name);
  const member = view.get('Member', name);
  const agent = member?.agent;
  if (cluster?.spec?.syncMode !== 'Pull' || !agent) return true;
  if (!answers(member)) return false;
  return agent.running && (isReady(cluster) || now >= agent.since + electionWait(configuration));
}

/** Milliseconds until the process works that handles a cluster whose agent has just started. */
export function handledAfter(view: View, name: string, configuration: Configuration): number {
  const waits = view.get('Member', name)?.agent && !isReady(view.get('Cluster', name));
  return waits ? electionWait(configuration) : 0;
}

/** Whether the API server of a member answers. */
export function answers({ answers, up }: Member): boolean {
  return answers ?? up;
}

/** Whether the API server of a cluster's member answers; of one that nobody simulates, its condition tells. */
export function isUp(view: View, cluster: string): boolean {
  const member = view.get('Member', cluster);
  return member ? answers(member) : isReady(view.get('Cluster', cluster));
}
