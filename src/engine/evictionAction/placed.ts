import type { TargetCluster } from '../../karmada/api/work.ts';

/** Where a workload is put, in a sentence: "member1×3, member2"; "no cluster" where it is nowhere. */
export function placed(clusters: TargetCluster[]): string {
  const texts = clusters.map(({ name, replicas }) => (replicas ? `${name}×${replicas}` : name));
  return texts.join(', ') || 'no cluster';
}
