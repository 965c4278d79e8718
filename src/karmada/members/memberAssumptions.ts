/** The behaviour of member clusters, which no state of the control plane shows. */
export interface MemberAssumptions {
  /** milliseconds from the dispatch of new replicas until they are ready */
  workloadReadyAfter: number;
  /** that time is this program's own guess: neither given nor observed */
  guessed?: boolean;
  /** the same for single copies, by `copyKey`, or for a workload, by `objectKey`, as measured in a recording */
  readyAfter?: Readonly<Record<string, number>>;
  /** workloads whose new replicas never become ready on a cluster */
  neverReady: { kind: string; namespace?: string; name: string; cluster: string }[];
}

export const defaultMembers: MemberAssumptions = {
  workloadReadyAfter: 30_000,
  guessed: true,
  neverReady: [],
};
