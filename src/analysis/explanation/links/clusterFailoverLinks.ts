import { dispatchLinks, purgeLinks } from './copyLinks.ts';
import type { FailoverLink, LinkQuestion } from './link.ts';
import { queueLinks } from './queueLinks.ts';
import { schedulerLinks } from './schedulerLinks.ts';
import { switchLinks } from './switchLinks.ts';
import { taintLinks } from './taintLinks.ts';
import { appliedPlacementLink, tolerationLinks } from './tolerationLinks.ts';

/** The chain from a cluster's failure to a running copy elsewhere, link by link, in the order of events. */
export function clusterFailoverLinks(question: LinkQuestion): FailoverLink[] {
  const { binding, clusters } = question;
  return [
    ...switchLinks(question),
    ...(clusters.length > 0 ? taintLinks(question) : []),
    appliedPlacementLink(binding),
    ...tolerationLinks(question),
    ...queueLinks(question),
    ...schedulerLinks(question),
    ...dispatchLinks(binding),
    ...purgeLinks(question),
  ];
}
