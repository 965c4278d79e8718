import type { ControllerReport } from '../../karmada/running/controllerReport.ts';
import type { Presentation } from '../../presentation/model.ts';
import { duration } from '../words/duration.ts';

/** The report of observing controllers, for the end of their run. */
export function controllerReport({ since, until, clusters, failures }: ControllerReport): Presentation {
  const time = duration(until - since);
  const failed = failures === 0 ? '' : ` Retries after an error: ${failures}.`;
  if (clusters.length === 0)
    return {
      blocks: [{ type: 'paragraph', words: `In ${time} nothing would have been written.${failed}` }],
    };
  return {
    blocks: [
      { type: 'paragraph', words: `In ${time} this would have been written:${failed}` },
      {
        type: 'table',
        columns: [
          { name: 'CLUSTER' },
          { name: 'TAINTS ADDED' },
          { name: 'REMOVED' },
          { name: 'EVICTED' },
          { name: 'EVICTIONS ENDED' },
          { name: 'EVICTIONS PER SECOND' },
        ],
        narrowing: [{ drop: ['EVICTIONS PER SECOND'] }, { drop: ['EVICTIONS ENDED'] }],
        rows: clusters.map((one) => [
          one.cluster,
          String(one.taintsAdded),
          String(one.taintsRemoved),
          String(one.evicted),
          String(one.tasksEnded),
          rateOf(one),
        ]),
      },
    ],
  };
}

/** Evictions per second between the first and the last. */
function rateOf({ evicted, firstEviction, lastEviction }: ControllerReport['clusters'][number]): string {
  if (evicted < 2 || firstEviction === undefined || lastEviction === undefined) return '';
  if (lastEviction <= firstEviction) return '';
  return ((evicted - 1) / ((lastEviction - firstEviction) / 1000)).toFixed(2);
}
