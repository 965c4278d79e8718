import * as Flags from '@oclif/core/flags';
import { printWarning } from '../terminal/messages.ts';
import type { DryRun } from '../views/words/dryRunSuffix.ts';
import { CONNECTION, connectionFlags, repeatable } from './connectionFlags.ts';
import { UserError } from './errors.ts';
import { outputFormat } from './outputFormat.ts';
import { choice, wholeNumber } from './values.ts';

const ofState = { helpGroup: 'STATE' };
const ofHost = { helpGroup: CONNECTION };

const captureFlags = {
  state: Flags.string({
    ...ofState,
    summary:
      'read this instead of a live control plane: a snapshot, a recording, or output of kubectl get -o json|yaml (file or directory); - is stdin',
    helpValue: 'PATH',
    ...repeatable,
  }),
};

/** A live control plane, and the cluster that it runs in. */
export const liveFlags = {
  ...connectionFlags,
  'host-context': Flags.string({
    ...ofHost,
    summary: "kubeconfig context of the cluster that Karmada's components run in, to read their flags",
    helpValue: 'NAME',
  }),
  'host-kubeconfig': Flags.string({
    ...ofHost,
    summary: 'kubeconfig file for that cluster',
    helpValue: 'FILE',
  }),
  'host-namespace': Flags.string({
    ...ofHost,
    summary: 'namespace of the components there; default: karmada-system',
    helpValue: 'NAMESPACE',
  }),
};

/** Where the state comes from: a live control plane, or files. */
export const sourceFlags = { ...captureFlags, ...liveFlags };

const atFlag = {
  at: Flags.string({
    ...ofState,
    summary:
      'use this time as the current time (RFC 3339); default: the clock of the API server, or the newest time in the files',
    helpValue: 'TIME',
  }),
};

export const momentFlags = { ...captureFlags, ...atFlag };

/** The state, and what to assume if the state does not show it. */
export const stateFlags = {
  ...momentFlags,
  assume: Flags.string({
    ...ofState,
    summary: 'a feature gate or component flag that the state does not show, such as Failover=true',
    helpValue: 'NAME=VALUE',
    ...repeatable,
  }),
  'karmada-version': Flags.string({
    ...ofState,
    summary:
      'the Karmada version whose behaviour applies: v1.17.3, v1.17 (its newest patch release), or proposal (docs/proposal.md); default: as detected',
    helpValue: 'vX.Y.Z',
  }),
  ...sourceFlags,
};

/** Assumptions of a simulation about members. */
export const memberFlags = {
  'ready-after': Flags.string({
    summary: 'time until new replicas are ready; default: 30s',
    helpValue: 'DURATION',
  }),
};

/** The failures that an audit simulates besides single clusters, and the tolerated downtime. */
export const auditFlags = {
  'group-by': Flags.string({
    summary: 'also simulate that clusters with the same value of this label fail together',
    helpValue: 'LABEL',
    ...repeatable,
  }),
  pairs: Flags.boolean({ summary: 'also simulate every pair of clusters failing together' }),
  rto: Flags.string({
    summary:
      'maximum downtime of replicas, for all workloads or NAMESPACE=DURATION; the annotation karmada-failover/rto of a workload overrides it',
    helpValue: 'DURATION',
    ...repeatable,
  }),
};

/** The namespaces of an answer. */
export const scopeFlags = {
  namespace: Flags.string({ char: 'n', summary: 'only this namespace', helpValue: 'NAMESPACE' }),
  'all-namespaces': Flags.boolean({
    char: 'A',
    summary: 'all namespaces (the default); overrides --namespace',
  }),
};

/** The workloads of a list. */
export const selectionFlags = {
  ...scopeFlags,
  selector: Flags.string({
    char: 'l',
    summary: 'only workloads with these labels, such as app=cart,tier!=edge',
    helpValue: 'SELECTOR',
  }),
  'field-selector': Flags.string({
    summary: 'only bindings with these fields: metadata.name, metadata.namespace',
    helpValue: 'SELECTOR',
  }),
};

/** Binary formats, with their usual file names. */
const BINARY: Readonly<Record<string, string>> = { perfetto: 'trace.pftrace' };

/** -o with formats of this command besides the common ones. */
export const outputFlagWith = (...more: readonly string[]) =>
  Flags.string({
    char: 'o',
    summary: `${['json, yaml, wide, name', ...more].join(', ')}, jsonpath=..., custom-columns=...; default: text`,
    // completion offers the words after FORMAT
    helpValue: ['FORMAT', ...more].join('|'),
    // reports an invalid value before any work
    parse: async (given) => {
      if (more.includes(given)) {
        const file = BINARY[given];
        if (file !== undefined && process.stdout.isTTY)
          throw new UserError(
            `-o ${given} is binary and cannot be shown on a terminal; write it to a file: -o ${given} > ${file}`,
          );
        return given;
      }
      const format = await outputFormat(given, more);
      // kubectl prints it without a warning
      if (format.type === 'jsonpath' && format.template.nodes.every(({ type }) => type === 'text'))
        printWarning(
          `-o ${given} has nothing in braces, so it is printed unchanged; write {.kind} for a field`,
        );
      return given;
    },
  });

export const outputFlags = {
  output: outputFlagWith(),
  'no-headers': Flags.boolean({ summary: 'print tables without headers' }),
  limit: Flags.string({
    summary: 'maximum rows of each list in text; 0: all; default: what fits the screen, all in a pipe',
    helpValue: 'ROWS',
    parse: async (given) => String(wholeNumber('--limit', given, 0)),
  }),
};

/** Output flags of answers that list items; the help shows `example` as a field of an item. */
export const listOutputFlagsWith = (example: string) => ({
  ...outputFlags,
  'sort-by': Flags.string({
    summary: `order the list by a field of its items, such as ${example}`,
    helpValue: 'JSONPATH',
  }),
});

/** Output flags of answers that list workloads. */
export const listOutputFlags = listOutputFlagsWith('.workload.name');

export const manifestFlags = {
  filename: Flags.string({
    char: 'f',
    summary: 'manifests: a file, a directory with everything in it, or - for stdin',
    helpValue: 'FILE',
    ...repeatable,
  }),
  kustomize: Flags.string({
    char: 'k',
    summary: 'manifests that kubectl kustomize builds from this directory',
    helpValue: 'DIR',
    ...repeatable,
  }),
};

export type { DryRun };

export const DRY_RUNS = ['none', 'client', 'server'] as const satisfies readonly DryRun[];

/** The flag --dry-run of a command that writes; without a value it means client, as in older kubectl. */
export const dryRunFlag = (summary: string) =>
  Flags.custom<DryRun>({
    summary,
    parse: async (given) => choice('--dry-run', given, DRY_RUNS),
    default: 'none',
    helpValue: DRY_RUNS.join('|'),
  })();
