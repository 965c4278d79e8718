import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { ports } from '../../src/cli/ports.ts';
import { compareFailovers } from '../../src/useCases/comparison/compareFailovers.ts';
import { openState } from '../../src/useCases/state/openState.ts';
import type { ScenarioEvent } from '../../src/simulator/scenario.ts';
import { dialectOf } from '../../src/karmada/dialects/dialects.ts';
import { parseAssumptions } from '../../src/karmada/configuration/assumptions.ts';
import { resolveConfiguration } from '../../src/karmada/configuration/resolveConfiguration.ts';
import { resolveScenario } from '../../src/state/scenario/scenarioFile.ts';
import { defaultMembers } from '../../src/karmada/members/memberAssumptions.ts';
import { rfc3339 } from '../../src/kubernetes/time.ts';
import { WorldBuilder } from '../../src/state/world/worldBuilder.ts';
import { objectsAt, quietMoments, scenarioFrom } from '../recordings/moments.ts';
import { readRecording } from '../recordings/recording.ts';
import { writeRecordedFile } from '../recordings/recordedFile.ts';
import { openRecording } from '../../src/state/recording/recording.ts';
import { recordedHistory } from '../../src/useCases/timeline/recordedHistory.ts';
import { recordingPlace } from '../state/recording/recorded.ts';
import { worldOfSeed } from '../worlds/worldOfSeed.ts';
import {
  auditedOtherwise,
  comparedOtherwise,
  countedOtherwise,
  drainedOtherwise,
  explainedOtherwise,
  exportedOtherwise,
  foreseenOtherwise,
  inspectedOtherwise,
  overviewedOtherwise,
  recalledOtherwise,
  stateAfter,
  type AskedState,
} from './agreement.ts';

// simulate, explain, inspect, drain, diff and status answer about the same states: they must agree on every workload.

const examples = join(import.meta.dirname, '..', '..', 'examples');
const opened = new Map<string, AskedState>();
beforeAll(async () => {
  for (const name of ['shop', 'incident']) {
    const { world, now, configuration } = await openState(
      { source: { files: [join(examples, name)] } },
      ports,
    );
    opened.set(name, { world, now, configuration, members: defaultMembers });
  }
});

describe.each(['shop', 'incident'])('in examples/%s', (name) => {
  test('explain agrees with simulate', () => {
    expect(explainedOtherwise(opened.get(name)!)).toEqual([]);
  });

  test('inspect agrees with simulate', () => {
    expect(inspectedOtherwise(opened.get(name)!)).toEqual([]);
  });

  test('the dashboard agrees with simulate and inspect', () => {
    expect(overviewedOtherwise(opened.get(name)!)).toEqual([]);
  });

  test('timeline has the same evictions as inspect', () => {
    expect(recalledOtherwise(opened.get(name)!)).toEqual([]);
  });

  test('a drain agrees with simulate about existing evictions, for either method', () => {
    expect(drainedOtherwise(opened.get(name)!, 'frankfurt')).toEqual([]);
  });

  test('status has the same counts as simulate, and audit as status', () => {
    expect(countedOtherwise(opened.get(name)!)).toEqual([]);
    expect(auditedOtherwise(opened.get(name)!)).toEqual([]);
  });

  test('the exporter has the same counts as simulate, status and inspect', () => {
    expect(exportedOtherwise(opened.get(name)!)).toEqual([]);
  });

  test.each(['v1.10.11', 'v1.14.10'])('diff from %s agrees with simulate for both versions', (older) => {
    expect(comparedOtherwise(opened.get(name)!, older)).toEqual([]);
  });
});

test('diff takes the gates and flags of simulate if only objects prove them', async () => {
  const source = { files: [join(examples, 'incident', 'control-plane.json')] };
  const { configuration, proven } = await openState({ source }, ports);
  expect([...proven!.keys()]).toEqual(['Failover', 'enable-no-execute-taint-eviction']);
  const second = { assume: { values: [], source: '' }, changes: [], called: [] };
  const { diff } = await compareFailovers(
    { state: { source }, assume: [], scenario: { events: [] }, second, titleOf: () => '' },
    { ...ports, warn: () => undefined },
  );
  for (const { resolved } of [diff.from, diff.to]) expect(resolved.configuration).toEqual(configuration);
});

test('all commands know that a component does not run', () => {
  const { world, ...rest } = opened.get('shop')!;
  const stopped = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: 'karmada-system', name: 'karmada-controller-manager' },
    spec: { holderIdentity: 'it', renewTime: rfc3339(rest.now - 600_000) },
  };
  const state = { ...rest, world: { ...world, others: [...world.others, stopped] } };
  expect(inspectedOtherwise(state)).toEqual([]);
  expect(overviewedOtherwise(state)).toEqual([]);
  expect(explainedOtherwise(state)).toEqual([]);
  expect(countedOtherwise(state)).toEqual([]);
});

const fails = (cluster: string, seconds: number) => ({ cluster, seconds, type: 'fail' as const });
const recovers = (cluster: string, seconds: number) => ({ cluster, seconds, type: 'recover' as const });
const stories = {
  'frankfurt fails': [fails('frankfurt', 0)],
  'frankfurt fails and recovers after 40s': [fails('frankfurt', 0), recovers('frankfurt', 40)],
  'frankfurt fails, and dublin 90s later': [fails('frankfurt', 0), fails('dublin', 90)],
};

describe.each(Object.entries(stories))('if %s', (_, story) => {
  const at = (seconds: number, remembered: boolean): AskedState => {
    const shop = opened.get('shop')!;
    const events = story.map(({ cluster, seconds: after, type }): ScenarioEvent => ({
      at: shop.now + after * 1000,
      action: { type, cluster },
    }));
    return stateAfter(shop, events, seconds, remembered);
  };
  const moments = [20, 36, 38, 45, 80, 140, 400, 637, 660];

  test.each(moments)(
    'all commands agree on each workload after %ds, with only the fields of the API',
    (seconds) => {
      const state = at(seconds, false);
      expect({
        inspected: inspectedOtherwise(state),
        foreseen: foreseenOtherwise(state),
        overviewed: overviewedOtherwise(state),
        recalled: recalledOtherwise(state),
        // Before that the taint manager has not evicted all of them.
        drained: seconds < 80 ? [] : drainedOtherwise(state, 'frankfurt'),
      }).toEqual({ inspected: [], foreseen: [], overviewed: [], recalled: [], drained: [] });
    },
  );

  test.each([80, 140, 400, 660])(
    'all commands agree after %ds in a state saved by a simulation',
    (seconds) => {
      const state = at(seconds, true);
      expect({
        explained: explainedOtherwise(state),
        inspected: inspectedOtherwise(state),
        drained: drainedOtherwise(state, 'frankfurt'),
      }).toEqual({ explained: [], inspected: [], drained: [] });
    },
  );

  test('status, audit and exporter have the same counts as simulate during the incident', () => {
    expect(countedOtherwise(at(140, false))).toEqual([]);
    expect(auditedOtherwise(at(140, false))).toEqual([]);
    expect(exportedOtherwise(at(140, false))).toEqual([]);
  });
});

describe.each(['0002', '0004', '0006', '0209b', '0017a'])(
  'at quiet moments of random incident %s',
  (name) => {
    const recording = readRecording(join(import.meta.dirname, '..', 'recordings', 'data', 'incidents', name));
    const { dialect } = dialectOf('v1.18.2');
    const assumed = parseAssumptions(recording.scenario.assume, 'scenario', dialect);
    if (!Array.isArray(assumed)) throw new Error(assumed.message);
    const { configuration } = resolveConfiguration(dialect, [], assumed);

    test('inspect, explain, status, the dashboard, timeline and exporter agree with simulate, and audit with status', () => {
      const problems = quietMoments(recording, 45).flatMap((moment) => {
        const builder = new WorldBuilder();
        for (const object of structuredClone(objectsAt(recording, moment)))
          builder.add(object, { file: 'the recording', line: 0 });
        const { members } = resolveScenario(scenarioFrom(recording, moment), moment);
        const state = { world: builder.world, now: moment, configuration, members };
        return [
          ...inspectedOtherwise(state),
          ...foreseenOtherwise(state),
          ...explainedOtherwise(state),
          ...overviewedOtherwise(state),
          ...recalledOtherwise(state),
          ...auditedOtherwise(state),
          ...countedOtherwise(state),
          ...exportedOtherwise(state),
        ];
      });
      expect(problems).toEqual([]);
    });
  },
);

describe('timeline has the same evictions in flight as inspect at each moment', () => {
  const place = recordingPlace();
  afterAll(place.end);
  const { configuration } = resolveConfiguration(dialectOf('v1.18.2').dialect, [], []);
  const problemsOf = async (file: string, step: number) => {
    const recording = await openRecording([file]);
    const moments = Array.from(
      { length: 1 + Math.floor((recording.to - recording.from) / step) },
      (_, i) => recording.from + i * step,
    );
    return moments.flatMap((now) => {
      const state = { world: recording.worldAt(now), now, configuration, members: defaultMembers };
      return recalledOtherwise(state, recordedHistory(recording, now, configuration));
    });
  };

  test('of examples/incident.rec', async () => {
    expect(await problemsOf(join(examples, 'incident.rec'), 10_000)).toEqual([]);
  });

  test.each(['0002', '0006', '0017a'])('of random incident %s', async (name) => {
    const file = place.file();
    await writeRecordedFile(
      readRecording(join(import.meta.dirname, '..', 'recordings', 'data', 'incidents', name)),
      file,
    );
    expect(await problemsOf(file, 45_000)).toEqual([]);
  });
});

test.each(Array.from({ length: 25 }, (_, i) => i + 1))(
  'given the incident of seed %i, inspect, explain, status, the dashboard, timeline and exporter agree with simulate, and audit with status',
  (seed) => {
    const { world, configuration, scenario } = worldOfSeed(seed, { incident: true });
    const members = { ...scenario.members, guessed: true };
    const state = { world, configuration, now: scenario.start, members };
    expect([
      ...inspectedOtherwise(state),
      ...foreseenOtherwise(state),
      ...explainedOtherwise(state),
      ...overviewedOtherwise(state),
      ...recalledOtherwise(state),
      ...auditedOtherwise(state),
      ...countedOtherwise(state),
      ...exportedOtherwise(state),
    ]).toEqual([]);
  },
);

test.each(Array.from({ length: 12 }, (_, i) => i + 1))(
  'given the world of seed %i, diff agrees with simulate',
  (seed) => {
    const { world, configuration, scenario } = worldOfSeed(seed);
    const state = { world, configuration, now: scenario.start, members: scenario.members };
    expect(comparedOtherwise(state, 'v1.14.10') ?? []).toEqual([]);
  },
);
