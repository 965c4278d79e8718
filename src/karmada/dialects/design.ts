/**
 * The design documents whose behaviour a dialect can follow, by their titles: Optimize Cluster Failover, Configurable
 * cluster failover, Application failover mechanism. No release does what they say in full; see docs/proposal.md.
 */
export const designs = [
  'optimize-cluster-failover',
  'configurable-cluster-failover',
  'application-failover',
] as const;

export type Design = (typeof designs)[number];

/** The version text that asks for the first design; the others are options of it. */
export const PROPOSAL = 'proposal';

/** The version texts that name designs: each option by itself, and all of them. */
export const knownProposals: readonly string[] = [
  PROPOSAL,
  ...designs.slice(1).map((option) => `${PROPOSAL}+${option}`),
  [PROPOSAL, ...designs.slice(1)].join('+'),
];

/**
 * The designs that a version text such as "proposal" or "proposal+application-failover" asks for, in their order;
 * undefined if the text names no designs.
 */
export function parseProposal(text: string): readonly Design[] | undefined {
  const [first, ...options] = text.trim().split('+');
  if (first !== PROPOSAL) return undefined;
  if (!options.every((option) => (designs.slice(1) as string[]).includes(option))) return undefined;
  return designs.filter((design, index) => index === 0 || options.includes(design));
}

/** The version text of some designs: the inverse of `parseProposal`. */
export function proposalText([, ...options]: readonly Design[]): string {
  return [PROPOSAL, ...options].join('+');
}
