import type { DrainOptions } from '../../../src/analysis/drain/drainOptions.ts';

/** A drain with the command line's defaults. */
export function drainOf(clusters: string[], changes: Partial<DrainOptions> = {}): DrainOptions {
  return {
    clusters,
    method: 'evict',
    hold: true,
    purgeMode: 'Gracefully',
    selection: {},
    pace: {
      evictionRate: 0.5,
      secondaryEvictionRate: 0.1,
      unhealthyClusterThreshold: 0.55,
      largeClusterNumThreshold: 10,
    },
    accept: { loss: false, blocked: false, overcommit: false, unhealthy: false },
    ...changes,
  };
}
