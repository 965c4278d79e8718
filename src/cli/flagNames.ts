import type { ViewNames } from '../views/viewNames.ts';

/** The names that the command line has for inputs: its flags and its commands. */
export const flagNames: ViewNames = {
  at: '--at',
  assume: '--assume',
  version: '--karmada-version',
  host: '--host-context',
  readyAfter: '--ready-after',
  happenings: '--fail, --taint or --scenario',
  withTaints: '--with-taints',
  accept: {
    loss: '--allow-loss',
    blocked: '--allow-blocked',
    overcommit: '--allow-overcommit',
    unhealthy: '--allow-unhealthy',
  },
  goOnWithDrain: (cluster) => `drain ${cluster}`,
  takeDrainBack: (cluster) => `drain ${cluster} --cancel`,
};
