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

const texts: Shape = { list: 'string' };
const component: Shape = { oneOf: components };

/** As docs/schema has it, and what releases before it left out; `simulation` is checked by itself. */
const shape: Shape = {
  fields: {
    captured: { fields: { time: 'RFC 3339 time', source: 'string' } },
    newestTimestamp: {
      fields: {
        time: 'RFC 3339 time',
        object: { fields: { kind: 'string', namespace: 'string', name: 'string' }, optional: ['namespace'] },
      },
    },
    components: {
      fields: {
        commandLines: {
          list: {
            fields: {
              component,
              flags: { list: { fields: { name: 'string', value: 'string' } } },
              source: 'string',
            },
          },
        },
        versions: { list: { fields: { component, version: 'string', source: 'string' } } },
        warnings: texts,
      },
      optional: ['versions', 'warnings'],
    },
    detected: { fields: { version: 'string', source: 'string' } },
    assumed: {
      fields: {
        version: 'string',
        gatesAndFlags: {
          list: {
            fields: {
              part: { oneOf: ['featureGates', 'controllerManager', 'agent', 'scheduler', 'webhook'] },
              name: 'string',
              value: 'scalar',
              source: 'string',
            },
          },
        },
      },
      optional: ['version'],
    },
    served: { list: { fields: { group: 'string', versions: texts } } },
    unread: { list: { fields: { kind: 'string', missing: 'string' } } },
    warnings: texts,
  },
  optional: ['captured', 'newestTimestamp', 'detected', 'assumed', 'served', 'unread', 'warnings'],
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
  const problem = problemIn(fields, shape, 'Snapshot');
  if (problem !== undefined)
    return {
      problem: `${problem}; this is not what snapshot save or simulate --save-state writes: save it again`,
    };
  return {
    components: { commandLines: [], versions: [], warnings: [], ...header.components },
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
