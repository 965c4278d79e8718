/**
 * The design documents whose behaviour a dialect can follow, by title: Optimize Cluster Failover, Configurable cluster
 * failover, Application failover mechanism. No release implements one in full; see docs/proposal.md.
 */
export const designs = [
  'optimize-cluster-failover',
  'configurable-cluster-failover',
  'application-failover',
] as const;

export type Design = (typeof designs)[number];

/** The version text for the first design; the others are options of it. */
export const PROPOSAL = 'proposal';

/** The version texts that name designs: each option by itself, and all together. */
export const knownProposals: readonly string[] = [
  PROPOSAL,
  ...designs.slice(1).map((option) => `${PROPOSAL}+${option}`),
  [PROPOSAL, ...designs.slice(1)].join('+'),
];

/**
 * The designs named by a version text such as "proposal" or "proposal+application-failover", in order; undefined if it
 * names none.
 */
export function parseProposal(text: string): readonly Design[] | undefined {
  const [first, ...options] = text.trim().split('+');
  if (first !== PROPOSAL) return undefined;
  if (!options.every((option) => (designs.slice(1) as string[]).includes(option))) return undefined;
  return designs.filter((design, index) => index === 0 || options.includes(design));
}

/** The version text for some designs: the inverse of `parseProposal`. */
export function proposalText([, ...options]: readonly Design[]): string {
  return [PROPOSAL, ...options].join('+');
}
