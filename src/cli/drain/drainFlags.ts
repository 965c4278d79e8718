import * as Flags from '@oclif/core/flags';
import { dryRunFlag, type DryRun } from '../flags.ts';
import type { GivenFlags } from '../givenFlags.ts';
import type { PrintFlags } from '../print.ts';
import { reportFlag } from '../report/reportFlag.ts';
import type { StateFlags } from '../stateRequest.ts';
import { repeatable } from '../connectionFlags.ts';

const selection = { helpGroup: 'SELECTION' };
const pace = { helpGroup: 'PACE' };
const risk = { helpGroup: 'RISK' };

/** The flags that become DrainOptions: which workloads, how, how fast, and the accepted risks. */
export const drainOptionFlags = {
  selector: Flags.string({
    ...selection,
    char: 'l',
    summary: 'only workloads with these labels, such as app=cart,tier!=db',
    helpValue: 'SELECTOR',
  }),
  namespace: Flags.string({
    ...selection,
    char: 'n',
    summary: 'only workloads of this namespace',
    helpValue: 'NAMESPACE',
  }),
  kind: Flags.string({
    ...selection,
    summary: 'only workloads of this kind: deployment, sts.apps',
    helpValue: 'KIND',
    ...repeatable,
  }),
  policy: Flags.string({
    ...selection,
    summary: 'only workloads that this policy places: NAMESPACE/NAME, or NAME of a ClusterPropagationPolicy',
    helpValue: 'POLICY',
  }),
  skip: Flags.string({
    ...selection,
    summary: 'do not evict this workload, KIND/NAME or NAMESPACE/KIND/NAME',
    helpValue: 'WORKLOAD',
    ...repeatable,
  }),
  only: Flags.string({
    ...selection,
    summary: 'evict only this workload, written as for --skip',
    helpValue: 'WORKLOAD',
    ...repeatable,
  }),
  method: Flags.string({
    summary:
      'evict: write evictions (works everywhere); taint: write a NoExecute taint (needs taint eviction in Karmada)',
    helpValue: 'evict|taint',
  }),
  hold: Flags.boolean({
    summary: 'keep each old copy until its replacement is ready (default); --no-hold: Karmada decides',
    allowNo: true,
  }),
  'purge-mode': Flags.string({
    summary: 'Gracefully: start the new copy first (default); Directly: remove the old one first',
    helpValue: 'Gracefully|Directly',
  }),
  'grace-period': Flags.string({
    summary: 'end each eviction after this time, ready or not (seconds, or 10m); needs --no-hold',
    helpValue: 'DURATION',
  }),
  'eviction-rate': Flags.string({
    ...pace,
    summary: 'evictions per second; default: 0.5',
    helpValue: 'NUMBER',
  }),
  'secondary-eviction-rate': Flags.string({
    ...pace,
    summary: 'evictions per second if too many clusters are faulty and there are many clusters; default: 0.1',
    helpValue: 'NUMBER',
  }),
  'unhealthy-cluster-threshold': Flags.string({
    ...pace,
    summary: 'share of faulty clusters above which evictions slow down or pause; default: 0.55',
    helpValue: 'SHARE',
  }),
  'large-cluster-num-threshold': Flags.string({
    ...pace,
    summary:
      'number of clusters above which evictions slow down rather than pause if too many are faulty; default: 10',
    helpValue: 'COUNT',
  }),
  'max-concurrent': Flags.string({
    ...pace,
    summary: 'maximum evictions at a time; default: no limit',
    helpValue: 'COUNT',
  }),
  'allow-loss': Flags.boolean({
    ...risk,
    summary: 'also evict workloads that fit on no other cluster and would be lost',
  }),
  'allow-blocked': Flags.boolean({
    ...risk,
    summary: 'begin even if some workloads cannot leave; they stay',
  }),
  'allow-overcommit': Flags.boolean({ ...risk, summary: 'begin even if the other clusters lack capacity' }),
  'allow-unhealthy': Flags.boolean({ ...risk, summary: 'begin even if too many clusters are faulty' }),
};

export type DrainOptionFlags = GivenFlags<typeof drainOptionFlags>;

/** The flags for handling the plan. */
export const drainRunFlags = {
  'dry-run': dryRunFlag(
    'client: only print the plan; server: also have the API server check each write, without storing it',
  ),
  report: {
    ...reportFlag,
    summary: 'also write an HTML report: the plan, then what happened',
  },
  out: Flags.string({ summary: 'save the plan to this file', helpValue: 'FILE' }),
  record: Flags.string({
    summary: 'also record the control plane in this file',
    helpValue: 'FILE',
  }),
  plan: Flags.string({
    summary: 'execute the plan in this file, if it is still valid',
    helpValue: 'FILE',
  }),
  cancel: Flags.boolean({
    summary: 'undo a drain: uncordon, and restore workloads that still have a copy there',
  }),
  yes: Flags.boolean({ char: 'y', summary: 'do not ask' }),
  wait: Flags.boolean({
    summary: 'wait until the old copies are gone (default); --no-wait: end once everything is evicted',
    allowNo: true,
  }),
  timeout: Flags.string({
    summary: 'stop waiting after this time; default: 0, never',
    helpValue: 'DURATION',
  }),
  progress: Flags.string({
    summary: 'plain: a line for each change, also on a terminal; good for screen readers',
    helpValue: 'plain',
  }),
  'ready-after': Flags.string({
    summary: 'time until new replicas are ready, for the plan; default: 30s',
    helpValue: 'DURATION',
  }),
};

export interface DrainFlags
  extends Omit<StateFlags, 'selector'>, DrainOptionFlags, GivenFlags<typeof drainRunFlags>, PrintFlags {
  'dry-run': DryRun;
}
