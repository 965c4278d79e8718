import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { controllersOff } from '../../karmada/dialects/controllerList.ts';
import { unknown, type Doubt } from './doubt.ts';

/** What is uncertain because --controllers of karmada-controller-manager does not start all controllers of failover. */
export function doubtsOfControllersOff({ controllerManager }: Configuration): Doubt[] {
  const { leftOut, takenForStarted } = controllersOff(controllerManager.controllers);
  return [
    ...(leftOut.length > 0
      ? [
          unknown(
            `what the controllers do that karmada-controller-manager does not start (${leftOut.join(', ')}): nothing is assumed to do it in their place`,
          ),
        ]
      : []),
    ...(takenForStarted.length > 0
      ? [
          unknown(
            `what the controllers do that karmada-controller-manager does not start (${takenForStarted.join(', ')}): they are assumed to be started`,
          ),
        ]
      : []),
  ];
}
