import type { TargetCluster } from '../../karmada/api/work.ts';

/** A placement in words: "member1×3, member2"; "no cluster" if it is empty. */
export function placed(clusters: TargetCluster[]): string {
  const texts = clusters.map(({ name, replicas }) => (replicas ? `${name}×${replicas}` : name));
  return texts.join(', ') || 'no cluster';
}
