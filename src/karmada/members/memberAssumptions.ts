/** How the member clusters behave, which no control plane state shows. */
export interface MemberAssumptions {
  /** milliseconds from the dispatch of new replicas until they are ready */
  workloadReadyAfter: number;
  /** the same of single copies, by `copyKey`, or of a workload, by `objectKey`, as a recording has shown it */
  readyAfter?: Readonly<Record<string, number>>;
  /** workloads whose new replicas never become ready on a cluster */
  neverReady: { kind: string; namespace?: string; name: string; cluster: string }[];
}

/** How members behave if nothing is said. */
export const defaultMembers: MemberAssumptions = { workloadReadyAfter: 30_000, neverReady: [] };
