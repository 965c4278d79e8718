import { valueAt, type Switch } from './history.ts';
import type { Release } from './release.ts';
import { admission } from './switches/admission.ts';
import { api } from './switches/api.ts';
import { application } from './switches/application.ts';
import { detection } from './switches/detection.ts';
import { eviction } from './switches/eviction.ts';
import { propagation } from './switches/propagation.ts';
import { scheduling } from './switches/scheduling.ts';
import { status } from './switches/status.ts';
import { taints } from './switches/taints.ts';

/** Every switch, by the folder whose rules read it. */
export const switches = {
  detection,
  taints,
  scheduling,
  eviction,
  application,
  status,
  propagation,
  admission,
  api,
};

type Switches = typeof switches;
type ValueOf<S> = S extends Switch<infer T> ? T : never;

export type Rules = {
  readonly [Group in keyof Switches]: {
    readonly [Name in keyof Switches[Group]]: ValueOf<Switches[Group][Name]>;
  };
};

/** The rules of a release. */
export function rulesOf(release: Release): Rules {
  const groups = Object.entries(switches).map(([group, ofGroup]) => [
    group,
    Object.fromEntries(Object.entries(ofGroup).map(([name, history]) => [name, valueAt(history, release)])),
  ]);
  return Object.fromEntries(groups) as Rules;
}
