import type { ViewNames } from '../views/answer.ts';

/** The command line's names for inputs: its flags and its commands. */
export const flagNames: ViewNames = {
  at: '--at',
  assume: '--assume',
  version: '--karmada-version',
  host: '--host-context',
  readyAfter: '--ready-after',
  scenarioInputs: '--fail, --taint or --scenario',
  withTaints: '--with-taints',
  accept: {
    loss: '--allow-loss',
    blocked: '--allow-blocked',
    overcommit: '--allow-overcommit',
    unhealthy: '--allow-unhealthy',
  },
  ifFails: (cluster) => `--if-fails=${cluster}`,
  areaFails: (property, value) => `--fail-${property}=${value}`,
  ofState: (file) => `--state=${file}`,
  ofVersion: (version) => `--karmada-version=${version}`,
  applies: (file) => `--apply=${file}`,
  leaving: (cluster) => `--from=${cluster}`,
  onCluster: (cluster) => `--cluster=${cluster}`,
  fails: (cluster) => `--fail=${cluster}`,
  taints: (cluster, taint) => `--taint=${cluster}:${taint}`,
  override: (flag) => `use ${flag} to override`,
  planOnly: '--dry-run',
  resumeDrain: (cluster) => `drain ${cluster}`,
  takeDrainBack: (cluster) => `drain ${cluster} --cancel`,
};

/** How to get another plan: a saved plan takes no flags that change it. */
export const planAgain = (...flags: string[]): string =>
  `plan again with ${[...flags, '--out FILE'].join(' ')}`;

/** The names to use with a saved plan, which already says what to drain and how. */
export const savedPlanNames: ViewNames = {
  ...flagNames,
  override: (flag) => `${planAgain(flag)} to override`,
};
