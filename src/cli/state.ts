import { readFileSync } from 'node:fs';
import type { World } from '../engine/world.ts';
import type { Configuration } from '../karmada/configuration.ts';
import { v1_18 } from '../karmada/dialects/v1.18.ts';
import type { AnsweredAssumption } from '../views/assumptions.ts';
import { instantOfState } from './time.ts';

export interface StateFlags {
  state: string[];
  at?: string | undefined;
  assume?: string[] | undefined;
  'karmada-version'?: string | undefined;
}

/** A control plane as a command looks at it: the world, the instant, and how Karmada was started. */
export interface OpenedState {
  world: World;
  /** epoch milliseconds */
  now: number;
  configuration: Configuration;
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
  /** whether a gate or flag is a default that nobody has confirmed */
  isAssumed(name: string): boolean;
}

export async function openState(flags: StateFlags): Promise<OpenedState> {
  const items = flags.state.flatMap((f) => JSON.parse(readFileSync(f, 'utf8')).items as any[]);
  const of = (...k: string[]) => items.filter((i) => k.includes(i.kind));
  const { now, assumption } = instantOfState(flags.at ?? '2026-09-01T09:30:00Z', undefined);
  return {
    world: {
      clusters: of('Cluster'),
      bindings: of('ResourceBinding', 'ClusterResourceBinding'),
      works: of('Work'),
      policies: of('PropagationPolicy', 'ClusterPropagationPolicy'),
      taintPolicies: of('ClusterTaintPolicy'),
      others: [],
    } as World,
    now,
    configuration: v1_18.defaults,
    karmadaVersion: 'v1.18',
    assumptions: [assumption],
    isAssumed: () => true,
  };
}
