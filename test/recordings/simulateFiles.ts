import { readFileSync } from 'node:fs';
import { JSON_SCHEMA, load } from 'js-yaml';
import type { Configuration } from '../../src/karmada/configuration.ts';
import { v1_18 } from '../../src/karmada/dialects/v1.18.ts';
import { simulate } from '../../src/engine/simulation/simulate.ts';
import type { Simulation } from '../../src/engine/simulation/timeline.ts';
import { parseDuration } from '../../src/kubernetes/time.ts';
import { parseScenario, resolveScenario } from '../../src/state/scenarioFile.ts';

/** Simulates the scenario of a file on the state of another, as `failover simulate` does. */
export async function simulateFiles(state: string, scenarioFile: string): Promise<Simulation> {
  const items = JSON.parse(readFileSync(state, 'utf8')).items as any[];
  const of = (...kinds: string[]) => items.filter((i) => kinds.includes(i.kind));
  const known = ['Cluster', 'ResourceBinding', 'ClusterResourceBinding', 'Work', 'PropagationPolicy', 'ClusterPropagationPolicy', 'ClusterTaintPolicy'];
  const world = { clusters: of('Cluster'), bindings: of('ResourceBinding', 'ClusterResourceBinding'), works: of('Work'), policies: of('PropagationPolicy', 'ClusterPropagationPolicy'), taintPolicies: of('ClusterTaintPolicy'), others: items.filter((i) => !known.includes(i.kind)) };
  const file = parseScenario(load(readFileSync(scenarioFile, 'utf8'), { schema: JSON_SCHEMA }), scenarioFile);
  const assumed = file.assume as { featureGates?: object; controllerManager?: Record<string, unknown> };
  const flags = Object.fromEntries(
    Object.entries(assumed.controllerManager ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? (parseDuration(value) ?? value) : value,
    ]),
  );
  const configuration: Configuration = {
    ...v1_18.defaults,
    featureGates: { ...v1_18.defaults.featureGates, ...assumed.featureGates },
    controllerManager: { ...v1_18.defaults.controllerManager, ...flags },
  };
  return simulate(world, resolveScenario(file, file.start ?? 0), configuration);
}
