import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../src/state/live/apiError.ts';
import { fieldConflicts } from '../../../src/state/live/fieldConflicts.ts';

const refused = (causes: object[], status = 409) =>
  new ApiError('Apply failed', {
    status,
    reason: 'Conflict',
    cause: { kind: 'Status', details: { causes } },
  });
const conflict = (message: string, field = '.spec.taints') => ({
  reason: 'FieldManagerConflict',
  message,
  field,
});

describe('the conflicts of a server-side apply', () => {
  test('are parsed as managers and fields from the message of the server', () => {
    expect(
      fieldConflicts(
        refused([
          conflict('conflict with "argocd"'),
          conflict('conflict with "kubectl-edit" using policy.karmada.io/v1alpha1', '.metadata.labels.team'),
          conflict('conflict with "a \\"b\\"" with subresource "status" using v1 at 2026-09-01T10:00:00Z'),
        ]),
      ),
    ).toEqual([
      { manager: 'argocd', field: '.spec.taints' },
      { manager: 'kubectl-edit', apiVersion: 'policy.karmada.io/v1alpha1', field: '.metadata.labels.team' },
      {
        manager: 'a "b"',
        subresource: 'status',
        apiVersion: 'v1',
        time: '2026-09-01T10:00:00Z',
        field: '.spec.taints',
      },
    ]);
  });

  test('contain an unknown message as the manager', () => {
    expect(fieldConflicts(refused([conflict('somebody else has it')]))).toEqual([
      { manager: 'somebody else has it', field: '.spec.taints' },
    ]);
  });

  test('are empty for errors without FieldManagerConflict causes', () => {
    expect(fieldConflicts(refused([{ reason: 'FieldValueInvalid', field: '.spec' }]))).toEqual([]);
    expect(fieldConflicts(refused([conflict('conflict with "a"')], 422))).toEqual([]);
    expect(fieldConflicts(new ApiError('gone', { status: 409, reason: 'Conflict' }))).toEqual([]);
  });
});
