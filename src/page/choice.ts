import type { Model, Row } from './model.ts';

/** The filter and order of the listed workloads. */
export interface Choice {
  /** words that a row must all contain */
  text: string;
  /** 'eventful', 'all', or the index of an outcome */
  of: string;
  by: Order;
  /** in reverse order */
  reversed: boolean;
}

export type Order = 'outcome' | 'name' | 'fewer' | 'first';

export const ROW_ORDERS: Readonly<Record<Order, string>> = {
  outcome: 'Outcome',
  name: 'Workload',
  fewer: 'Replicas down',
  first: 'First change',
};

/** The chosen workloads, sorted; equal rows keep the order of the report. */
export function chosenRows({ rows }: Model, { text, of, by, reversed }: Choice): Row[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = rows.filter(({ workload, eventful, text: own }) => {
    if (of === 'eventful' ? !eventful : of !== 'all' && String(workload.outcome) !== of) return false;
    return words.every((word) => own.includes(word));
  });
  const compare = COMPARES[by];
  return found.sort((a, b) => (reversed ? compare(b, a) : compare(a, b)));
}

const COMPARES: Readonly<Record<Order, (a: Row, b: Row) => number>> = {
  outcome: (a, b) =>
    (a.workload.outcome ?? 99) - (b.workload.outcome ?? 99) || b.workload.weight - a.workload.weight,
  name: (a, b) =>
    compareText(a.workload.namespace, b.workload.namespace) || compareText(a.workload.name, b.workload.name),
  fewer: (a, b) => b.workload.weight - a.workload.weight,
  first: (a, b) => (a.first === b.first ? 0 : a.first - b.first),
};

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
