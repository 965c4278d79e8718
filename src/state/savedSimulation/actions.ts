import type { Shape } from '../../karmada/shape.ts';
import { STOPPABLE } from '../../simulator/scenario.ts';
import { effect, health, identity, object } from './members.ts';

const ofComponent = { fields: { type: 'string', component: { oneOf: STOPPABLE } } } as const satisfies Shape;
const onCluster = { type: 'string', cluster: 'string' } as const;

/** External events, by type. */
export const action: Shape = {
  types: {
    fail: { fields: onCluster },
    recover: { fields: onCluster },
    condition: {
      fields: {
        ...onCluster,
        condition: {
          fields: { type: 'string', status: 'string', reason: 'string', message: 'string' },
          optional: ['reason', 'message'],
        },
      },
    },
    taint: {
      fields: {
        ...onCluster,
        taint: { fields: { key: 'string', value: 'string', effect }, optional: ['value'] },
      },
    },
    untaint: { fields: { ...onCluster, key: 'string', effect }, optional: ['effect'] },
    health: { fields: { ...onCluster, workload: identity, health } },
    patch: { fields: { type: 'string', target: identity, merge: { record: 'any' } } },
    apply: { fields: { type: 'string', objects: { list: object } } },
    delete: { fields: { type: 'string', target: identity } },
    restart: ofComponent,
    stop: ofComponent,
    start: ofComponent,
  },
};
