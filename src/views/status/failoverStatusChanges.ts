import type { Basis } from '../../karmada/configuration/assumptions.ts';
import type { FailoverStatus, FailoverStatusChange } from '../../analysis/explanation/failoverStatus.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { asBad } from '../../presentation/words.ts';
import type { Answer, Shown } from '../answer.ts';
import type { AnsweredAssumption } from '../assumptions.ts';
import { type GrowingTable, growingTable, shownChangesFilter, type ShownChanges } from '../watching.ts';
import { clusterCells, clusterColumns, clusterNarrowing } from './clusterTable.ts';
import {
  failoverReasons,
  failoverStatusHead,
  failoverVerdict,
  paceBlock,
  paceDocument,
  troubleBlocks,
  troubleDocument,
} from './statusHead.ts';
import { resourceName } from '../words/names.ts';

/** The first state of a watch of failover. */
interface FailoverStatusWatched extends Basis {
  status: FailoverStatus;
  switches: AnsweredAssumption[];
  /** whether failures are forecast */
  forecast: boolean;
  /** only some of the workloads are counted */
  selective?: boolean;
}

/** Renders the whole status first, then table lines and verdicts as they change. */
export function failoverStatusChanges(first: FailoverStatusWatched): ShownChanges<FailoverStatusChange> {
  const { karmadaVersion, forecast } = first;
  let table: GrowingTable | undefined;
  const document = (
    { type, failover, evictionPace, trouble, cluster }: FailoverStatusChange,
    now: number,
  ): Answer['document'] => ({
    kind: 'FailoverStatusChange',
    schemaVersion: 'v1',
    karmadaVersion,
    time: rfc3339(now),
    type,
    failover,
    ...(evictionPace && { evictionPace: paceDocument(evictionPace) }),
    ...(trouble && { trouble: troubleDocument(trouble) }),
    cluster,
  });

  function blocks(changes: FailoverStatusChange[], now: number, shown: Shown): Block[] {
    const { wide, noHeaders } = shown;
    const general = noHeaders ? [] : changes.filter(({ cluster }) => cluster === null);
    const head = general.some(({ type }) => type === 'ADDED')
      ? failoverStatusHead({ ...first, now }, shown)
      : [];
    const verdicts = general.flatMap(({ type, failover, evictionPace, trouble }) =>
      type === 'ADDED'
        ? []
        : [
            ...troubleBlocks(trouble, wide),
            { type: 'section' as const, blocks: verdictBlocks(failover, evictionPace) },
            ...(evictionPace ? [paceBlock(evictionPace)] : []),
          ],
    );
    table ??= growingTable(clusterColumns(forecast, wide), clusterNarrowing);
    const rows = changes.flatMap(({ type, cluster }) => {
      if (cluster === null) return [];
      const cells: Words[] = clusterCells(cluster, first, now, wide);
      if (type === 'DELETED') cells[1] = asBad('gone');
      return [cells];
    });
    const lines = rows.length > 0 ? [...verdicts, table.rows(rows)] : verdicts;
    return [...head, { type: 'section', blocks: lines }];
  }

  return {
    document,
    visible: shownChangesFilter(
      ({ cluster }) => cluster?.name ?? '',
      (change, wide) => lasting(change, forecast, wide),
    ),
    answer: (changes, now) => ({
      document: document(changes[0]!, now),
      names: () =>
        changes.flatMap(({ cluster }) =>
          cluster === null ? [] : [resourceName({ kind: 'Cluster', name: cluster.name })],
        ),
      presentation: (shown) => ({ blocks: blocks(changes, now, shown) }),
    }),
  };
}

/** The content of a line, without times that grow by themselves. */
function lasting(
  { type, failover, evictionPace, trouble, cluster }: FailoverStatusChange,
  forecast: boolean,
  wide: boolean,
): unknown {
  if (cluster === null)
    return [
      troubleBlocks(trouble, wide),
      verdictBlocks(failover, evictionPace),
      evictionPace && paceBlock(evictionPace),
    ];
  const { since, ...ready } = cluster.ready;
  const cells = clusterCells({ ...cluster, ready }, { forecast }, 0, wide);
  return [...cells, wide ? since : undefined, type === 'DELETED'];
}

/** Whether failover is on, and why not. */
function verdictBlocks(
  failover: FailoverStatus['failover'],
  evictionPace: FailoverStatus['evictionPace'],
): Block[] {
  return [failoverVerdict(failover, evictionPace), ...failoverReasons(failover)];
}
