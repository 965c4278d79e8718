/** A part of the code whose rules are mutated, one change at a time, and the tests that must fail. */
export interface Room {
  /** globs of the files that are changed */
  changed: string[];
  /** tests that check them, and directories of such: few and fast ones, because they run for each change */
  tests: string[];
  /** beginnings of names of tests in them that are too slow for that: whole incidents */
  without?: string[];
  /** recorded decisions of real Karmada to check them against */
  recorded: string[];
}

/** The rooms where a wrong decision or a leak would do the most harm. */
export const rooms: Record<string, Room> = {
  taints: {
    changed: ['src/karmada/taints/**/*.ts'],
    tests: [
      'test/karmada/taints',
      'test/proposal/clusterFailoverStrategy.test.ts',
      'test/proposal/configurableClusterFailover.test.ts',
      'test/proposal/evictionQueue.test.ts',
      'test/proposal/taintTypes.test.ts',
    ],
    without: [
      '001 in random incidents',
      '001 eviction queue: a saved simulation continues as an uninterrupted one',
    ],
    recorded: ['taint-manager', 'taint-policy', 'tolerations'],
  },
  eviction: {
    changed: ['src/karmada/eviction/**/*.ts'],
    tests: ['test/karmada/eviction', 'test/analysis/drain/drainTasks.test.ts'],
    recorded: ['graceful-eviction', 'graceful-evict-cluster', 'work-eviction', 'app-failover-task'],
  },
  drainDecisions: {
    changed: ['src/analysis/drain/decide/**/*.ts'],
    tests: [
      'test/analysis/drain/decide',
      'test/analysis/drain/drainProperties.test.ts',
      'test/proposal/drain.test.ts',
    ],
    recorded: [],
  },
  redaction: {
    changed: ['src/kubernetes/redaction/*.ts', 'src/state/snapshot/snapshotRedaction.ts'],
    tests: [
      'test/kubernetes/redaction/redacted.test.ts',
      'test/kubernetes/redaction/endOfSecret.test.ts',
      'test/state/snapshot/snapshot.test.ts',
      'test/state/snapshot/snapshotRedaction.test.ts',
    ],
    recorded: [],
  },
  writes: {
    changed: [
      'src/operations/{settleWrite,writeObject,applyObject,deleteObject,leaderElection}.ts',
      'src/operations/eviction/changeEviction.ts',
      'src/operations/taintPolicy/removeTaints.ts',
    ],
    tests: [
      'test/operations/writeObject.test.ts',
      'test/operations/applyObject.test.ts',
      'test/operations/deleteObject.test.ts',
      'test/operations/leaderElection.test.ts',
      'test/operations/eviction/changeEviction.test.ts',
      'test/operations/taintPolicy/removeTaints.test.ts',
      'test/useCases/taintPolicy/writePolicyChange.test.ts',
    ],
    recorded: [],
  },
  writer: {
    changed: ['src/state/output/**/*.ts'],
    tests: ['test/state/output'],
    recorded: [],
  },
};
