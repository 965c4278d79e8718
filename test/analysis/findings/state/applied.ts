import type { CuredFinding } from '../../../../src/analysis/findings/state/diagnose.ts';
import type { Remedy } from '../../../../src/analysis/findings/state/stateCheck.ts';
import { applyMergePatch } from '../../../../src/kubernetes/mergePatch.ts';
import { applyJsonPatch } from '../../../../src/kubernetes/jsonPatch.ts';
import type { Written } from './healthyWorld.ts';

/**
 * Objects after a merge patch of one of them; null removes it. Policy changes reach their bindings, as through Karmada's detector and
 * scheduler.
 */
export function patched(
  objects: readonly Written[],
  target: { kind: string; namespace?: string; name: string },
  merge: unknown,
): Written[] {
  const is = ({ kind, metadata }: Written) =>
    kind === target.kind && metadata.name === target.name && metadata.namespace === target.namespace;
  if (!objects.some(is)) throw new Error(`there is no ${target.kind} ${target.name}`);
  return followed(
    objects.flatMap((one) =>
      is(one) ? (merge === null ? [] : [applyMergePatch(one, merge) as Written]) : [one],
    ),
  );
}

type Policy = {
  placement?: object;
  failover?: object;
  suspension?: object;
  propagateDeps?: boolean;
  schedulerName?: string;
};

/** The bindings as policies would have them. */
function followed(objects: readonly Written[]): Written[] {
  const policies = new Map(
    objects
      .filter(({ kind }) => kind === 'PropagationPolicy')
      .map(({ metadata, ...rest }) => [metadata.name, rest['spec'] as Policy]),
  );
  return objects.map((object) => {
    const { annotations = {} } = object.metadata as { annotations?: Record<string, string> };
    const policy = policies.get(annotations['propagationpolicy.karmada.io/name'] ?? '');
    const { placement, requiredBy } = (object['spec'] ?? {}) as { placement?: object; requiredBy?: unknown };
    if (object.kind !== 'ResourceBinding' || !policy || !placement || requiredBy) return object;
    return {
      ...object,
      metadata: {
        ...object.metadata,
        annotations: {
          ...annotations,
          'policy.karmada.io/applied-placement': JSON.stringify(policy.placement),
        },
      },
      spec: {
        ...(object['spec'] as object),
        placement: policy.placement,
        failover: policy.failover,
        ...(policy.suspension && { suspension: policy.suspension }),
        propagateDeps: policy.propagateDeps,
        schedulerName: policy.schedulerName,
      },
    };
  });
}

/** Objects after carrying out a finding's remedy; undefined if the remedy is only words for an operator. */
export function remedied(objects: readonly Written[], finding: CuredFinding): Written[] | undefined {
  const { remedy, changes } = finding;
  const patches = changes?.[0]?.patches ?? remedy?.patches ?? [];
  const commands = changes ? [] : [...(remedy?.commands ?? [])];
  const creates = changes ? [] : (remedy?.creates ?? []);
  let done = patches.length + creates.length > 0;
  let left = patches.reduce((all, { target, merge }) => patched(all, target, merge), [...objects]);
  left.push(...(creates as Written[]));
  for (const words of [...commands, ...uncordons(remedy)]) {
    const changed = typed(left, words);
    if (!changed) continue;
    left = changed;
    done = true;
  }
  return done ? followed(left) : undefined;
}

function uncordons(remedy: Remedy | undefined): string[][] {
  return remedy?.next?.action === 'uncordon'
    ? [
        [
          'kubectl',
          'karmada',
          'taint',
          'clusters',
          remedy.next.cluster,
          'cluster.karmada.io/unschedulable:NoSchedule-',
        ],
      ]
    : [];
}

/** Objects after running a command; undefined if it changes nothing. */
function typed(objects: readonly Written[], words: readonly string[]): Written[] | undefined {
  const line = words.join(' ');
  const json = words.at(-1) ?? '';
  const [, kind, name] = / patch (deployment|statefulset) (\S+) --type=json -p /.exec(line) ?? [];
  if (kind)
    return objects.map((one) =>
      one.kind.toLowerCase() === kind && one.metadata.name === name
        ? (applyJsonPatch(one, JSON.parse(json)) as Written)
        : one,
    );
  const [, cluster, key, effect] = / taint clusters (\S+) ([^:]+):(\w+)-$/.exec(line) ?? [];
  if (!cluster) return undefined;
  return objects.map((one) => {
    if (one.kind !== 'Cluster' || one.metadata.name !== cluster) return one;
    const { taints = [], ...spec } = one['spec'] as { taints?: { key: string; effect: string }[] };
    return {
      ...one,
      spec: { ...spec, taints: taints.filter((taint) => taint.key !== key || taint.effect !== effect) },
    };
  });
}
