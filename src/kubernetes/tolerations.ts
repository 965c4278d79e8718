import type { Taint, Toleration } from './schema/core.ts';

/**
 * Whether a toleration tolerates a taint: effect and key are equal or not given, and the operator is Exists or the
 * values are equal. The newer operators Lt and Gt never match: Karmada v1.18 disables them.
 */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== (taint.key ?? '')) return false;
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    default:
      return false;
  }
}

/** A taint as kubectl prints it: "key=value:NoSchedule", "key:NoSchedule". */
export function formatTaint(taint: Taint): string {
  const value = taint.value ? `=${taint.value}` : '';
  if (!taint.effect) return value ? `${taint.key}${value}:` : taint.key;
  return `${taint.key}${value}:${taint.effect}`;
}
