import type { Query } from './apiServer.ts';
import type { StateKind } from './stateKinds.ts';

/** Karmada's Events, only for answers about the past. */
export const EVENTS: StateKind = {
  kind: 'Event',
  group: '',
  version: 'v1',
  resource: 'events',
  namespaced: true,
  isHistory: true,
  without: 'who added taints, and which writes of Karmada failed, may be unknown',
};

/** Karmada's Events for checks of the control plane. */
export const CHECKED_EVENTS: StateKind = { ...EVENTS, isForChecks: true };

/** Reasons of Events that accompany most writes and report no step. */
const NOISE = [
  'AggregateStatusSucceed',
  'ApplyPolicySucceed',
  'GetDependenciesSucceed',
  'GetReplicasSucceed',
  'SyncScheduleResultToDependenciesSucceed',
  'SyncSucceed',
];
/** Reasons of Events that add nothing to the observed changes. */
const PLAIN = ['EvictWorkloadFromClusterSucceed', 'ScheduleBindingSucceed', 'SyncWorkSucceed'];

/** Selects the Events that report failures. */
export const FAILURE_EVENTS_QUERY: Query = { fieldSelector: 'type=Warning' };
/** The most Events that checks read at once: with more, the API server is busy enough. */
export const MAX_EVENTS = 5000;
/** Selects the Events that report steps. */
export const STEP_EVENTS: Query = without(NOISE);
/** Selects the Events that are informative even when each change is visible. */
export const INFORMATIVE_EVENTS: Query = without([...NOISE, ...PLAIN]);

function without(reasons: readonly string[]): Query {
  const selectors = ['involvedObject.kind!=Work', ...reasons.map((reason) => `reason!=${reason}`)];
  return { fieldSelector: selectors.join(',') };
}
