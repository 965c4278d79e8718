import { conditionOf } from '../../../karmada/objects/conditions.ts';
import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Work } from '../../../karmada/api/work.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { instant } from '../../../kubernetes/time.ts';
import { isReady } from '../../../karmada/objects/clusterReadiness.ts';
import { clusterOfWork } from '../../../karmada/objects/worksOfBinding.ts';
import type { SeenChange } from '../history.ts';

/** Something that shows whether a member answered. */
export interface Sign {
  /** epoch milliseconds: it answered then or later, or did not answer then */
  at: number;
  /** what was seen, as a phrase: "its Lease was renewed" */
  what: string;
}

/** What was seen of a member since it answered last. */
export interface Signs {
  /** the last sign that it answered */
  answered?: Sign;
  /** the first sign after that that it does not */
  refused?: Sign;
}

/** Milliseconds that what a member tells may wait in queues before it is written. */
const ON_ITS_WAY = 1000;
/** What the execution controller says in a Work if it cannot reach the member's API server. */
const UNREACHABLE =
  /dial tcp|connection refused|connection reset|no route to host|i\/o timeout|deadline exceeded|TLS handshake|\bEOF\b|Client\.Timeout/;

/**
 * Follows what changes show of members. A Lease is renewed by an agent that runs, a status is collected from a member that answers, a Work
 * is applied there or not, and what runs there is reported.
 */
export function followSigns(): { take(change: SeenChange): void; of(cluster: string): Signs } {
  const signs = new Map<string, Signs>();
  const answered = (cluster: string, at: number, what: string) => {
    if (at > (signs.get(cluster)?.answered?.at ?? -Infinity)) signs.set(cluster, { answered: { at, what } });
  };
  const refused = (cluster: string, at: number, what: string) => {
    const known = signs.get(cluster);
    if (!known?.refused) signs.set(cluster, { ...known, refused: { at, what } });
  };

  function ofLease(name: string, renewTime: string | undefined, at: number): void {
    const time = renewTime ? instant(renewTime) : NaN;
    // the clock of a member may be ahead
    if (time <= at) answered(name, time, 'its Lease was renewed');
  }

  function ofWork(before: Work | undefined, after: Work, at: number): void {
    const cluster = clusterOfWork(after);
    if (cluster === undefined) return;
    const { name } = after.metadata;
    const appliedOf = (work: Work | undefined) => conditionOf(work?.status?.conditions, 'Applied');
    const [had, has] = [appliedOf(before), appliedOf(after)];
    const isNew = has !== undefined && (had?.status !== has.status || had.message !== has.message);
    if (isNew && has.status === 'True') answered(cluster, at - ON_ITS_WAY, `Work ${name} was applied`);
    else if (isNew && UNREACHABLE.test(has.message ?? ''))
      refused(cluster, at, `Work ${name} could not be applied`);
    else if (before && !deepEqual(reported(before), reported(after)))
      answered(cluster, at - ON_ITS_WAY, `the status of Work ${name} changed`);
  }

  return {
    of: (cluster) => signs.get(cluster) ?? {},
    take({ at, before, after }) {
      if (!after) return;
      const { kind, metadata } = after;
      if (kind === 'Lease')
        ofLease(metadata.name, (after as { spec?: { renewTime?: string } }).spec?.renewTime, at);
      else if (kind === 'Work') ofWork(before as Work | undefined, after as unknown as Work, at);
      else if (kind === 'Cluster' && before) {
        const [had, has] = [before, after] as unknown as [Cluster, Cluster];
        if (isReady(has) && !deepEqual(collected(had), collected(has)))
          answered(metadata.name, at - ON_ITS_WAY, 'its status was collected');
      }
    },
  };
}

/** What the member itself says of the objects of a Work; no health, which is worked out again from what was last heard. */
function reported({ status }: Work): unknown {
  return status?.manifestStatuses?.map((one) => one.status);
}

/** What is collected from a member, apart from its condition. */
function collected({ status }: Cluster): unknown {
  return [status?.nodeSummary, status?.resourceSummary, status?.kubernetesVersion];
}
