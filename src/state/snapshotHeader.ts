import { components } from '../karmada/flags.ts';
import { instant } from '../kubernetes/time.ts';
import { readSavedSimulation } from './savedSimulation.ts';
import { problemIn, type Shape } from './shape.ts';
import type { LoadedState } from './source.ts';
import type { SnapshotHeader } from './snapshot.ts';

/** What the header of a snapshot says of the state. */
export type SnapshotFacts = Pick<
  LoadedState,
  'captured' | 'newestTimestamp' | 'components' | 'detected' | 'assumed' | 'warnings'
> &
  Pick<LoadedState['world'], 'unread' | 'simulation'>;

const assumedShape: Shape = {
  fields: {
    version: 'string',
    gatesAndFlags: { list: { fields: { part: 'string', name: 'string', value: 'any', source: 'string' } } },
  },
  optional: ['version'],
};

/** Reads the header of a snapshot; `problem` says what is wrong with it, with the field. */
export function readSnapshotHeader(fields: Record<string, unknown>): SnapshotFacts | { problem: string } {
  const header = fields as Partial<SnapshotHeader>;
  if (header.schemaVersion !== 'v1')
    return {
      problem: `Snapshot: schemaVersion is ${JSON.stringify(header.schemaVersion ?? null)}, and v1 is the one that is known; use the release that saved it`,
    };
  const { captured, newestTimestamp, detected, assumed, unread, warnings } = header;
  const simulation = header.simulation === undefined ? undefined : readSavedSimulation(header.simulation);
  if (simulation && 'problem' in simulation)
    return { problem: `Snapshot: ${simulation.problem}; simulate with --save-state again` };
  const assumedProblem = assumed === undefined ? undefined : problemIn(assumed, assumedShape, 'assumed');
  if (assumedProblem !== undefined)
    return { problem: `Snapshot: ${assumedProblem}; simulate with --save-state again` };
  for (const [name, value] of Object.entries({ captured, newestTimestamp }))
    if (value !== undefined && Number.isNaN(instant(value.time)))
      return { problem: `Snapshot: ${name}.time: ${JSON.stringify(value.time)} is no time` };
  const lines = header.components?.commandLines;
  if (!Array.isArray(lines) || lines.some(({ component }) => !components.includes(component)))
    return { problem: 'Snapshot: components.commandLines is not what snapshot save writes; save it again' };
  return {
    components: { commandLines: lines, versions: [], warnings: [], ...header.components },
    warnings: warnings ?? [],
    ...(captured ? { captured: { ...captured, time: instant(captured.time) } } : {}),
    ...(newestTimestamp
      ? { newestTimestamp: { ...newestTimestamp, time: instant(newestTimestamp.time) } }
      : {}),
    ...(detected ? { detected } : {}),
    ...(assumed ? { assumed } : {}),
    ...(unread ? { unread } : {}),
    ...(simulation ? { simulation } : {}),
  };
}
