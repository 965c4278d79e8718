import { describe, expect, test } from '@jest/globals';
import { isCordoned } from '../../../src/engine/drain/cordon.ts';
import type { DrainEvent } from '../../../src/engine/drain/drainEvent.ts';
import { DRAIN_ANNOTATION } from '../../../src/engine/drain/drainOptions.ts';
import { v1_18 } from '../../../src/karmada/dialects/v1.18.ts';
import { executeDrain, type ExecuteDrainOptions } from '../../../src/operations/drain/executeDrain.ts';
import { createFakeControlPlane, type ClientOptions, type FakeControlPlane } from '../fakeControlPlane.ts';
import { drainOptions, smallScene, START } from './drainScene.ts';

function fake(world = smallScene()): FakeControlPlane {
  return createFakeControlPlane(world, { start: START });
}

async function drain(
  plane: FakeControlPlane,
  {
    options = drainOptions(),
    client: clientOptions,
    ...run
  }: Partial<ExecuteDrainOptions> & {
    options?: ReturnType<typeof drainOptions>;
    client?: ClientOptions;
  } = {},
) {
  const client = plane.client(clientOptions);
  const events: DrainEvent[] = [];
  const result = await plane.time.until(
    executeDrain(client.server, options, {
      configuration: v1_18.defaults,
      openMirror: client.openMirror,
      pause: client.pause,
      onEvent: (event) => events.push(event),
      ...run,
    }),
  );
  return { result, events, client, story: events.map(line) };
}

function line(event: DrainEvent): string {
  const at = ((event.time - START) / 1000).toFixed(0);
  const name = 'workload' in event ? ` ${event.workload.name}` : '';
  const more =
    event.type === 'cordoned'
      ? ` ${event.cluster}`
      : event.type === 'evicted'
        ? ` from ${event.from.map((target) => `${target.name}=${target.replicas}`).join()}`
        : event.type === 'scheduled'
          ? ` to ${event.to.map((target) => `${target.name}=${target.replicas}`).join()}`
          : event.type === 'finished'
            ? ` ${event.result.outcome}`
            : '';
  return `${at}s ${event.type}${name}${more}`;
}

describe('a drain without any faults', () => {
  test('cordons, moves each workload at its pace, releases and is done', async () => {
    const plane = fake(smallScene());
    const { result } = await drain(plane);
    expect(result.outcome).toBe('done');
    const [member1] = plane.clusters();
    expect(isCordoned(member1!)).toBe(true);
    expect(member1!.metadata.annotations?.[DRAIN_ANNOTATION]).toBeUndefined();
  });
});
