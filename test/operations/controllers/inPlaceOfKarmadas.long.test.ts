import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { karmadaControllers } from '../../../src/karmada/running/karmadaControllers.ts';
import { scenarioWrites } from '../../../src/simulator/simulation/scenarioWrites.ts';
import { createStartingWorld } from '../../../src/simulator/store/startingWorld.ts';
import { canonicalOrdering } from '../../../src/simulator/virtualTime/ordering.ts';
import { createVirtualTime } from '../../../src/simulator/virtualTime/virtualTime.ts';
import { failoverOn, START } from '../../simulator/simulation/controlPlane.ts';
import type { Fault } from '../fakeClient.ts';
import { createFakeControlPlane } from '../fakeControlPlane.ts';
import { endsOf, type Ends } from './endsOf.ts';
import { actionsOf, incident, members, MINUTE, worldOf, type Incident } from './incidents.ts';
import { ourNames, runOurs } from './ours.ts';

/** Back-offs of up to 1000 s must elapse more than once. */
const LONG = 300 * MINUTE;

/** The final state of the world, and the tasks that it had. */
interface Course {
  ends: Ends;
  tasks: string[];
}

function withKarmadasOwn(given: Incident): Course {
  const start = createStartingWorld(worldOf(given), failoverOn, { start: START, members });
  const controllers = karmadaControllers(members);
  const time = createVirtualTime(start, { controllers, ordering: canonicalOrdering, explained: false });
  for (const [at, action] of actionsOf(given))
    time.plan(START + at, () => {
      for (const write of scenarioWrites(action, time.view, failoverOn, time.now()))
        time.write('somebody', [write]);
    });
  const tasks: string[] = [];
  time.follow(({ changes }) => {
    for (const { kind, before, after } of changes) {
      if (kind !== 'Binding') continue;
      const known = new Set(before?.spec.gracefulEvictionTasks?.map(({ fromCluster }) => fromCluster));
      for (const { fromCluster } of after?.spec.gracefulEvictionTasks ?? [])
        if (!known.has(fromCluster)) tasks.push(`${after!.metadata.name} from ${fromCluster}`);
    }
  });
  time.run(START + LONG);
  return { ends: endsOf(time.view), tasks: tasks.sort() };
}

/** Faults of a network and of other writers, in a fixed sequence chosen by the seed. */
function faultsOf(seed: number): () => Fault | undefined {
  const kinds: Fault[] = [
    { type: 'reset', when: 'before' },
    { type: 'reset', when: 'after' },
    { type: 'error', when: 'after' },
    { type: 'overloaded', retryAfter: 1 },
    { type: 'foreign' },
    { type: 'slow', milliseconds: 3000 },
  ];
  let at = seed;
  return () => {
    at = (Math.imul(at, 1103515245) + 12345) >>> 0;
    return (at >>> 16) % 4 === 0 ? kinds[(at >>> 8) % kinds.length] : undefined;
  };
}

async function withOurs(given: Incident, kills: readonly number[] = []): Promise<Course> {
  const plane = createFakeControlPlane(worldOf(given), {
    start: START,
    configuration: failoverOn,
    members,
    without: ourNames,
  });
  const { time } = plane;
  for (const [at, action] of actionsOf(given)) time.plan(START + at, () => plane.play(action));
  const fault = faultsOf(given.seed);
  const stop = new AbortController();
  const begin = () => {
    const client = plane.client({
      // lists fail in ways that mirrors survive, which these do not
      fault: ({ verb }) => (verb === 'list' ? undefined : fault()),
    });
    void runOurs(client, { configuration: failoverOn, signal: stop.signal });
    return client;
  };
  let client = begin();
  for (const at of kills)
    time.plan(START + at, () => {
      client.kill();
      client = begin();
    });
  let over: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (over = resolve));
  time.plan(START + LONG, over);
  await time.until(end);
  stop.abort();
  return { ends: endsOf(plane.view), tasks: plane.history.tasks.sort() };
}

/**
 * The tasks that do not depend on delays. The scheduler ignores tolerationSeconds: if a cluster is back and its taint is removed late, a
 * workload whose toleration has expired is placed there once more, and must leave again.
 */
function settled(tasks: readonly string[]): string[] {
  const seen = new Set<string>();
  return tasks.filter((task) => {
    const again = task.startsWith('tolerant-') && seen.has(task);
    seen.add(task);
    return !again;
  });
}

/** The taint of a recovered cluster is removed three seconds late. */
const takenAwayLate: Incident = {
  workloads: ['anywhere', 'anywhere', 'anywhere', 'tolerant'],
  pull: false,
  directly: false,
  sick: false,
  comesBack: true,
  taint: false,
  seed: 96_074_307,
};

describe('our controllers in place of Karmada’s', () => {
  test('end in the same state on an API with lost responses, conflicts and delays', async () => {
    await fc.assert(
      fc.asyncProperty(incident, async (given) => {
        const [own, ours] = [withKarmadasOwn(given), await withOurs(given)];
        expect(ours.ends).toEqual(own.ends);
        expect(settled(ours.tasks)).toEqual(settled(own.tasks));
      }),
      { numRuns: 15, examples: [[takenAwayLate]] },
    );
  });

  test('evict each workload once, even if the process is killed several times', async () => {
    const kills = fc.array(fc.integer({ min: 1, max: 120_000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      // the duration of an unhealthy application is only in memory: each new process starts counting again
      fc.asyncProperty(
        incident.map((given) => ({ ...given, sick: false })),
        kills,
        async (given, at) => {
          const own = withKarmadasOwn(given);
          const ours = await withOurs(
            given,
            at.toSorted((a, b) => a - b),
          );
          expect(ours.ends).toEqual(own.ends);
          expect(settled(ours.tasks)).toEqual(settled(own.tasks));
        },
      ),
      { numRuns: 15 },
    );
  });

  test('are needed: without them Karmada evicts nothing', async () => {
    const given: Incident = {
      workloads: ['pinned'],
      pull: false,
      directly: false,
      sick: false,
      comesBack: false,
      taint: false,
      seed: 0,
    };
    expect(withKarmadasOwn(given).tasks).toEqual(['pinned-0-deployment from east-1']);
    const plane = createFakeControlPlane(worldOf(given), {
      start: START,
      configuration: failoverOn,
      members,
      without: ourNames,
    });
    for (const [at, action] of actionsOf(given)) plane.time.plan(START + at, () => plane.play(action));
    plane.time.run(START + LONG);
    expect(plane.history.tasks).toEqual([]);
  });
});
