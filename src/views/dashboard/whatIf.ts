import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { TaintChange } from '../../karmada/taints/taintChange.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { listed } from '../words/amounts.ts';
import { objectText } from '../words/names.ts';

/** The events of a what-if, as marked by the user. Plain data, which may be sent to another thread. */
export interface WhatIf {
  /** the arguments of `failover simulate` that the dashboard was opened with: their events happen, too */
  given?: readonly string[];
  /** clusters that fail now */
  failing: readonly string[];
  /** taints that clusters gain or lose now */
  taints: readonly TaintMark[];
  /** policies that are edited now */
  edits: readonly PolicyEdit[];
}

/** A taint that a cluster gains or loses. */
type TaintMark = { cluster: string } & TaintChange;

/** A change of an object as a JSON merge patch: `failover simulate` can apply it, and kubectl edit sends it. */
export interface PolicyEdit {
  target: ObjectIdentity;
  merge: Record<string, unknown>;
}

export const NO_CHANGES: WhatIf = { failing: [], taints: [], edits: [] };

/** Whether nothing is marked. */
export function isNothing({ given, failing, taints, edits }: WhatIf): boolean {
  return given === undefined && failing.length + taints.length + edits.length === 0;
}

/** Whether nothing happens except failing clusters, if any: `failover explain` can show that, too. */
export function isOfFailures({ given, taints, edits }: WhatIf): boolean {
  return given === undefined && taints.length + edits.length === 0;
}

/** "frankfurt and virginia fail, dublin gets maintenance:NoExecute, shop/cart is edited" */
export function whatIfText({ given, failing, taints, edits }: WhatIf, most: number): string {
  const parts = [
    ...(given ? [given.join(' ')] : []),
    ...(failing.length === 0
      ? []
      : [`${listed([...failing], most)} ${failing.length === 1 ? 'fails' : 'fail'}`]),
    ...taintTexts(taints, most),
    ...(edits.length === 0
      ? []
      : [
          `${listed(
            edits.map(({ target }) => objectText(target)),
            most,
          )} ${edits.length === 1 ? 'is' : 'are'} edited`,
        ]),
  ];
  return parts.join(', ');
}

/** One text per taint, whatever the number of clusters. */
function taintTexts(taints: readonly TaintMark[], most: number): string[] {
  const clusters = new Map<string, { mark: TaintMark; names: string[] }>();
  for (const mark of taints) {
    const key = taintChangeText(mark);
    const known = clusters.get(key);
    if (known) known.names.push(mark.cluster);
    else clusters.set(key, { mark, names: [mark.cluster] });
  }
  return [...clusters.values()].map(({ mark, names }) => {
    const verbs = mark.removed ? ['loses', 'lose'] : ['gets', 'get'];
    return `${listed(names, most)} ${verbs[names.length === 1 ? 0 : 1]} ${formatTaint(mark.taint)}`;
  });
}

/** "maintenance=network:NoExecute", with a trailing - if the cluster loses it: as `taintChangeIn` reads it. */
export function taintChangeText({ taint, removed }: TaintChange): string {
  return `${formatTaint(taint)}${removed ? '-' : ''}`;
}
