import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import type { Configuration } from '../../../karmada/configuration.ts';
import { tolerationSecondsOf } from '../../application/applicationFailover.ts';
import { purgesGracefully } from '../../eviction/purgeMode.ts';
import { declaredHooks, hasHealthInterpreter } from '../../status/healthInterpreter.ts';
import type { FailoverLink } from './link.ts';

/**
 * What must hold for a workload to leave a cluster where it is unhealthy; nothing where its policy does not ask
 * for that.
 *
 * @param others objects among which interpreter customizations and webhooks are
 * @param question `workloadReadyAfter`: milliseconds that new replicas are taken to need until they are ready;
 * `unreadInterpreters`: what it takes to read customizations and webhooks, where they could not be read
 */
export function applicationFailoverLinks(
  binding: ResourceBinding,
  others: KubernetesObject[],
  {
    configuration,
    workloadReadyAfter,
    unreadInterpreters: missing,
  }: { configuration: Configuration; workloadReadyAfter: number; unreadInterpreters?: string | undefined },
): FailoverLink[] {
  const { kind, spec, status } = binding;
  const application = spec.failover?.application;
  if (!application) return [];
  const links: FailoverLink[] = [];
  const add = (link: Omit<FailoverLink, 'evidence'>, rule: string, field: string, value: unknown) =>
    void links.push({ ...link, evidence: [{ rule, field, value }] });

  const { apiVersion, kind: resourceKind } = spec.resource;
  if (hasHealthInterpreter(spec.resource, declaredHooks(others, configuration.rules)))
    add(
      { id: 'health-interpreter', state: 'holds', text: `Karmada can tell the health of a ${resourceKind}` },
      'the kind has a health interpreter',
      'spec.resource',
      `${apiVersion} ${resourceKind}`,
    );
  else if (missing !== undefined)
    links.push({
      id: 'health-interpreter',
      state: 'unknown',
      text: `whether Karmada can tell the health of a ${resourceKind} could not be read`,
      fix: `needed is ${missing}`,
      evidence: [
        {
          rule: 'no interpreter among the bundled ones; those of this control plane could not be read',
          field: 'spec.resource',
          value: `${apiVersion} ${resourceKind}`,
          certainty: 'unknown',
          missing,
        },
      ],
    });
  else
    add(
      {
        id: 'health-interpreter',
        state: 'broken',
        text: `Karmada cannot tell the health of a ${resourceKind}: application failover passes it over`,
        fix: 'add a ResourceInterpreterCustomization with healthInterpretation (to the state too, if there is one)',
      },
      'no interpreter among the bundled ones and those in the state',
      'spec.resource',
      `${apiVersion} ${resourceKind}`,
    );
  if (kind !== 'ClusterResourceBinding' && spec.propagateDeps !== true)
    add(
      {
        id: 'propagate-deps',
        state: 'broken',
        text: 'propagateDeps is not true: application failover passes it over',
        fix: 'set spec.propagateDeps: true in the policy',
      },
      'the controller looks at bindings that propagate their dependencies alone',
      'spec.propagateDeps',
      spec.propagateDeps ?? false,
    );
  if (!status?.aggregatedStatus?.length)
    add(
      { id: 'reported-health', state: 'broken', text: 'no cluster has reported its health' },
      'without a report there is nothing to judge',
      'status.aggregatedStatus',
      [],
    );
  if (
    purgesGracefully(application.purgeMode, configuration.rules) &&
    !configuration.featureGates.GracefulEviction
  )
    add(
      {
        id: 'graceful-eviction-gate',
        state: 'broken',
        text: `GracefulEviction=false, but the purge mode is ${application.purgeMode}: nothing is written`,
        fix: 'start karmada-controller-manager with --feature-gates=GracefulEviction=true',
      },
      'a graceful purge mode needs the gate',
      'spec.failover.application.purgeMode',
      application.purgeMode,
    );
  const seconds = tolerationSecondsOf(spec);
  if (seconds * 1000 < workloadReadyAfter)
    add(
      {
        id: 'startup-time',
        state: 'limits',
        text: `new replicas are taken to need ${workloadReadyAfter / 1000}s, and only ${seconds}s of being Unhealthy are tolerated: it is evicted from a new cluster before it is ready there`,
        fix: 'raise tolerationSeconds above the time that the workload needs to start; say that time with --ready-after',
      },
      'a new copy is Unhealthy until its replicas are ready',
      'spec.failover.application.decisionConditions.tolerationSeconds',
      seconds,
    );
  add(
    {
      id: 'unhealthy-toleration',
      state: 'holds',
      text: `leaves a cluster where it is Unhealthy for longer than ${seconds}s`,
    },
    'the toleration starts when Karmada sees it Unhealthy, and anew when the controller restarts',
    'spec.failover.application.decisionConditions.tolerationSeconds',
    seconds,
  );
  return links;
}
