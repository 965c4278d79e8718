import type { DeletionBasis, DeletionPlan } from '../../analysis/taintPolicy/deletionPlan.ts';
import type { Taint } from '../../karmada/api/meta.ts';
import { instant } from '../../kubernetes/time.ts';
import { checkedPlan, readPlanText } from './planText.ts';
import { show, type FieldProblem } from '../schema/check.ts';
import { firstProblem } from '../shape.ts';
import { validateObject } from '../world/validateObject.ts';

/** A saved plan to delete ClusterTaintPolicies. */
export interface SavedDeletion extends DeletionPlan {
  /** the risks that were accepted when it was saved, with their messages */
  acceptedRisks: { code: string; message: string }[];
}

/** Reads a saved plan to delete policies. Throws a StateError that names the file and the problem. */
export async function readDeletionPlan(path: string): Promise<SavedDeletion> {
  const text = await readPlanText(path);
  return (await deletionPlanParser())(text, path);
}

/**
 * Resolves to a parser for the text of a plan file, which throws a StateError that names the file, the line and the
 * field.
 */
export async function deletionPlanParser(): Promise<(text: string, path: string) => SavedDeletion> {
  const { validate } = await import('./deletionPlanValidator.ts');
  const checks = {
    kind: 'TaintPolicyChange',
    advice: 'save one with a dry run of taint-policy delete',
    validate,
    contradiction: contradictionIn,
  };
  return (text, path) => planOf(checkedPlan(text, path, checks));
}

/** The part of a TaintPolicyChange with the deletions, as validated by the schema. */
interface DeletionFile {
  action: 'apply' | 'delete';
  now: string;
  policies: { name: string; verb: string }[];
  clusters: { name: string; removed: NamedTaint[] }[];
  withTaints: boolean;
  leftBehind: { cluster: string; taint: NamedTaint; since: string | null; removable: boolean }[];
  risks: { code: string; message: string; accepted: boolean }[];
  standsOn?: DeletionBasis;
}

type NamedTaint = Pick<Taint, 'key' | 'value' | 'effect'>;

/** Errors that the schema does not catch: impossible dates, policies of another shape, and contradictory parts. */
function contradictionIn(saved: DeletionFile): FieldProblem | undefined {
  const { action, standsOn, withTaints } = saved;
  if (action !== 'delete') return { path: 'action', message: `${show(action)} is not a deletion` };
  if (!standsOn) return { path: 'standsOn', message: 'is missing' };
  return (
    firstProblem(standsOn.policies.entries(), ([at, policy]) => {
      const path = `standsOn.policies[${at}]`;
      const checked = validateObject(structuredClone(policy));
      if ('object' in checked) return undefined;
      return { path: path + (checked.path ?? ''), message: checked.problem };
    }) ??
    firstProblem(timesOf(saved), ([path, time]) =>
      time !== null && Number.isNaN(instant(time))
        ? { path, message: `${show(time)} is not an RFC 3339 time` }
        : undefined,
    ) ??
    namesThatDiffer(saved, standsOn) ??
    firstProblem(saved.leftBehind.entries(), ([at, { cluster, removable }]) => {
      const lacks = (list: string, names: readonly { name: string }[]) =>
        removable && !names.some(({ name }) => name === cluster)
          ? { path: `leftBehind[${at}].cluster`, message: `${show(cluster)} is not one of ${list}` }
          : undefined;
      return lacks('standsOn.clusters', standsOn.clusters) ?? lacks('clusters', saved.clusters);
    }) ??
    firstProblem(saved.clusters.entries(), ([at, { name, removed }]) =>
      textOf(removed) === textOf(withTaints ? removableOn(saved, name) : [])
        ? undefined
        : {
            path: `clusters[${at}].removed`,
            message: `contradicts ${withTaints ? 'leftBehind' : 'withTaints: false'}`,
          },
    )
  );
}

function namesThatDiffer(
  { policies }: DeletionFile,
  { policies: planned }: DeletionBasis,
): FieldProblem | undefined {
  const names = new Set(planned.map(({ metadata }) => metadata.name));
  const differs = (at: number, field: 'name' | 'verb', message: string): FieldProblem => ({
    path: `policies[${at}].${field}`,
    message,
  });
  if (policies.length !== planned.length)
    return { path: 'policies', message: `contradicts standsOn.policies, which has ${planned.length}` };
  return firstProblem(policies.entries(), ([at, { name, verb }]) => {
    if (verb !== 'deleted') return differs(at, 'verb', `${show(verb)} is not a deletion`);
    return names.has(name) ? undefined : differs(at, 'name', `${show(name)} is not one of standsOn.policies`);
  });
}

function* timesOf({
  now,
  leftBehind,
  standsOn,
}: DeletionFile): Generator<[path: string, time: string | null]> {
  yield ['now', now];
  for (const [at, { since }] of leftBehind.entries()) yield [`leftBehind[${at}].since`, since];
  for (const [at, { metadata }] of standsOn!.policies.entries())
    yield [`standsOn.policies[${at}].metadata.creationTimestamp`, metadata.creationTimestamp ?? null];
}

function removableOn({ leftBehind }: DeletionFile, name: string): NamedTaint[] {
  return leftBehind
    .filter(({ cluster, removable }) => removable && cluster === name)
    .map(({ taint }) => taint);
}

function textOf(taints: readonly NamedTaint[]): string {
  return JSON.stringify(taints.map(({ key, value = '', effect }) => [key, value, effect].join()).sort());
}

function planOf({ withTaints, leftBehind, risks, standsOn }: DeletionFile): SavedDeletion {
  for (const policy of standsOn!.policies) validateObject(policy); // drops nulls
  return {
    basis: standsOn!,
    withTaints,
    removed: leftBehind
      .filter(({ removable }) => withTaints && removable)
      .map(({ cluster, taint, since }) => ({
        cluster,
        taint: { ...taint, ...(since !== null && { timeAdded: since }) },
      })),
    acceptedRisks: risks.filter(({ accepted }) => accepted).map(({ code, message }) => ({ code, message })),
  };
}
