import { beforeAll, expect, test } from '@jest/globals';
import { overviewOf } from '../../../src/analysis/overview/overview.ts';
import {
  createSimulatedEvictions,
  type SimulatedEvictions,
} from '../../../src/useCases/dashboard/simulatedEvictions.ts';
import { openStateToRead, type OpenedState } from '../../../src/useCases/state/openState.ts';
import { stateRequest } from '../../../src/cli/stateRequest.ts';
import { quietPorts } from '../quietPorts.ts';

let state: OpenedState;
beforeAll(async () => {
  const request = stateRequest({ state: ['examples/incident/control-plane.json'] });
  state = await openStateToRead(request, quietPorts());
});

/** For worlds of any size, however small: simulated only on request. */
const later = () => createSimulatedEvictions(quietPorts(), 0);

const isEvicted = ({ spec }: OpenedState['world']['bindings'][number]) =>
  (spec.gracefulEvictionTasks ?? []).length > 0;

/** The answer about a state's evictions: how many, how many of them are not simulated, and the certainty of the others. */
function reported(played: SimulatedEvictions, { world, now, configuration }: OpenedState) {
  const question = {
    now,
    configuration,
    unverified: new Set<string>(),
    played: played.in({ ...state, world }),
  };
  const { evictions, unplayed } = overviewOf(world, question);
  const doubts = new Set(
    evictions.flatMap(({ dependsOn }) => dependsOn.filter((one) => /simulated/.test(one))),
  );
  return { count: evictions.length, unplayed, doubts: doubts.size };
}

test('a small state has its evictions simulated at once', () => {
  expect(reported(createSimulatedEvictions(quietPorts()), state)).toEqual({
    count: 6,
    unplayed: undefined,
    doubts: 0,
  });
});

test('a large state has estimates until its evictions are simulated', () => {
  const played = later();
  expect(reported(played, state)).toEqual({ count: 6, unplayed: 6, doubts: 1 });
  played.play(state);
  expect(reported(played, state)).toEqual({ count: 6, unplayed: undefined, doubts: 0 });
});

test('the simulated outcome of a binding is valid until the binding changes', () => {
  const played = later();
  played.play(state);
  const at = state.world.bindings.findIndex(isEvicted);
  const bindings = state.world.bindings.with(at, { ...state.world.bindings[at]! });
  expect(reported(played, { ...state, world: { ...state.world, bindings } })).toMatchObject({ unplayed: 1 });
});

test('all simulated outcomes are invalid after a cluster is tainted', () => {
  const played = later();
  played.play(state);
  const [first, ...rest] = state.world.clusters;
  const taints = [{ key: 'new', effect: 'NoExecute' as const }];
  const clusters = [{ ...first!, spec: { ...first!.spec, taints } }, ...rest];
  expect(reported(played, { ...state, world: { ...state.world, clusters } })).toMatchObject({ unplayed: 6 });
});
