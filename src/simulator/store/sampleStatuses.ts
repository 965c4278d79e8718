import type { ResourceBinding } from '../../karmada/api/work.ts';
import { kindKey } from '../../karmada/status/healthInterpreter.ts';
import { reportsOwnCounts } from '../../karmada/status/reportedStatus.ts';

/**
 * Samples of the status of kinds that Karmada reflects whole, by "apiVersion/kind": the raw status of the first Healthy
 * object. The report of a new copy of such a kind has the same fields.
 */
export function sampleStatuses(bindings: Iterable<ResourceBinding>): Map<string, unknown> {
  const samples = new Map<string, unknown>();
  for (const { spec, status } of bindings) {
    const kind = kindKey(spec.resource);
    if (samples.has(kind) || !reportsOwnCounts(spec.resource)) continue;
    const reported = status?.aggregatedStatus?.find((item) => item.health === 'Healthy' && item.status);
    if (reported) samples.set(kind, reported.status);
  }
  return samples;
}
