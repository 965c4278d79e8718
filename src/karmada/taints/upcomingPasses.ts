import { policyPass, type PolicyPass } from './policyPass.ts';

/** A pass of the ClusterTaintPolicy controller, with its time (epoch milliseconds). */
interface TimedPass {
  at: number;
  pass: PolicyPass;
}

/**
 * The ClusterTaintPolicy controller's pass over a cluster now, and those at the ends of windows, each on the result of
 * the previous one, if nothing else changes. Without windows there is only the first.
 */
export function upcomingPasses(start: Parameters<typeof policyPass>[0]): [TimedPass, ...TimedPass[]] {
  const passes: [TimedPass, ...TimedPass[]] = [{ at: start.now, pass: policyPass(start) }];
  for (;;) {
    const { pass: last } = passes.at(-1)!;
    if (last.nextEnd === undefined) return passes;
    const spec = { ...start.cluster.spec, taints: last.taints };
    const cluster = { ...start.cluster, spec };
    const at = last.nextEnd;
    passes.push({ at, pass: policyPass({ ...start, cluster, memory: last.memory, now: at }) });
  }
}
