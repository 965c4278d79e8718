import type { InputNames } from '../../../karmada/configuration/inputNames.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { PurgeMode } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import {
  participation,
  tolerationSecondsOf,
  type Participation,
} from '../../../karmada/application/applicationPass.ts';
import { lacksGracefulGate } from '../../../karmada/application/applicationEviction.ts';
import { blockSecondsOf } from '../../../karmada/scheduling/filters/clusterEviction.ts';
import { declaredHooks, hasHealthInterpreter } from '../../../karmada/status/healthInterpreter.ts';
import { EVICTION_REASON_APPLICATION_FAILURE } from '../../../karmada/api/names.ts';
import type { FailoverLink } from './link.ts';

/**
 * The conditions for a workload to leave a cluster on which it is unhealthy; empty if its policy does not configure
 * that.
 *
 * @param others objects including interpreter customizations and webhooks
 * @param question `workloadReadyAfter`: the assumed milliseconds until new replicas are ready; `unreadInterpreters`:
 *   how to read customizations and webhooks, if unread
 */
export function applicationFailoverLinks(
  binding: ResourceBinding,
  others: KubernetesObject[],
  {
    configuration,
    workloadReadyAfter,
    unreadInterpreters: missing,
    names,
  }: {
    configuration: Configuration;
    workloadReadyAfter: number;
    unreadInterpreters?: string | undefined;
    names: InputNames;
  },
): FailoverLink[] {
  const { spec } = binding;
  const application = spec.failover?.application;
  if (!application) return [];
  const hooks = declaredHooks(others, configuration.rules);
  const part = participation(binding, {
    hasHealthInterpreter: (resource) => hasHealthInterpreter(resource, hooks),
  });
  const seconds = tolerationSecondsOf(spec, configuration.rules);
  const links: (FailoverLink | undefined)[] = [
    interpreterLink(binding, part, missing),
    part.propagates ? undefined : propagationLink(binding),
    part.reported ? undefined : unreportedLink,
    gateLink(application.purgeMode, configuration),
    seconds * 1000 < workloadReadyAfter
      ? startupLink(seconds, workloadReadyAfter, names)
      : failedEverywhereLink(binding, seconds),
    ...preConditionLinks(binding, configuration),
    linkOn(
      {
        id: 'unhealthy-toleration',
        state: 'holds',
        text: `leaves a cluster where it is Unhealthy for longer than ${formatDuration(seconds * 1000)}`,
      },
      'the toleration starts when Karmada sees it Unhealthy, and again when the controller restarts',
      TOLERATION_SECONDS,
      seconds,
    ),
    configuration.rules.application.evictionHistory ? blockLink(binding) : undefined,
  ];
  return links.filter((link) => link !== undefined);
}

const TOLERATION_SECONDS = 'spec.failover.application.decisionConditions.tolerationSeconds';

function linkOn(
  link: Omit<FailoverLink, 'evidence'>,
  rule: string,
  field: string,
  value: unknown,
): FailoverLink {
  return { ...link, evidence: [{ rule, field, value }] };
}

function interpreterLink(
  { spec: { resource } }: ResourceBinding,
  { healthKnown }: Participation,
  missing: string | undefined,
): FailoverLink {
  const id = 'health-interpreter';
  const field = 'spec.resource';
  const { kind } = resource;
  const value = `${resource.apiVersion} ${kind}`;
  if (healthKnown)
    return linkOn(
      { id, state: 'holds', text: `Karmada can judge the health of a ${kind}` },
      'the kind has a health interpreter',
      field,
      value,
    );
  if (missing === undefined)
    return linkOn(
      {
        id,
        state: 'broken',
        text: `Karmada cannot judge the health of a ${kind}: application failover skips it`,
        fix: 'add a ResourceInterpreterCustomization with healthInterpretation (to the state too, if there is one)',
      },
      'no interpreter among the bundled ones and those in the state',
      field,
      value,
    );
  const rule = 'no interpreter among the bundled ones; those of this control plane could not be read';
  return {
    id,
    state: 'unknown',
    text: `whether Karmada can judge the health of a ${kind} could not be read`,
    fix: `this needs ${missing}`,
    evidence: [{ rule, field, value, certainty: 'unknown', missing }],
  };
}

function propagationLink({ spec }: ResourceBinding): FailoverLink {
  return linkOn(
    {
      id: 'propagate-deps',
      state: 'broken',
      text: 'propagateDeps is not true: application failover skips it',
      fix: 'set spec.propagateDeps: true in the policy',
    },
    'the controller reconciles only bindings that propagate their dependencies',
    'spec.propagateDeps',
    spec.propagateDeps ?? false,
  );
}

const unreportedLink: FailoverLink = linkOn(
  { id: 'reported-health', state: 'broken', text: 'no cluster has reported its health' },
  'without a report its health is unknown',
  'status.aggregatedStatus',
  [],
);

function gateLink(
  purgeMode: PurgeMode | undefined,
  { rules, featureGates }: Configuration,
): FailoverLink | undefined {
  if (!lacksGracefulGate(purgeMode, featureGates, rules)) return undefined;
  return linkOn(
    {
      id: 'graceful-eviction-gate',
      state: 'broken',
      text: `GracefulEviction=false, but the purge mode is ${purgeMode}: nothing is written`,
      fix: 'start karmada-controller-manager with --feature-gates=GracefulEviction=true',
    },
    'a graceful purge mode needs the gate',
    'spec.failover.application.purgeMode',
    purgeMode,
  );
}

/** The preConditions before a toleration begins, in a version that has them. */
function preConditionLinks({ spec }: ResourceBinding, { rules }: Configuration): FailoverLink[] {
  const { delaySeconds, healthyState } = spec.failover?.application?.preConditions ?? {};
  if (!rules.application.preConditions) return [];
  const field = 'spec.failover.application.preConditions';
  const link = (text: string, name: string, value: unknown) =>
    linkOn(
      { id: 'pre-conditions', state: 'limits', text },
      'no toleration runs on a cluster before its preconditions hold there',
      `${field}.${name}`,
      value,
    );
  return [
    ...(delaySeconds === undefined
      ? []
      : [
          link(
            `nothing is decided for ${formatDuration(delaySeconds * 1000)} after the first status from a cluster`,
            'delaySeconds',
            delaySeconds,
          ),
        ]),
    ...(healthyState
      ? [
          link(
            `nothing is decided on a cluster where it has never been ${healthyState}`,
            'healthyState',
            healthyState,
          ),
        ]
      : []),
  ];
}

function blockLink({ spec }: ResourceBinding): FailoverLink {
  const seconds = blockSecondsOf(spec);
  const howLong = seconds === 0 ? '' : ` for ${formatDuration(seconds * 1000)}`;
  return linkOn(
    { id: 'block-predecessor', state: 'holds', text: `does not return${howLong} to a cluster that it left` },
    'the scheduler filters out the clusters in its activeEvictionHistory',
    'spec.failover.application.blockPredecessorSeconds',
    seconds,
  );
}

function startupLink(seconds: number, workloadReadyAfter: number, names: InputNames): FailoverLink {
  return linkOn(
    {
      id: 'startup-time',
      state: 'limits',
      text: `new replicas are assumed to need ${formatDuration(workloadReadyAfter)}, and only ${formatDuration(seconds * 1000)} of being Unhealthy are tolerated: it is evicted from a new cluster before it is ready there`,
      fix: `raise tolerationSeconds above the time that the workload needs to start; set that time with ${names.readyAfter}`,
    },
    'a new copy is Unhealthy until its replicas are ready',
    TOLERATION_SECONDS,
    seconds,
  );
}

/** Evicted from one cluster after another: the toleration may be shorter than the startup time. */
function failedEverywhereLink({ spec }: ResourceBinding, seconds: number): FailoverLink | undefined {
  const failed = (spec.gracefulEvictionTasks ?? []).filter(
    ({ reason }) => reason === EVICTION_REASON_APPLICATION_FAILURE,
  );
  if (failed.length < 2) return undefined;
  const from = failed.map(({ fromCluster }) => fromCluster).join(', ');
  return linkOn(
    {
      id: 'startup-time',
      state: 'limits',
      text: `evicted from ${from}, where it was not Healthy within ${formatDuration(seconds * 1000)}: it does not run there, or needs longer to start`,
      fix: 'if it needs longer to start, raise tolerationSeconds above that time',
    },
    'a new copy is Unhealthy until its replicas are ready',
    TOLERATION_SECONDS,
    seconds,
  );
}
