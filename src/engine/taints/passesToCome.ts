import { policyPass, type PolicyPass } from './policyPass.ts';

/** A pass of the ClusterTaintPolicy controller, and when it happens (epoch milliseconds). */
export interface TimedPass {
  at: number;
  pass: PolicyPass;
}

/**
 * The pass that the ClusterTaintPolicy controller makes over a cluster now, and those at the ends of windows, each on
 * what the one before left, if nothing else changes. Without windows it is one.
 */
export function passesToCome(start: Parameters<typeof policyPass>[0]): [TimedPass, ...TimedPass[]] {
  const first = { at: start.now, pass: policyPass(start) };
  const passes: [TimedPass, ...TimedPass[]] = [first];
  for (let { at, pass } = first; pass.nextEnd !== undefined; ) {
    at = pass.nextEnd;
    const spec = { ...start.cluster.spec, taints: pass.taints };
    pass = policyPass({ ...start, cluster: { ...start.cluster, spec }, memory: pass.memory, now: at });
    passes.push({ at, pass });
  }
  return passes;
}
