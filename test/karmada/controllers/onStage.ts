import type { Controller, Step, Wake } from '../../../src/karmada/controllers/controller.ts';
import type { Change, Write } from '../../../src/karmada/controllers/write.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { createStore, type Store } from '../../../src/simulator/store/store.ts';
import type { World } from '../../../src/karmada/world.ts';
import type { ResourceBinding } from '../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { failoverOn, START } from '../../simulator/simulation/controlPlane.ts';

/** A world for single reconciles of controllers: no driver, no passing time. */
export interface Stage {
  store: Store;
  /** one reconcile, at START unless set otherwise (epoch milliseconds); its decision is not written */
  reconcile<Memory>(
    controller: Controller<Memory>,
    key: string,
    options?: { now?: number; memory?: Memory },
  ): Step<Memory>;
  /** Writes the result of a step, or as another client. */
  write(...writes: Write[]): Change[];
  wakes(controller: Pick<Controller, 'wakes' | 'resumes'>, change: Change): Wake[];
  /** @param unseen given: the controllers continue, with this as their memory */
  resumes(controller: Pick<Controller, 'wakes' | 'resumes'>, unseen?: () => number | undefined): Wake[];
  binding(key: string): ResourceBinding;
  /** Changes a binding as another client. */
  changeBinding(key: string, change: (binding: ResourceBinding) => ResourceBinding): Change;
}

export function onStage(state: World, configuration: Configuration = failoverOn): Stage {
  const store = createStore(
    createStartingWorld(state, configuration, {
      start: START,
      members: { workloadReadyAfter: 20_000, neverReady: [] },
    }),
  );
  const context = { configuration, now: START };
  const write: Stage['write'] = (...writes) =>
    writes.flatMap((one) => {
      const change = store.write(one, START);
      if (change && 'refused' in change)
        throw new Error(`${one.verb} ${one.kind} ${one.key}: ${change.refused}`);
      return change ? [change] : [];
    });
  const binding = (key: string) => {
    const found = store.get('Binding', key);
    if (!found) throw new Error(`no binding ${key}`);
    return found;
  };
  return {
    store,
    reconcile: (controller, key, { now = START, memory } = {}) =>
      controller.reconcile({ key, view: store, memory, configuration, now, evidence: [] }),
    write,
    wakes(controller, change) {
      const handler = controller.wakes[change.kind] as
        ((change: Change, view: Store, at: typeof context) => Iterable<Wake>) | undefined;
      return [...(handler?.(change, store, context) ?? [])];
    },
    resumes: (controller, unseen) => [
      ...(controller.resumes?.(store, { ...context, ...(unseen && { unseen }) }) ?? []),
    ],
    binding,
    changeBinding(key, change) {
      const base = binding(key);
      const [changed] = write({
        verb: 'update',
        kind: 'Binding',
        key,
        part: 'object',
        lock: true,
        base,
        object: change(base),
      });
      return changed!;
    },
  };
}

/** The key of the binding of a Deployment in the namespace shop. */
export const keyOf = (name: string): string => `shop/${name}-deployment`;
