import { components } from '../../karmada/dialects/flags.ts';
import { instant } from '../../kubernetes/time.ts';
import { readSavedSimulation } from '../savedSimulation/savedSimulation.ts';
import type { Shape } from '../../karmada/shape.ts';
import { problemIn } from '../shape.ts';
import type { LoadedState } from '../source.ts';
import type { SnapshotHeader } from './snapshot.ts';

/** The facts about the state in the header of a snapshot. */
export type SnapshotFacts = Pick<
  LoadedState,
  'captured' | 'newestTimestamp' | 'components' | 'detected' | 'assumed' | 'warnings'
> &
  Pick<LoadedState['world'], 'unread' | 'simulation'>;

const texts: Shape = { list: 'string' };
const component: Shape = { oneOf: components };

/** The shape in docs/schema; fields that older releases omitted are optional. `simulation` has its own check. */
const shape: Shape = {
  fields: {
    started: 'RFC 3339 time',
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
              unread: texts,
            },
            optional: ['unread'],
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
  optional: ['started', 'captured', 'newestTimestamp', 'detected', 'assumed', 'served', 'unread', 'warnings'],
};

/** The command that writes files with such a header, for messages. */
const WRITER = {
  Snapshot: 'neither snapshot save nor failover simulate writes this; save it again',
  Recording: 'record does not write this',
};

/** Reads the header of a snapshot or recording; `problem` names the wrong field, and why. */
export function readSnapshotHeader(
  fields: Record<string, unknown>,
  kind: keyof typeof WRITER = 'Snapshot',
): SnapshotFacts | { problem: string } {
  const header = fields as Partial<SnapshotHeader>;
  if (header.schemaVersion !== 'v1')
    return {
      problem: `${kind}: schemaVersion is ${JSON.stringify(header.schemaVersion ?? null)}; this release reads v1, use the one that saved it`,
    };
  const { captured, newestTimestamp, detected, assumed, unread, warnings } = header;
  const simulation = header.simulation === undefined ? undefined : readSavedSimulation(header.simulation);
  if (simulation && 'problem' in simulation)
    return { problem: `Snapshot: ${simulation.problem}; simulate and save it again` };
  const problem = problemIn(fields, shape, kind);
  if (problem !== undefined) return { problem: `${problem}; ${WRITER[kind]}` };
  return {
    components: { commandLines: [], versions: [], warnings: [], ...header.components },
    warnings: warnings ?? [],
    ...(captured ? { captured: { ...captured, time: instant(captured.time) } } : {}),
    ...(newestTimestamp && { newestTimestamp: { ...newestTimestamp, time: instant(newestTimestamp.time) } }),
    ...(detected ? { detected } : {}),
    ...(assumed ? { assumed } : {}),
    ...(unread ? { unread } : {}),
    ...(simulation ? { simulation } : {}),
  };
}
