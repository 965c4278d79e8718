import { startsController } from '../dialects/controllerList.ts';
import type { Rules } from '../dialects/rules.ts';
import type { Configuration, ControllerManagerFlags, FeatureGates } from './configuration.ts';

/**
 * A gate or flag of karmada-controller-manager without which NoExecute taints evict nothing. The controller that starts
 * the taint manager is listed only if --controllers leaves it out.
 */
export interface TaintEvictionSwitch {
  name: 'Failover' | 'enable-taint-manager' | 'enable-no-execute-taint-eviction' | 'the controller cluster';
  on: boolean;
}

interface Starting {
  rules: Configuration['rules'];
  featureGates: Pick<FeatureGates, 'Failover'>;
  controllerManager: Pick<ControllerManagerFlags, 'enable-taint-manager' | 'controllers'>;
}
interface Evicting {
  rules: Configuration['rules'];
  controllerManager: Pick<ControllerManagerFlags, 'enable-no-execute-taint-eviction'>;
}

/**
 * The switches that must be on for NoExecute taints to evict, if the version has them: the flag that starts the taint
 * manager, since v1.14 also the gate Failover, and the flag that lets it evict. In the design optimize-cluster-failover
 * the gate is the only one.
 */
export function taintEvictionSwitches(configuration: Starting & Evicting): TaintEvictionSwitch[] {
  return [...startingSwitches(configuration), ...evictingSwitches(configuration)];
}

/** Whether NoExecute taints evict bindings that do not tolerate them. */
export function evictsByTaints(configuration: Starting & Evicting): boolean {
  return startsTaintManager(configuration) && mayEvict(configuration);
}

/** Whether karmada-controller-manager starts the taint manager at all. */
export function startsTaintManager(configuration: Starting): boolean {
  return startingSwitches(configuration).every(({ on }) => on);
}

/** Whether the taint manager evicts, once it is started. */
export function mayEvict(configuration: Evicting): boolean {
  return evictingSwitches(configuration).every(({ on }) => on);
}

function startingSwitches(starting: Starting): TaintEvictionSwitch[] {
  const started = startsController(starting.controllerManager.controllers, 'cluster');
  return [
    ...gatesOfStart(starting),
    ...(started ? [] : [{ name: 'the controller cluster', on: false } as const]),
  ];
}

function gatesOfStart({ rules, featureGates, controllerManager }: Starting): TaintEvictionSwitch[] {
  const manager = { name: 'enable-taint-manager', on: controllerManager['enable-taint-manager'] } as const;
  const gate = { name: 'Failover', on: featureGates.Failover } as const;
  switch (rules.taints.taintManagerStart) {
    case 'flag':
      return [manager];
    case 'flagAndFailoverGate':
      return [gate, manager];
    case 'failoverGate':
      return [gate];
  }
}

function evictingSwitches({ rules, controllerManager }: Evicting): TaintEvictionSwitch[] {
  if (rules.taints.evictionSwitch === 'none') return [];
  const name = 'enable-no-execute-taint-eviction';
  return [{ name, on: controllerManager[name] }];
}

/** Whether a single queue, with a single rate, handles all clusters and both kinds of bindings. */
export function hasOneQueue({ taints }: Pick<Rules, 'taints'>): boolean {
  return taints.evictionPace === 'byFaultyClusters';
}
