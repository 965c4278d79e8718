import type { InputNames } from '../../../karmada/inputNames.ts';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { PurgeMode } from '../../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import {
  participation,
  tolerationSecondsOf,
  type Participation,
} from '../../application/applicationFailover.ts';
import { lacksGracefulGate } from '../../application/applicationEviction.ts';
import { declaredHooks, hasHealthInterpreter } from '../../status/healthInterpreter.ts';
import type { FailoverLink } from './link.ts';

/**
 * The conditions for a workload to leave a cluster on which it is unhealthy; empty if its policy does not ask for that.
 *
 * @param others objects among which interpreter customizations and webhooks are
 * @param question `workloadReadyAfter`: milliseconds that new replicas are taken to need until they are ready;
 * `unreadInterpreters`: what it takes to read customizations and webhooks, if they could not be read
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
  const seconds = tolerationSecondsOf(spec);
  const links: (FailoverLink | undefined)[] = [
    interpreterLink(binding, part, missing),
    part.propagates ? undefined : propagationLink(binding),
    part.reported ? undefined : unreportedLink,
    gateLink(application.purgeMode, configuration),
    seconds * 1000 < workloadReadyAfter ? startupLink(seconds, workloadReadyAfter, names) : undefined,
    linkOn(
      {
        id: 'unhealthy-toleration',
        state: 'holds',
        text: `leaves a cluster where it is Unhealthy for longer than ${formatDuration(seconds * 1000)}`,
      },
      'the toleration starts when Karmada sees it Unhealthy, and anew when the controller restarts',
      TOLERATION_SECONDS,
      seconds,
    ),
  ];
  return links.filter((link) => link !== undefined);
}

const TOLERATION_SECONDS = 'spec.failover.application.decisionConditions.tolerationSeconds';

/** A link that rests on one field. */
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
      { id, state: 'holds', text: `Karmada can tell the health of a ${kind}` },
      'the kind has a health interpreter',
      field,
      value,
    );
  if (missing === undefined)
    return linkOn(
      {
        id,
        state: 'broken',
        text: `Karmada cannot tell the health of a ${kind}: application failover skips it`,
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
    text: `whether Karmada can tell the health of a ${kind} could not be read`,
    fix: `needed is ${missing}`,
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
    'the controller looks at bindings that propagate their dependencies alone',
    'spec.propagateDeps',
    spec.propagateDeps ?? false,
  );
}

const unreportedLink: FailoverLink = linkOn(
  { id: 'reported-health', state: 'broken', text: 'no cluster has reported its health' },
  'without a report there is nothing to judge',
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

function startupLink(seconds: number, workloadReadyAfter: number, names: InputNames): FailoverLink {
  return linkOn(
    {
      id: 'startup-time',
      state: 'limits',
      text: `new replicas are taken to need ${formatDuration(workloadReadyAfter)}, and only ${formatDuration(seconds * 1000)} of being Unhealthy are tolerated: it is evicted from a new cluster before it is ready there`,
      fix: `raise tolerationSeconds above the time that the workload needs to start; say that time with ${names.readyAfter}`,
    },
    'a new copy is Unhealthy until its replicas are ready',
    TOLERATION_SECONDS,
    seconds,
  );
}
