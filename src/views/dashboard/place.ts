import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { rfc3339Milliseconds } from '../../kubernetes/time.ts';
import { actionTitle, type Action, targetName, type Target } from './actions/action.ts';
import { isNothing, isOfFailures, whatIfText, type WhatIf } from './whatIf.ts';

/** The lists of a dashboard, by their names after `:`. */
export type ListName = 'clusters' | 'evictions' | 'workloads' | 'events' | 'drains';

/** A list on a page besides its first one. */
export type SectionName = ListName | 'at-risk' | 'not-checked';

/** The moment of a recording that is shown (epoch milliseconds); absent: the dashboard's instant. */
export interface Moment {
  at?: number;
}

/** Steps of many workloads that share a line of events; times are epoch milliseconds, both inclusive. */
export interface StepsOfCause {
  /** the text of that line */
  words: string;
  type: string;
  controller: string;
  /** absent: all clusters */
  cluster?: string | undefined;
  from: number;
  until: number;
}

/** A place of a dashboard: a list, a page about an object, or a page about itself. */
export type Place =
  | {
      view: ListName;
      /** only what concerns this cluster */ cluster?: string;
      /** only workloads that cannot be placed, for this reason */ unplaced?: string;
    }
  | { view: 'failover' }
  /** the losses if any cluster, region, zone or provider failed */
  | { view: 'audit' }
  /** the findings of the checks; and one finding, by its key */
  | { view: 'findings' }
  | { view: 'finding'; id: string }
  /** the explanation of a workload, by its binding's key */
  | ({ view: 'workload'; key: string; /** if these clusters fail */ ifFails?: readonly string[] } & Moment)
  /** the eviction tasks of a workload in full */
  | { view: 'eviction'; key: string }
  /** the evidence of a workload's explanation */
  | ({ view: 'evidence'; key: string; ifFails?: readonly string[] } & Moment)
  /** the outcome of all workloads in this what-if */
  | { view: 'tomorrow'; whatIf: WhatIf }
  /** the same step by step */
  | { view: 'replay'; whatIf: WhatIf }
  /** the steps of one workload in it, with their evidence */
  | { view: 'fate'; key: string; whatIf: WhatIf }
  /** the recording, step by step */
  | { view: 'recording'; /** only the steps of one cause */ of?: StepsOfCause }
  /**
   * controllers' decisions step by step, from their log; and one line of it; 0: the facts that the log does not show
   */
  | { view: 'decisions' }
  | { view: 'decision'; line: number }
  /** an object as YAML, at one of its fields */
  | ({ view: 'object'; object: ObjectIdentity; field?: string } & Moment)
  /** the ClusterTaintPolicies and the propagation policies */
  | { view: 'policies' }
  /** the actions for a target */
  | { view: 'choose'; of: Target }
  /** the plan of an action and its result, by the action's number */
  | { view: 'action'; action: Action; number: number }
  /** the started actions */
  | { view: 'actions' }
  | { view: 'commands' }
  | { view: 'warnings' }
  | { view: 'help' };

export const LIST_NAMES: readonly ListName[] = ['clusters', 'evictions', 'workloads', 'events', 'drains'];

/** The targets of `:`, with a description each. */
export const VIEW_DESCRIPTIONS: readonly (readonly [name: string, about: string])[] = [
  ['clusters', 'clusters: Ready, taints and their owners, what runs there, what is at risk'],
  ['evictions', 'evictions in flight: from, to, deadline, what they wait for'],
  ['workloads', 'workloads: where they are, their health, their outcome if a cluster fails'],
  ['events', 'past and pending events, one line per cause'],
  ['drains', 'running drains'],
  ['recording', 'what was recorded, step by step'],
  ['decisions', 'decisions of controllers, step by step, from their log'],
  ['audit', 'what would be lost if any cluster, region, zone or provider failed, and why'],
  ['findings', 'what the checks of doctor find, with evidence and remedy'],
  ['failover', 'whether failover is on, gates, flags, and who taints what'],
  ['policies', 'ClusterTaintPolicies and what they add, and the policies that propagate'],
  ['actions', 'actions started here: drains, cordons and others, with their results'],
  ['commands', 'the same as commands, ready to copy'],
  ['warnings', 'what could not be read, or may be wrong'],
  ['help', 'the keys'],
];

/** The name of a place in the path. */
export function placeName(place: Place): string {
  switch (place.view) {
    case 'workload':
    case 'eviction':
      return place.view === 'eviction'
        ? `eviction of ${nameIn(place.key)}`
        : `${nameIn(place.key)}${momentText(place)}`;
    case 'object':
      return `${place.object.kind}/${place.object.name}${momentText(place)}`;
    case 'tomorrow':
      return isNothing(place.whatIf) ? 'with no further failures' : `if ${whatIfText(place.whatIf, 3)}`;
    case 'fate':
      return `${nameIn(place.key)} then`;
    case 'replay':
      return 'replay';
    case 'recording':
      return place.of?.words ?? place.view;
    case 'decision':
      return place.line === 0 ? 'limits of the log' : `line ${place.line} of the log`;
    case 'finding':
      return place.id.split(' ')[0] ?? 'finding';
    case 'choose':
      return `actions for ${targetName(place.of)}`;
    case 'action':
      return actionTitle(place.action);
    case 'workloads':
      if (place.unplaced !== undefined) return `unplaced workloads: ${place.unplaced}`;
      return place.cluster === undefined ? place.view : `workloads of ${place.cluster}`;
    default:
      return 'cluster' in place && place.cluster !== undefined
        ? `${place.view} of ${place.cluster}`
        : place.view;
  }
}

/** The reason for a workload's outcome in a what-if: its explanation, if that covers it. */
export function reasonPlace(key: string, whatIf: WhatIf): Place {
  return isOfFailures(whatIf)
    ? { view: 'workload', key, ifFails: whatIf.failing }
    : { view: 'fate', key, whatIf };
}

/** The moment, if it differs from the dashboard's. */
function momentText({ at }: Moment): string {
  return at === undefined ? '' : ` at ${rfc3339Milliseconds(at)}`;
}

/** Whether a place shows steps in time, which can be played. */
export function isReplay({ view }: Place): boolean {
  return view === 'replay' || view === 'recording' || view === 'decisions';
}

function nameIn(key: string): string {
  return key.startsWith('/') ? key.slice(1) : key;
}

/** A unique text for each place. */
export function placeKey(place: Place): string {
  return JSON.stringify(place);
}
