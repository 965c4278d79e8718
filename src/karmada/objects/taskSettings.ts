import type { GracefulEvictionTask } from '../api/work.ts';

/** What no controller changes of an eviction task once it is there: if one of these differs, a person or another program wrote it. */
export function taskSettings({
  gracePeriodSeconds,
  suppressDeletion,
  purgeMode,
}: GracefulEvictionTask): readonly unknown[] {
  return [gracePeriodSeconds, suppressDeletion, purgeMode];
}
