import { applicationFailover } from '../../karmada/controllers/evictions/applicationFailover.ts';
import {
  bindingEviction,
  clusterBindingEviction,
} from '../../karmada/controllers/evictions/bindingEviction.ts';
import { clusterTaintPolicyController } from '../../karmada/controllers/clusters/clusterTaintPolicyController.ts';
import type { Controller } from '../../karmada/controllers/controller.ts';
import { evictionPaceTeller } from '../../karmada/controllers/evictions/evictionPace.ts';
import { evictionQueue } from '../../karmada/controllers/evictions/evictionQueue.ts';
import { gracefulEviction } from '../../karmada/controllers/evictions/gracefulEviction.ts';
import { taintManager } from '../../karmada/controllers/evictions/taintManager.ts';
import type { Followed } from '../../operations/controllers/liveView.ts';

/** The jobs of Karmada's failover that this program can do in its place, by the names that choose them. */
export const ourControllers = {
  'cluster-taint-policy': [clusterTaintPolicyController],
  'taint-manager': [taintManager, bindingEviction, clusterBindingEviction, evictionQueue, evictionPaceTeller],
  'graceful-eviction': [gracefulEviction],
  'application-failover': [applicationFailover],
} satisfies Record<string, readonly Controller[]>;

export type OurController = keyof typeof ourControllers;

export const controllerNames = Object.keys(ourControllers) as OurController[];

/**
 * The controllers that a list such as ["*", "-taint-manager"] chooses, as karmada-controller-manager's --controllers does: the first
 * entry that names one decides, "*" stands for all others.
 */
export function chosenControllers(list: readonly string[]): OurController[] {
  return controllerNames.filter((name) => {
    const decisive = list.find((entry) => entry === name || entry === `-${name}`);
    return decisive === undefined ? list.includes('*') : decisive === name;
  });
}

/** What the chosen ones read. */
export function followedBy(chosen: readonly OurController[]): Followed {
  return {
    bindings: chosen.some((name) => name !== 'cluster-taint-policy'),
    taintPolicies: chosen.includes('cluster-taint-policy'),
    interpreters: chosen.includes('application-failover'),
  };
}
