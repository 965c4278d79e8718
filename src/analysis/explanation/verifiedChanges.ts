import type { Outcome } from '../../simulator/verdicts/outcome.ts';
import type { ObjectPatch } from './changes/patches.ts';
import type { ChangeSearch, ProposedChange } from './smallestChange.ts';

/** Changes that are reported, and that are tried out for it. */
const MOST_REPORTED = 3;
const MOST_TRIED_OUT = 6;

/**
 * The changes worth reporting. That the scheduler places a workload is not enough: with `replay` each change is
 * simulated. Leaves out changes that Karmada refuses, and those that leave the workload without a place in the end,
 * unless there are no others.
 *
 * @param replay what becomes of the workload if these patches are made before all else
 */
export function verifiedChanges(
  search: ChangeSearch,
  replay: ((patches: ObjectPatch[]) => Outcome | { refused: string } | undefined) | undefined,
): ChangeSearch {
  let refused: string | undefined;
  const changes = search.items.slice(0, MOST_TRIED_OUT).flatMap((change): ProposedChange[] => {
    const leadsTo = change.patches.length > 0 ? replay?.(change.patches) : undefined;
    if (typeof leadsTo === 'object') {
      refused ??= leadsTo.refused;
      return [];
    }
    return [leadsTo === undefined ? change : { ...change, leadsTo }];
  });
  const lasting = changes.filter((change) => !isInVain(change));
  const items = (lasting.length > 0 ? lasting : changes).slice(0, MOST_REPORTED);
  return { ...search, items, ...(refused === undefined ? {} : { refused }) };
}

/** Whether the workload is placed with the change, and loses its place again. */
export function isInVain({ leadsTo }: ProposedChange): boolean {
  return leadsTo === 'lost' || leadsTo === 'blocked';
}
