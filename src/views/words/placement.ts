/** Clusters with their replicas as they are written in texts: "dublin×2, virginia×4". */
export function placementText(clusters: { name: string; replicas?: number }[]): string {
  return clusters.map(({ name, replicas }) => (replicas ? `${name}×${replicas}` : name)).join(', ');
}
