import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import type { Member } from '../../karmada/controllers/kinds.ts';
import { answers, electionWait, staleInformers } from '../../karmada/detection/memberAccess.ts';
import type { View } from '../../karmada/controllers/view.ts';
import type { Write } from '../../karmada/controllers/write.ts';

/** Random values from 0 to 1, by purpose; undefined: the likeliest value. */
export type ChanceOf = (what: string) => number | undefined;

/** When and how a member fails or recovers. */
interface Turn {
  /** epoch milliseconds */
  now: number;
  /** whether its agent runs at that time; absent: as long as the member is up */
  agentRuns?: boolean;
  /** when its agent started or stopped (epoch milliseconds), if that changes too */
  agentSince: number;
  unseen: ChanceOf;
}

/** The whole member fails or recovers, usually with its agent. */
export function memberTurns(view: View, { metadata: { name } }: Cluster, up: boolean, turn: Turn): Write[] {
  const before = view.get('Member', name);
  if (!before) return [];
  const { answers, ...kept } = before;
  const running = turn.agentRuns ?? up;
  const sameAgent = before.agent === undefined || before.agent.running === running;
  const after: Member = { ...kept, up, ...(!sameAgent && { agent: { running, since: turn.agentSince } }) };
  if (before.up === up && answers === undefined && sameAgent) return [];
  return [memberWrite(before, withCaches(view, before, after, turn))];
}

/**
 * The API server of a member fails or recovers, before Karmada notices; the member's workloads keep serving.
 *
 * @param turn the instant (epoch milliseconds), possibly before the simulation starts
 */
export function memberAnswers(
  view: View,
  cluster: string,
  answers: boolean,
  turn: Omit<Turn, 'agentSince'>,
): Write[] {
  const before = view.get('Member', cluster);
  return before ? [memberWrite(before, withCaches(view, before, { ...before, answers }, turn))] : [];
}

/** The member when it stops or starts to respond, with the resulting caches of informers. */
function withCaches(
  view: View,
  before: Member,
  after: Member,
  { now, unseen }: Omit<Turn, 'agentSince'>,
): Member {
  if (answers(before) === answers(after)) return after;
  if (!answers(after)) return { ...after, downSince: now };
  const { downSince: _, stale: __, grown: ___, ...kept } = after;
  const chance = (informer: string, what: number | 'watch') =>
    unseen(`${informer} of ${after.name} at ${now} ${what}`) ?? 0.5;
  return { ...kept, ...staleInformers(view, before, now, chance) };
}

/**
 * A new controller manager has new informers of Push members: they start, without a back-off, with its first successful
 * probe of the member.
 *
 * @param now epoch milliseconds
 */
export function handledByNewManager(view: View, now: number): Write[] {
  return [...view.all('Member')].flatMap((before) => {
    const { stale: _, grown: __, downSince: ___, ...after } = before;
    return before.agent ? [] : [memberWrite(before, { ...after, handledSince: now, uninformed: true })];
  });
}

function memberWrite(base: Member, object: Member): Write {
  return { verb: 'update', kind: 'Member', key: base.name, part: 'object', lock: false, base, object };
}

/** The member of a Cluster that joins: it is reachable, and so is the agent of a Pull cluster, which registered it. */
export function joiningMember(
  view: View,
  { metadata: { name }, spec }: Cluster,
  configuration: Configuration,
  now: number,
): Write[] {
  if (view.get('Member', name)) return [];
  const agent = spec?.syncMode === 'Pull' && { running: true, since: now - electionWait(configuration) };
  const object: Member = { name, up: true, ...(agent && { agent }) };
  return [{ verb: 'create', kind: 'Member', key: name, object }];
}
