import { visibleLines } from '../../presentation/visible.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { Answer } from '../answer.ts';
import { unifiedDiff } from '../forms/unifiedDiff.ts';
import { toYaml } from '../forms/yaml.ts';

/** The difference, as an answer whose only form is `diff`. */
export function policyDiffAnswer(text: string): Answer {
  return {
    document: { kind: 'Diff', schemaVersion: 'v1', text },
    names: () => [],
    presentation: () => ({ blocks: [] }),
    forms: { diff: () => `${visibleLines(text)}\n` },
  };
}

/** The difference between policies before and after, as `diff -u` of their YAML; empty if there is none. */
export function policyDiff(
  before: readonly ClusterTaintPolicy[],
  applied: readonly ClusterTaintPolicy[],
  deleted: readonly string[],
): string {
  const old = new Map(before.map((policy) => [policy.metadata.name, policy]));
  const diffs = [
    ...applied.map((policy) => diffOf(policy.metadata.name, old.get(policy.metadata.name), policy)),
    ...deleted.map((name) => diffOf(name, old.get(name), undefined)),
  ];
  return diffs.filter((text) => text !== '').join('\n');
}

function diffOf(
  name: string,
  before: ClusterTaintPolicy | undefined,
  after: ClusterTaintPolicy | undefined,
): string {
  const resource = `clustertaintpolicies.policy.karmada.io/${name}`;
  const names = {
    before: before ? `live/${resource}` : '/dev/null',
    after: after ? `merged/${resource}` : '/dev/null',
  };
  return unifiedDiff(textOf(before), textOf(after), names);
}

/** A policy as YAML, without the fields that only the API server writes. */
function textOf(policy: ClusterTaintPolicy | undefined): string {
  if (!policy) return '';
  const { apiVersion: _, kind: __, metadata, ...rest } = policy;
  const { name, labels, annotations, finalizers } = metadata;
  const shown = {
    name,
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    ...(finalizers ? { finalizers } : {}),
  };
  // the order of fields is irrelevant
  return toYaml({ metadata: shown, ...rest }, { sortKeys: true });
}
