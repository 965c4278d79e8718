import type { Condition } from '../api/meta.ts';
import type { ResourceBinding } from '../api/work.ts';
import { kindKey } from './healthInterpreter.ts';

/** Whether it is a Job of which a cluster has reported the end, be that success or failure. */
export function hasRunToItsEnd({ spec, status }: ResourceBinding, cluster: string): boolean {
  if (kindKey(spec.resource) !== 'batch/v1/Job') return false;
  const item = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === cluster);
  const { conditions = [] } = (item?.status ?? {}) as { conditions?: Condition[] };
  return conditions.some(
    (one) => (one.type === 'Complete' || one.type === 'Failed') && one.status === 'True',
  );
}
