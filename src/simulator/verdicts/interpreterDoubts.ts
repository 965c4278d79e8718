import {
  declaresHooks,
  hasHealthInterpreter,
  INTERPRETERS,
  kindKey,
} from '../../karmada/status/healthInterpreter.ts';
import { readsReplicas } from '../../karmada/propagation/interpretReplicas.ts';
import type { InterpretedKind } from '../../karmada/controllers/view.ts';
import { lazily } from '../../kubernetes/lazily.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { type Doubts, unknown } from './doubt.ts';

const ADD_INTERPRETERS = `add ${INTERPRETERS.join(' and ')} to the state`;

/**
 * Doubts about kinds without a health interpreter in the state, although reports show that one exists, or a file may
 * have omitted it.
 */
export function ofInterpreters(start: StartingWorld): Doubts {
  const { hooks, world } = start;
  if (world.unread !== undefined || world.simulation) return () => [];
  const shown = lazily(() => interpretedKinds(start));
  const someDeclared = lazily(() => world.others.some(declaresHooks));
  return ({ initial: { spec }, evicted, troubled }) => {
    const { resource } = spec;
    if (troubled.size === 0 && !evicted && !spec.failover?.application) return [];
    if (hasHealthInterpreter(resource, hooks)) return [];
    const why = shown().get(kindKey(resource));
    if (why !== undefined)
      return [
        unknown(
          `the health interpreter of ${resource.kind}, which the state lacks although ${why}: ${ADD_INTERPRETERS}`,
        ),
      ];
    if (isBuiltIn(resource) || someDeclared()) return [];
    return [
      unknown(
        `whether Karmada can judge the health of a ${resource.kind}: the state has no interpreters, ${ADD_INTERPRETERS}`,
      ),
    ];
  };
}

/** Evidence that a kind is interpreted although the state has no interpreter for it, by kind. */
function interpretedKinds({ world, hooks, configuration }: StartingWorld): ReadonlyMap<string, string> {
  const { healthWithoutHook } = configuration.rules.status;
  const declared = world.others.filter(declaresHooks);
  const found = new Map<string, string>();
  for (const { spec, status } of world.bindings) {
    const { resource, replicas } = spec;
    if (hasHealthInterpreter(resource, hooks)) continue;
    const judged = status?.aggregatedStatus?.find(
      ({ health }) => health !== undefined && health !== healthWithoutHook && health !== 'Unknown',
    );
    if (judged) found.set(kindKey(resource), `one is reported ${judged.health}`);
    else if (replicas && !readsReplicas(resource, declared) && !found.has(kindKey(resource)))
      found.set(kindKey(resource), 'its replicas are known');
  }
  return found;
}

/** Whether a kind is built into Kubernetes: no customization is to be expected. */
function isBuiltIn({ apiVersion }: InterpretedKind): boolean {
  const group = apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
  return !group.includes('.') || group.endsWith('.k8s.io');
}
