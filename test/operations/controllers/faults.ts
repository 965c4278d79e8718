import type { Scenario } from '../../../src/simulator/scenario.ts';
import { scenarioWrites } from '../../../src/simulator/simulation/scenarioWrites.ts';
import type { Fault, FaultyHost } from './faultyHost.ts';

/** Faults in a fixed sequence chosen by the seed. */
export function faultsOf(seed: number): () => Fault {
  const kinds: Fault[] = ['refused', 'conflict', 'lost before', 'lost after', 'late'];
  let at = seed;
  return () => {
    at = (Math.imul(at, 1103515245) + 12345) >>> 0;
    return (at >>> 16) % 3 === 0 ? kinds[(at >>> 8) % kinds.length] : undefined;
  };
}

/** Events of a scenario, each at its time, written by other clients. */
export function planEvents(host: FaultyHost, events: Scenario['events']): void {
  for (const { at, action } of events)
    host.plan(at, () => {
      for (const write of scenarioWrites(action, host.view, host.configuration, host.now()))
        void outside(host, write);
    });
}

/** A write of another client, which always succeeds. */
export async function outside(host: FaultyHost, write: Parameters<typeof host.api.write>[0]): Promise<void> {
  while ((await host.api.write(write, 'scheduler')).result !== 'written') continue;
}
