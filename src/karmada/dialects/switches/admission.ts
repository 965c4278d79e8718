import type { TaintEffect } from '../../../kubernetes/schema/core.ts';
import { versionSwitch } from '../history.ts';

/** Changes by webhooks to written objects, and the errors of their refusals. */
export const admission = {
  clusterTaintEffects: versionSwitch<readonly TaintEffect[]>({
    decides: 'the effects that taints of Clusters may have',
    values: [{ value: ['NoSchedule', 'NoExecute'] }],
    designs: { 'optimize-cluster-failover': ['NoSchedule', 'PreferNoExecute', 'NoExecute'] },
  }),
  defaultTolerations: versionSwitch<boolean>({
    decides:
      'whether the webhook adds tolerations of NoExecute not-ready and unreachable to policies (default-not-ready-toleration-seconds and default-unreachable-toleration-seconds)',
    values: [{ value: true }, { since: ['v1.15.0'], value: false }],
  }),
  gracefulPurgeModes: versionSwitch<readonly string[]>({
    decides:
      'the purge modes of application failover that a grace period belongs to, and that get 10m if they have none',
    values: [
      { value: ['Graciously'] },
      { since: ['v1.15.0'], value: ['Gracefully', 'Graciously'] },
      { since: ['v1.19.0'], value: ['Gracefully'] },
    ],
  }),
  gracefulWord: versionSwitch({
    decides: 'how errors about a grace period call a graceful purge mode',
    values: [{ value: 'graciously' }, { since: ['v1.15.0'], value: 'gracefully' }],
  }),
  policyNameLimit: versionSwitch<number | undefined>({
    decides: 'how many bytes the name of a policy may have; longer ones the mutating webhook cannot take',
    values: [{ value: 63 }, { since: ['v1.11.0'], value: undefined }],
  }),
  policyFinalizer: versionSwitch<boolean>({
    decides: 'whether new policies get a finalizer from the webhook',
    values: [{ value: false }, { since: ['v1.11.0'], value: true }],
  }),
  cannot: versionSwitch({
    decides: 'whether errors say "can not" or "cannot"',
    values: [{ value: 'can not' }, { since: ['v1.11.0'], value: 'cannot' }],
  }),
  preservedLabelNames: versionSwitch<boolean>({
    decides: 'whether the label names of state preservation must be legal ones',
    values: [{ value: false }, { since: ['v1.15.0'], value: true }],
  }),
  selectorNamespace: versionSwitch<boolean>({
    decides:
      'whether the resource selectors of a PropagationPolicy or an OverridePolicy must name its own namespace',
    values: [{ value: false }, { since: ['v1.17.0'], value: true }],
  }),
  overriderPath: versionSwitch<{ problem: string; orEmpty: boolean }>({
    decides: 'which paths overriders may have, and the message of the error',
    values: [
      { value: { problem: 'path should be start with / character', orEmpty: false } },
      {
        since: ['v1.12.0'],
        value: { problem: 'JSON pointer must be empty or start with a "/', orEmpty: true },
      },
      {
        since: ['v1.17.0'],
        value: {
          problem: 'JSON pointer must be empty or start with a "/\nJSON pointer error',
          orEmpty: true,
        },
      },
      {
        since: ['v1.19.0'],
        value: {
          problem: 'JSON pointer must be empty or start with a "/"\nJSON pointer error',
          orEmpty: true,
        },
      },
    ],
  }),
  fieldOverriderOperations: versionSwitch<boolean>({
    decides: 'whether a fieldOverrider needs an operation',
    values: [{ value: false }, { since: ['v1.18.0'], value: true }],
  }),
  tolerationOperators: versionSwitch<boolean>({
    decides: 'whether the operators Lt and Gt of cluster tolerations are refused',
    values: [{ value: false }, { since: ['v1.18.0'], value: true }],
  }),
  bindingWebhook: versionSwitch({
    decides:
      'whether bindings have a validating webhook: none, one that checks only quotas, or one that checks components too',
    values: [
      { value: 'none' },
      { since: ['v1.14.0'], value: 'quota' },
      { since: ['v1.15.0'], value: 'quotaAndComponents' },
    ],
  }),
  dependenciesAnnotation: versionSwitch<boolean>({
    decides: 'whether the annotation of a binding that lists its dependencies must be a list in JSON',
    values: [{ value: false }, { since: ['v1.16.0'], value: true }],
  }),
  quotaOfMovedComponents: versionSwitch<boolean>({
    decides:
      'whether quotas apply to a binding of components that changes its clusters, and the webhook survives one whose components lose or get requirements',
    values: [{ value: false }, { since: ['v1.15.3', 'v1.16.0'], value: true }],
  }),
  quotaExceededReason: versionSwitch<boolean>({
    decides: 'whether a refusal for a quota has the reason QuotaExceeded',
    values: [{ value: false }, { since: ['v1.15.5', 'v1.16.2', 'v1.17.0'], value: true }],
  }),
  valuesInErrors: versionSwitch({
    decides:
      'how errors print the value of a structure, by the Kubernetes that Karmada is built with: in Go syntax, whose pointers are addresses, or as JSON',
    values: [{ value: 'goSyntax' }, { since: ['v1.16.0'], value: 'json' }],
  }),
  labelKeyWords: versionSwitch({
    decides:
      'the message of errors about label keys, by the Kubernetes that Karmada is built with: a qualified name with a number of characters, or a valid label key with a number of bytes',
    values: [{ value: 'qualifiedName' }, { since: ['v1.17.0'], value: 'labelKey' }],
  }),
  schemeSource: versionSwitch({
    decides: 'the line of source that an error about an unknown kind names',
    values: [
      { value: 'pkg/runtime/scheme.go:100' },
      { since: ['v1.15.0'], value: 'pkg/runtime/scheme.go:110' },
      { since: ['v1.17.0'], value: 'pkg/runtime/scheme.go:111' },
    ],
  }),
};
