import * as Flags from '@oclif/core/flags';
import type { GivenFlags } from '../givenFlags.ts';
import { memberFlags } from '../flags.ts';
import { repeatable } from '../connectionFlags.ts';

/** Clusters that fail together. */
export const areaFlags = {
  'fail-provider': Flags.string({
    summary: 'all clusters of this provider fail',
    helpValue: 'PROVIDER[@DURATION]',
    ...repeatable,
  }),
  'fail-region': Flags.string({
    summary: 'all clusters of this region fail',
    helpValue: 'REGION[@DURATION]',
    ...repeatable,
  }),
  'fail-zone': Flags.string({
    summary: 'all clusters of this zone fail',
    helpValue: 'ZONE[@DURATION]',
    ...repeatable,
  }),
};

/** The events of a simulation. */
export const scenarioFlags = {
  fail: Flags.string({
    summary: 'this member cluster fails, at the start or after a duration',
    helpValue: 'CLUSTER[@DURATION]',
    ...repeatable,
  }),
  recover: Flags.string({
    summary: 'this member cluster recovers after a duration',
    helpValue: 'CLUSTER@DURATION',
    ...repeatable,
  }),
  ...areaFlags,
  taint: Flags.string({
    summary:
      'taint this cluster, CLUSTER:KEY[=VALUE]:EFFECT, later with @DURATION; a - at the end removes the taint',
    helpValue: 'CLUSTER:TAINT',
    ...repeatable,
  }),
  apply: Flags.string({
    summary: 'manifests to apply at the start, or patches that failover explain -o json prints',
    helpValue: 'FILE',
    ...repeatable,
  }),
  scenario: Flags.string({
    summary: 'a file with events and assumptions (docs/scenario.md)',
    helpValue: 'FILE',
  }),
  until: Flags.string({
    summary: 'when to stop: a time or a duration; default: when nothing more happens',
    helpValue: 'TIME|DURATION',
  }),
  'save-state': Flags.string({
    summary: 'write the state at the end to a file; with --state, a simulation continues from there',
    helpValue: 'FILE',
  }),
  ...memberFlags,
};

export type ScenarioFlags = GivenFlags<Omit<typeof scenarioFlags, 'scenario' | 'save-state'>>;
