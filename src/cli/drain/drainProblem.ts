import type { DrainProblem } from '../../analysis/drain/plan/planDrain.ts';

/** Why a drain cannot be planned, and what to do instead, in one line. */
export function drainProblemText({ problem }: DrainProblem): string {
  switch (problem.kind) {
    case 'no-cluster':
      return `there is no cluster "${problem.cluster}"; there are ${problem.known.join(', ') || 'none'}`;
    case 'selection':
      return '--method=taint evicts everything that does not tolerate the taint: leave out the flags that choose workloads, or use --method=evict';
    case 'off': {
      const { switches, confirmed } = problem;
      const assumed = confirmed ? '' : ' by default, and the flags of Karmada are not known';
      return `--method=taint would evict nothing: ${switches.join(', ')} ${switches.length === 1 ? 'is' : 'are'} off${assumed}; use --method=evict, or give the flags of Karmada with --assume`;
    }
    case 'unconfirmed':
      return `--method=taint evicts only with ${problem.switches.join(', ')} on, and the flags of Karmada are not known: give them with --host-context or --assume, or use --method=evict`;
  }
}
