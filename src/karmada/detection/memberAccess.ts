import type { Configuration } from '../configuration/configuration.ts';
import { relistTime } from './relist.ts';
import type { ReachedBackOff } from '../controllers/kinds.ts';
import { isReady } from '../objects/clusterReadiness.ts';
import { workKey } from '../objects/identities.ts';
import type { ReconcileRequest } from '../controllers/controller.ts';
import type { Copy, Member, StaleInformers } from '../controllers/kinds.ts';
import type { View } from '../controllers/view.ts';

/** Milliseconds until a starting agent is the leader and works. */
export function electionWait({ agent }: Configuration): number {
  return agent['leader-elect'] ? agent['leader-elect-lease-duration'] : 0;
}

/**
 * Whether the process that handles a cluster works: the controller manager for Push members, the member's karmada-agent
 * for Pull members. If a Pull cluster is Ready, its agent works.
 */
export function isHandled(
  { view, now, configuration }: Pick<ReconcileRequest<unknown>, 'view' | 'now' | 'configuration'>,
  name: string,
): boolean {
  const cluster = view.get('Cluster', name);
  const member = view.get('Member', name);
  const agent = member?.agent;
  if (cluster?.spec?.syncMode !== 'Pull' || !agent) return true;
  if (!answers(member)) return false;
  return agent.running && (isReady(cluster) || now >= agent.since + electionWait(configuration));
}

/** Milliseconds until the process that handles a cluster works, if its agent has just started. */
export function startupDelay(
  view: View,
  name: string,
  { configuration, now }: Pick<ReconcileRequest<unknown>, 'configuration' | 'now'>,
): number {
  const agent = view.get('Member', name)?.agent;
  if (!agent || isReady(view.get('Cluster', name))) return 0;
  return Math.max(0, agent.since + electionWait(configuration) - now);
}

/** Whether the API server of a member answers. */
export function answers({ answers, up }: Member): boolean {
  return answers ?? up;
}

/** Whether the API server of a cluster's member answers; if the member is not simulated, by its Ready condition. */
export function isUp(view: View, cluster: string): boolean {
  const member = view.get('Member', cluster);
  return member ? answers(member) : isReady(view.get('Cluster', cluster));
}

/** The informer for a kind in a member. */
export function informerOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  return `${apiVersion} ${kind}`;
}

/** The informer from which the cluster status controller counts allocated resources. */
export const POD_INFORMER = informerOf({ apiVersion: 'v1', kind: 'Pod' });

/**
 * The informers of kinds that a member no longer runs: Karmada keeps informers that it once needed, and no capture
 * shows them.
 */
const OTHER_INFORMERS = '*';

/** Until when (epoch milliseconds) an informer is stale after its member is back; undefined if it is up to date. */
export function staleUntil(
  view: Pick<View, 'get'>,
  cluster: string,
  informer: string,
  now: number,
): number | undefined {
  const stale = view.get('Member', cluster)?.stale;
  const until = stale?.until[informer] ?? stale?.until[OTHER_INFORMERS];
  return until !== undefined && until > now ? until : undefined;
}

/** Whether an object is in the cache of a stale informer. */
export function isCached(view: View, cluster: string, key: string): boolean {
  return view.get('Member', cluster)?.stale?.known[key] === true;
}

/**
 * Whether an object has become ready since a stale informer cached it: an update based on the cached object conflicts.
 */
export function isOutdatedInCache(
  view: View,
  cluster: string,
  key: string,
  copy: Copy,
  now: number,
): boolean {
  if (staleUntil(view, cluster, informerOf(copy.object), now) === undefined) return false;
  return copy.readyAt === undefined && view.get('Member', cluster)?.stale?.starting?.[key] === true;
}

/**
 * The caches and back-offs of informers when their member answers again at `back` (epoch milliseconds): those of the
 * controller manager, and of an agent that kept running. A restarted agent has new ones.
 *
 * @param chance from 0 to 1 for each wait and the watch of each informer, see `relistTime`
 */
export function staleInformers(
  view: View,
  { name, agent, downSince, stale, grown }: Member,
  back: number,
  chance: (informer: string, what: number | 'watch') => number,
): Pick<Member, 'stale' | 'grown'> {
  if (downSince === undefined) return {};
  if (agent && (!agent.running || agent.since > downSince)) return {};
  const wasStale = Object.values(stale?.until ?? {}).some((until) => until > downSince);
  const copies = view.worksOn(name).flatMap((work) => {
    const key = workKey(work);
    const copy = view.get('Copy', key);
    return copy ? [{ key, informer: informerOf(copy.object), starts: copy.readyAt !== undefined }] : [];
  });
  const informers = new Set([POD_INFORMER, OTHER_INFORMERS, ...copies.map(({ informer }) => informer)]);
  const until: StaleInformers['until'] = {};
  let latest: ReachedBackOff | undefined;
  for (const informer of informers) {
    const next = relistTime(downSince, back, (what) => chance(informer, what), grown);
    until[informer] = next.at;
    if (!latest || next.grown.failedAt > latest.failedAt) latest = next.grown;
  }
  const { known, starting } = (wasStale && stale) || {
    known: Object.fromEntries(copies.map(({ key }) => [key, true])),
    starting: Object.fromEntries(copies.flatMap(({ key, starts }) => (starts ? [[key, true]] : []))),
  };
  return { stale: { until, known, ...(starting && { starting }) }, ...(latest && { grown: latest }) };
}
