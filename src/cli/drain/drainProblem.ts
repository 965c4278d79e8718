import type { DrainProblem } from '../../engine/drain/plan/planDrain.ts';

/** Why a drain cannot be planned, in one line with what to do instead. */
export function drainProblemText({ problem }: DrainProblem): string {
  switch (problem.kind) {
    case 'no-cluster':
      return `there is no cluster "${problem.cluster}"; there are ${problem.known.join(', ') || 'none'}`;
    case 'selection':
      return '--method=taint evicts everything that does not tolerate the taint: leave out the flags that choose workloads, or use --method=evict';
    case 'off': {
      const { switches, confirmed } = problem;
      const assumed = confirmed ? '' : ' by default, and what Karmada runs with is not known';
      return `--method=taint would evict nothing: ${switches.join(', ')} ${switches.length === 1 ? 'is' : 'are'} off${assumed}; use --method=evict, or give what it runs with by --assume`;
    }
    case 'unconfirmed':
      return `--method=taint evicts only with ${problem.switches.join(', ')} on, and what Karmada runs with is not known: give it by --host-context or --assume, or use --method=evict`;
  }
}
