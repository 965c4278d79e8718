import { application } from './application.ts';
import { chain } from './chain.ts';
import { observability } from './observability.ts';
import { placement } from './placement.ts';
import { recovery } from './recovery.ts';
import { releases } from './releases.ts';
import { stuck } from './stuck.ts';
import { taints } from './taints.ts';
import { writers } from './writers.ts';
import type { Example } from './example.ts';

/** What makes a healthy control plane fail each check, by the check's id. */
export const examples: Readonly<Record<string, Example>> = {
  ...chain,
  ...releases,
  ...stuck,
  ...application,
  ...placement,
  ...taints,
  ...observability,
  ...recovery,
  ...writers,
};

/** The example of a check. */
export function exampleOf(id: string): Example {
  const example = examples[id];
  if (!example) throw new Error(`check ${id} has no example in ${import.meta.url}`);
  return example;
}
