import type { ResumableWorld, SavedSimulation } from '../../simulator/store/savedSimulation.ts';
import type { Shape } from '../../karmada/shape.ts';
import { firstProblem, problemIn } from '../shape.ts';
import { problemOfPatch } from '../world/patchedObject.ts';
import { validateObject } from '../world/validateObject.ts';
import { action } from './actions.ts';
import { unknownReferenceIn } from './contradictions.ts';
import { copy, member } from './members.ts';
import { queues } from './queues.ts';

const flapping: Shape = {
  fields: {
    newsAt: 'time',
    cyclesAlone: 'boolean',
    seen: {
      record: {
        fields: {
          at: { record: { list: 'time' } },
          last: 'string',
          cause: 'string',
          flapping: { fields: { period: 'duration', cause: 'string' } },
        },
        optional: ['last', 'cause', 'flapping'],
      },
    },
  },
};

const shape: Shape = {
  fields: {
    members: { record: member },
    copies: { record: copy },
    queues,
    assumptions: {
      fields: {
        workloadReadyAfter: 'duration',
        guessed: 'boolean',
        neverReady: {
          list: {
            fields: { kind: 'string', namespace: 'string', name: 'string', cluster: 'string' },
            optional: ['namespace'],
          },
        },
      },
      optional: ['guessed'],
    },
    events: { list: { fields: { at: 'time', action } } },
    lastEvent: 'time',
    reported: { record: 'any' },
    told: 'count',
    flapping,
  },
  optional: ['reported'],
};

/** Checks the saved part of a simulation; `problem` names the first invalid field. */
export function readSavedSimulation(value: unknown): SavedSimulation | { problem: string } {
  const problem = problemIn(value, shape, 'simulation') ?? unknownReferenceIn(value as SavedSimulation);
  return problem === undefined ? (value as SavedSimulation) : { problem };
}

/** The mismatch between a saved simulation and the world of its file; undefined if there is none. */
export function problemOfSaved(world: ResumableWorld): string | undefined {
  const { clusters, simulation } = world;
  if (!simulation) return undefined;
  const missing = clusters.find(({ metadata: { name } }) => !Object.hasOwn(simulation.members, name));
  if (missing) return `simulation.members: has no ${missing.metadata.name}, which is a Cluster of the state`;
  return firstProblem(simulation.events.entries(), ([at, { action: one }]) => {
    const path = `simulation.events[${at}].action`;
    if (one.type === 'patch') {
      const problem = problemOfPatch(world, one.target, one.merge);
      return problem && `${path}.merge: ${problem}`;
    }
    if (one.type !== 'apply') return undefined;
    return firstProblem(one.objects.entries(), ([position, applied]) => {
      const verdict = validateObject(structuredClone(applied));
      return 'problem' in verdict ? `${path}.objects[${position}]: ${verdict.problem}` : undefined;
    });
  });
}
