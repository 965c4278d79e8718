import type { DrainPlan, PlannedCluster, PlannedWorkload } from '../../analysis/drain/plan/drainPlan.ts';
import { smallest } from '../../kubernetes/longLists.ts';
import { parseQuantity } from '../../kubernetes/parseQuantity.ts';
import { quantityMilliValue } from '../../kubernetes/quantity.ts';
import type { Block, Table, Words } from '../../presentation/model.ts';
import { asBad, joined } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import {
  changeText,
  clusterChangeCells,
  clusterChangeColumns,
  changesWorkloads,
} from '../words/clusterChange.ts';
import { placementText, workloadName } from '../words/names.ts';
import { gapText, possibleEndsText } from '../words/outcomeWords.ts';
import { offsetText } from '../words/timelineEvent.ts';
import { DRAIN_OUTCOMES, drainOutcomeTone, reasonText } from './planFates.ts';

/** The resources that most clusters run out of first; -o wide adds the others. */
const RESOURCES = ['cpu', 'memory'];

/** The load and utilization of each changing cluster before and after. */
export function planClusterTable(clusters: PlannedCluster[], { wide }: Shown): Table {
  const changed = clusters.map(asChange).filter((one) => wide || one.drained || changesWorkloads(one));
  const reported = new Set(changed.flatMap(({ capacity = [] }) => capacity.map(({ resource }) => resource)));
  const others = [...reported].filter((resource) => !RESOURCES.includes(resource)).sort();
  const shown = [...RESOURCES.filter((resource) => reported.has(resource)), ...(wide ? others : [])];
  const usages = shown.map((resource) => {
    const found = changed.map(({ capacity = [] }) => capacity.find((one) => one.resource === resource));
    return { name: resource.toUpperCase(), cells: found.map(wide ? quantityCells(resource, found) : share) };
  });
  return {
    type: 'table',
    columns: [...clusterChangeColumns, ...usages.map(({ name }) => ({ name }))],
    rows: changed.map((one, at) => [
      ...clusterChangeCells(one.drained ? `${one.name} (drained)` : one.name, one),
      ...usages.map(({ cells }) => cells[at]!),
    ]),
    narrowing: [
      ...usages.slice(RESOURCES.length).map(({ name }) => ({ fold: { [name]: name.toLowerCase() } })),
      { fold: Object.fromEntries(usages.map(({ name }) => [name, name.toLowerCase()])) },
      { cut: 'CLUSTER', to: 20 },
    ],
  };
}

/** A drain does not change the readiness of a cluster. */
function asChange({ before, after, ready, ...one }: PlannedCluster) {
  return { ...one, before: { ...before, ready }, after: { ...after, ready } };
}

type Usage = NonNullable<PlannedCluster['capacity']>[number];

const milli = (quantity: string) => Number(quantityMilliValue(parseQuantity(quantity)));

const isOver = ({ allocatable, allocatedAfter }: Usage) => milli(allocatedAfter) > milli(allocatable);

/** "62% → 91%" */
function share(usage: Usage | undefined): Words {
  if (!usage) return '';
  const all = milli(usage.allocatable);
  const over = isOver(usage);
  const percent = (part: string) => `${Math.round((100 * milli(part)) / all)}%`;
  if (all === 0) return over ? asBad('over') : '';
  const text = changeText(percent(usage.allocatedBefore), percent(usage.allocatedAfter));
  return over ? asBad(text) : text;
}

/** "12.5 → 18.2 of 20": all cells of a column in one unit. */
function quantityCells(
  resource: string,
  usages: readonly (Usage | undefined)[],
): (usage: Usage | undefined) => Words {
  const amount = amountsOf(
    resource,
    usages.flatMap((usage) => (usage ? [milli(usage.allocatable) / 1000] : [])),
  );
  return (usage) => {
    if (!usage) return '';
    const [before, after, all] = [usage.allocatedBefore, usage.allocatedAfter, usage.allocatable].map((one) =>
      amount(milli(one) / 1000),
    ) as [string, string, string];
    const text = `${changeText(before, after)} of ${all}`;
    return isOver(usage) ? asBad(text) : text;
  };
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
const BYTES = /^(memory|ephemeral-storage|storage|hugepages-.*)$/;

/** The unit for amounts of a resource: bytes in the largest unit that gives each cluster at least one, others in their own unit. */
function amountsOf(resource: string, totals: readonly number[]): (amount: number) => string {
  if (!BYTES.test(resource)) return (amount) => String(rounded(amount, 3));
  const least = smallest(totals.filter((total) => total > 0));
  const power = Number.isFinite(least)
    ? Math.min(BINARY.length - 1, Math.max(0, Math.floor(Math.log2(least) / 10)))
    : 0;
  return (amount) => `${rounded(amount / 1024 ** power, 2)}${BINARY[power]}`;
}

function rounded(amount: number, digits: number): number {
  return Math.round(amount * 10 ** digits) / 10 ** digits;
}

/** A row per workload, the worst outcome first; nothing if there are none. */
export function planWorkloadTable({ workloads, now, options }: DrainPlan, isOrdered: boolean): Block[] {
  const drained = options.clusters;
  const rank = ({ fate }: PlannedWorkload) => DRAIN_OUTCOMES.indexOf(fate);
  const sorted = isOrdered ? workloads : workloads.toSorted((a, b) => rank(a) - rank(b));
  const at = (time: number | undefined) => (time === undefined ? '' : offsetText(time, now));
  if (sorted.length === 0) return [];
  return [
    {
      type: 'table',
      columns: [
        { name: 'ORDER' },
        { name: 'FATE' },
        { name: 'WORKLOAD' },
        { name: 'FROM', wraps: 16 },
        { name: 'TO', wraps: 16 },
        { name: 'EVICTED' },
        { name: 'READY' },
        { name: 'GONE' },
        { name: 'REPLICAS DOWN' },
        { name: 'CERTAINTY' },
        { name: 'REASON', wraps: 40 },
      ],
      rows: sorted.map((one) => [
        String(one.order ?? ''),
        drainOutcomeTone(one.fate, one.fate, (fate) => fate),
        workloadName(one),
        placementText(one.from),
        toText(one, drained),
        at(one.evictedAt),
        at(one.readyAt),
        at(one.goneAt),
        gapText(one),
        one.certainty,
        joined([reasonText(one, now, drained), ...possibleEndsText(one)], '; '),
      ]),
      narrowing: [
        { fold: { REASON: '' } },
        { fold: { FROM: 'from', TO: 'to' } },
        { fold: { 'REPLICAS DOWN': 'replicas down', CERTAINTY: 'certainty' } },
        { cut: 'WORKLOAD', to: 16 },
      ],
    },
  ];
}

/** The gains of the other clusters: "dublin +2, oregon +1"; the whole placement if there are no numbers. */
function toText({ before, after, order, fate }: PlannedWorkload, drained: string[]): string {
  if (order === undefined && fate !== 'follows') return '';
  const gained = after.flatMap(({ name, replicas = 0 }) => {
    if (drained.includes(name)) return [];
    const had = before.find((one) => one.name === name);
    const more = replicas - (had?.replicas ?? 0);
    if (had && more <= 0) return [];
    return [{ name, ...(more > 0 ? { replicas: more } : {}) }];
  });
  return placementText(gained);
}
