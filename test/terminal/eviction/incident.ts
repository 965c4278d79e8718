import { explainEvictionTasks } from '../../../src/analysis/explanation/tasks/evictionTask.ts';
import { openState } from '../../../src/useCases/state/openState.ts';
import { stateRequest } from '../../../src/cli/stateRequest.ts';
import { ports } from '../../../src/cli/ports.ts';

/** The eviction tasks of examples/incident, as explained by a watch, and their instant. */
export async function incident() {
  const quiet = { ...ports, warn: () => undefined, note: () => undefined };
  const { world, configuration, now, karmadaVersion } = await openState(
    stateRequest({ state: ['examples/incident'] }),
    quiet,
  );
  const tasks = explainEvictionTasks(world, world.bindings, { now, configuration });
  return { tasks, now, karmadaVersion };
}
