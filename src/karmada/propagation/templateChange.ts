import type { KubernetesObject } from '../api/meta.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';

const KARMADA = '.karmada.io';
/** a label with Karmada's prefix that users set */
const USER_LABEL = 'namespace.karmada.io/skip-auto-propagation';

type Template = KubernetesObject & { status?: unknown };

/** Whether a template changed in more than its status and its resource version. */
export function specificationChanged(before: KubernetesObject, after: KubernetesObject): boolean {
  return !deepEqual(specification(before), specification(after));
}

/**
 * Whether a change of a template is of Karmada's making: nothing but labels and annotations in its name. Lazy
 * policies wait for changes that are not.
 */
export function changedByKarmada(before: KubernetesObject, after: KubernetesObject): boolean {
  return deepEqual(withoutKarmadas(specification(before)), withoutKarmadas(specification(after)));
}

function specification(template: Template): KubernetesObject {
  const { status: _, metadata, ...rest } = template;
  const {
    managedFields: __,
    resourceVersion: ___,
    ...kept
  } = metadata as typeof metadata & {
    managedFields?: unknown;
  };
  return { ...rest, metadata: kept };
}

function withoutKarmadas(template: KubernetesObject): KubernetesObject {
  const { generation: _, labels, annotations, ...metadata } = template.metadata;
  return {
    ...template,
    metadata: {
      ...metadata,
      labels: keep(labels, (key) => !key.includes(KARMADA) || key === USER_LABEL),
      annotations: keep(annotations, (key) => !key.includes(KARMADA)),
    },
  };
}

/** undefined if nothing is left */
function keep(
  values: Record<string, string> | undefined,
  wanted: (key: string) => boolean,
): Record<string, string> | undefined {
  const kept = Object.entries(values ?? {}).filter(([key]) => wanted(key));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
