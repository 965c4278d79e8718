import { notSupported, typed, type FieldError } from '../../kubernetes/fieldErrors.ts';
import { text } from '../../kubernetes/schema/schema.ts';
import type { Toleration } from '../api/meta.ts';
import type { Admission } from './admission.ts';

/** Refuses Lt and Gt, which Kubernetes has only for nodes; other operators are not checked. */
export function clusterTolerationErrors(
  tolerations: Toleration[] | undefined,
  field: string,
  rules: Admission['rules'],
): FieldError[] {
  if (!rules.tolerationOperators) return [];
  return (tolerations ?? []).flatMap(({ operator }, index) =>
    operator === 'Lt' || operator === 'Gt'
      ? [
          notSupported(`${field}[${index}].operator`, typed(text('v1.TolerationOperator'), operator), [
            '',
            'Exists',
            'Equal',
          ]),
        ]
      : [],
  );
}
