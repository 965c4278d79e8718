import type { ObjectPatch } from '../../engine/explanation/changes/patches.ts';
import type { ProposedChange } from '../../engine/explanation/smallestChange.ts';
import { isInVain } from '../../engine/explanation/verifiedChanges.ts';
import type { WorkloadExplanation } from '../../engine/explanation/workloadExplanation.ts';
import { listed } from '../listed.ts';
import { placementText } from '../placement.ts';
import type { Style } from '../style.ts';

/** What would let it move, the smallest change first, each with the command that makes it. */
export function changesText(explanation: WorkloadExplanation, style: Style): string {
  const { changes, sharedPolicy, policy, decision } = explanation;
  if (!changes) return '';
  const placed = decision.failure === undefined;
  // a copy less is often as it should be
  if (placed && changes.items.length === 0) return '';
  const { items: found, pairs, tried, refused } = changes;
  if (found.length === 0 && refused !== undefined)
    return `${style.strong('What would help:')} the changes that were found cannot be made as they are. ${refused}`;
  if (found.length === 0)
    return `${style.strong('What would help:')} no change that was tried (${tried}), alone or in pairs, lets the scheduler place it.`;
  const what = pairs
    ? 'no single change, but each of these pairs'
    : found.length > 1
      ? 'each of these alone'
      : '';
  const lines = found.flatMap((change) => changeLines(change, style));
  const shared =
    sharedPolicy > 0 &&
    policy &&
    found.some((one) => one.patches.some((patch) => concerns(patch, policy.name)))
      ? [
          style.warn(
            `  ${policy.kind} ${policy.name} places ${sharedPolicy} other ${sharedPolicy === 1 ? 'workload' : 'workloads'} too.`,
          ),
        ]
      : [];
  const title = placed ? 'To have as many copies as before:' : 'What would help:';
  return [`${style.strong(title)} ${what}`.trimEnd(), ...lines, ...shared].join('\n');
}

function concerns({ target }: ObjectPatch, policy: string): boolean {
  return target.kind.endsWith('PropagationPolicy') && target.name === policy;
}

function changeLines(change: ProposedChange, style: Style): string[] {
  const { kinds, text, gives, movesToday, alternatives, patches } = change;
  // a task that is cancelled alone no longer keeps its copy
  const ended =
    kinds.includes('end-eviction') && patches.some(({ merge }) => !('clusters' in specOf(merge)))
      ? style.warn('; the copy that the task keeps there goes with it')
      : '';
  const vain = isInVain(change) ? style.bad(', but not for good: it loses that place again') : '';
  const others = alternatives.length > 0 ? ` (or ${listed(alternatives, 3)})` : '';
  const today = movesToday ? style.warn(`; it would run on ${placementText(movesToday)} from today`) : '';
  return [
    `  - ${text}${others}: then it goes to ${placementText(gives)}${vain}${today}${ended}`,
    ...patches.map((patch) => style.faint(`      ${command(patch)}`)),
  ];
}

function specOf(merge: unknown): object {
  return (merge as { spec?: object }).spec ?? {};
}

/** The patch as one would type it. */
function command({ target, merge }: ObjectPatch): string {
  const namespace = target.namespace ? ` -n ${target.namespace}` : '';
  const patch = JSON.stringify(merge).replaceAll("'", "'\\''");
  return `kubectl patch ${target.kind.toLowerCase()} ${target.name}${namespace} --type merge -p '${patch}'`;
}
