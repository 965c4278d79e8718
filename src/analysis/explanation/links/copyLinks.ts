import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { purgesDirectly } from '../../../karmada/eviction/purgeMode.ts';
import { suspendsDispatching } from '../../../karmada/eviction/works.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { taintEvictionPurgeMode } from '../../../karmada/taints/evictionPurgeMode.ts';
import type { FailoverLink, LinkQuestion } from './link.ts';

/** Whether Works reach the clusters. */
export function dispatchLinks({ spec }: ResourceBinding): FailoverLink[] {
  const { dispatching, dispatchingOnClusters } = spec.suspension ?? {};
  if (!dispatching && !dispatchingOnClusters?.clusterNames?.length) return [];
  const where = dispatching ? 'any cluster' : dispatchingOnClusters!.clusterNames!.join(', ');
  const everywhere = (spec.clusters ?? []).every(({ name }) => suspendsDispatching(spec, name));
  return [
    {
      id: 'dispatching-suspended',
      state: everywhere ? 'broken' : 'limits',
      text: `dispatching is suspended: Works for ${where} are written and not applied`,
      fix: 'resume it in the policy: spec.suspension',
      evidence: [{ rule: 'a suspended Work stays undone', field: 'spec.suspension', value: spec.suspension }],
    },
  ];
}

/** What the purge mode costs, and whether state goes along. */
export function purgeLinks({ binding, configuration }: LinkQuestion): FailoverLink[] {
  const { failover } = binding.spec;
  const { rules } = configuration;
  const links: FailoverLink[] = [];
  const evidence: Evidence[] = [];
  const mode = taintEvictionPurgeMode(binding, configuration, evidence);
  if (
    mode !== 'withoutTask' &&
    purgesDirectly(mode, rules) &&
    rules.eviction.directPurge === 'waitsForOldWork'
  )
    links.push({
      id: 'purge-mode',
      state: 'limits',
      text: 'purge mode Directly: no new copy is started while the old Work exists, and on a cluster that is down it exists until the eviction task times out',
      fix: 'purge mode Gracefully starts the new copy at once',
      evidence,
    });
  const stateful = failover?.cluster?.statePreservation ?? failover?.application?.statePreservation;
  if (stateful && !configuration.featureGates.StatefulFailoverInjection)
    links.push({
      id: 'state-preservation',
      state: 'limits',
      text: 'StatefulFailoverInjection=false: statePreservation has no effect',
      fix: 'start karmada-controller-manager with --feature-gates=StatefulFailoverInjection=true',
      evidence: [{ rule: 'the gate decides', field: 'StatefulFailoverInjection', value: false }],
    });
  return links;
}
