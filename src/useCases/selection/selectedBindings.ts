import { selectBindings } from '../../karmada/selection/selectBindings.ts';
import type { World } from '../../karmada/world.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { FieldRequirement } from '../../kubernetes/fieldSelector.ts';
import type { LabelSelector } from '../../kubernetes/schema/meta.ts';
import { Problem } from '../problem.ts';

/** Which bindings are asked for; all if nothing is set. */
export interface Selection {
  namespace?: string | undefined;
  /** the labels of the workloads */
  labels?: LabelSelector | undefined;
  fields?: FieldRequirement[] | undefined;
}

/** Whether a selection asks for less than everything. */
export function isSelective({ namespace, labels, fields }: Selection): boolean {
  return [namespace, labels, fields].some((one) => one !== undefined);
}

/**
 * The bindings of a selection; labels are those of the workload if the world has it. Throws a Problem if the namespace
 * has no binding at all.
 */
export function selectedBindings(world: World, { namespace, labels, fields }: Selection): ResourceBinding[] {
  const bindings = bindingsIn(world.bindings, namespace);
  if (labels === undefined && fields === undefined) return bindings;
  return selectBindings(
    { bindings, others: world.others },
    {
      ...(labels === undefined ? {} : { labelSelector: labels }),
      ...(fields === undefined ? {} : { fields }),
    },
  );
}

/** The bindings of one namespace, or all. Throws a Problem for a namespace without any. */
export function bindingsIn(bindings: ResourceBinding[], namespace: string | undefined): ResourceBinding[] {
  if (namespace === undefined) return bindings;
  const found = bindings.filter(({ metadata }) => metadata.namespace === namespace);
  if (found.length > 0) return found;
  const known = [...new Set(bindings.flatMap(({ metadata }) => metadata.namespace ?? []))].sort();
  throw new Problem({ code: 'empty-namespace', namespace, known });
}
