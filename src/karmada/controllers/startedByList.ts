import type { Configuration } from '../configuration/configuration.ts';
import { startsController, type KarmadaController } from '../dialects/controllerList.ts';
import type { ControllerName } from './controller.ts';

/** The entry of --controllers that starts one; those that no entry starts, or that agents run as well, are not here. */
const ENTRIES: Partial<Record<ControllerName, KarmadaController>> = {
  'health-monitor': 'cluster',
  'cluster-controller': 'cluster',
  'taint-manager': 'cluster',
  'binding-eviction': 'cluster',
  'cluster-binding-eviction': 'cluster',
  'eviction-queue': 'cluster',
  'eviction-pace': 'cluster',
  'cluster-taint-policy-controller': 'clustertaintpolicy',
  'graceful-eviction': 'gracefulEviction',
  'application-failover': 'applicationFailover',
  'binding-controller': 'binding',
  'binding-status': 'bindingStatus',
  'workload-rebalancer': 'workloadRebalancer',
};

/** Whether --controllers of karmada-controller-manager starts a controller. */
export function isStartedByList(
  name: ControllerName,
  { controllerManager: { controllers } }: Pick<Configuration, 'controllerManager'>,
): boolean {
  const entry = ENTRIES[name];
  return entry === undefined || startsController(controllers, entry);
}
