import type { MemberAssumptions } from '../members/memberAssumptions.ts';
import type { Controller, NamedController } from '../controllers/controller.ts';
import type { ControllerName } from '../controllers/karmada.ts';
import { factsOf, isStarted, jobFacts, type Job } from '../controllers/registry.ts';
import { CONTROLLERS } from './controllers.ts';
import { keysOf } from '../../kubernetes/json.ts';

const names = keysOf(CONTROLLERS);

/** Karmada's controllers for failover, and the members' own. */
export function karmadaControllers(members: MemberAssumptions): NamedController<ControllerName>[] {
  return names.map((name) => {
    const controller = CONTROLLERS[name];
    return named(name, typeof controller === 'function' ? controller(members) : controller);
  });
}

/** The controllers for these jobs on a live control plane, each with its parts. */
export function controllersFor(chosen: readonly Job[]): NamedController<ControllerName>[] {
  return chosen.flatMap((job) => {
    const { controller } = jobFacts(job);
    return names.flatMap((name) => {
      const own = CONTROLLERS[name];
      if (typeof own === 'function' || (name !== controller && factsOf(name).partOf !== controller))
        return [];
      return [named(name, own)];
    });
  });
}

function named(name: ControllerName, controller: Controller): NamedController<ControllerName> {
  const { reaction } = factsOf(name);
  return { ...controller, name, reaction, runs: (configuration) => isStarted(name, configuration) };
}
