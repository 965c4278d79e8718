import type { ApiError } from './apiError.ts';
import type { Status } from './requests/serverStatus.ts';
import { unquoted } from '../../kubernetes/fieldPath.ts';

/** A field that a server-side apply would take from another manager. */
export interface FieldConflict {
  /** "kubectl-edit" */
  manager: string;
  /** the API version it was written with, if known: "apps/v1"; for Updates also the time, RFC 3339 */
  apiVersion?: string;
  time?: string;
  subresource?: string;
  /** ".spec.taints" */
  field: string;
}

/**
 * The conflicts that made the server refuse an apply; empty for any other error. Parsed from the causes in its
 * Status, whose texts are apimachinery's (managedfields/internal/conflict.go).
 */
export function fieldConflicts(error: ApiError): FieldConflict[] {
  if (error.status !== 409) return [];
  const causes = (error.cause as Status | undefined)?.details?.causes ?? [];
  return causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ message = '', field = '' }) => ({ ...writerOf(message), field }));
}

/** conflict with "kubectl" with subresource "status" using apps/v1 at 2026-01-01T00:00:00Z */
const WRITER =
  /^conflict with ("(?:[^"\\]|\\.)*")(?: with subresource ("(?:[^"\\]|\\.)*"))?(?: using (\S+)(?: at (\S+))?)?$/;

function writerOf(message: string): Omit<FieldConflict, 'field'> {
  const [, manager, subresource, apiVersion, time] = WRITER.exec(message) ?? [];
  if (manager === undefined) return { manager: message };
  return {
    manager: unquoted(manager),
    ...(subresource === undefined ? {} : { subresource: unquoted(subresource) }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(time === undefined ? {} : { time }),
  };
}
