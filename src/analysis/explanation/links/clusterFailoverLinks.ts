import { type FailoverLink, holdingLink, type LinkQuestion } from './link.ts';
import { appliedPlacementLink, taintLinks, tolerationLinks } from './taintLinks.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { evictingEffects } from '../../../karmada/taints/evictingTaints.ts';
import {
  hasOneQueue,
  type TaintEvictionSwitch,
  taintEvictionSwitches,
} from '../../../karmada/configuration/taintEviction.ts';
import { paceEvidence, paceInWords, queuePace } from '../../../karmada/taints/evictionPace.ts';
import { abandonedBecause, matchingNames } from '../../../karmada/taints/preScheduling.ts';
import { DEFAULT_SCHEDULER_NAME } from '../../../karmada/api/names.ts';
import { handledByScheduler } from '../../../karmada/scheduling/wakeUp.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { purgesDirectly } from '../../../karmada/eviction/evictionTasks.ts';
import { suspendsDispatching } from '../../../karmada/eviction/works.ts';
import { taintEvictionPurgeMode } from '../../../karmada/taints/evictionPurgeMode.ts';

/** The chain from a cluster's failure to a running copy elsewhere, in order. */
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

const links: Record<TaintEvictionSwitch['name'], { id: string; how: string }> = {
  Failover: { id: 'failover-gate', how: '--feature-gates=Failover=true' },
  'enable-taint-manager': { id: 'taint-manager', how: '--enable-taint-manager=true' },
  'the controller cluster': { id: 'cluster-controller', how: '--controllers=*' },
  'enable-no-execute-taint-eviction': {
    id: 'no-execute-eviction',
    how: '--enable-no-execute-taint-eviction=true',
  },
};

/** The gate and flags without which no taint evicts. */
function switchLinks({ configuration, unverified: unverified, proven, names }: LinkQuestion): FailoverLink[] {
  const effects = evictingEffects(configuration.rules);
  return taintEvictionSwitches(configuration).map(({ name, on }): FailoverLink => {
    const { id, how } = links[name];
    const evidence: Evidence = { rule: `${effects} taints evict nothing without it`, field: name, value: on };
    const proof = proven?.get(name);
    if (unverified.has(name))
      return {
        id,
        state: on ? 'unknown' : 'broken',
        text:
          proof === undefined
            ? `${name}=${on} is the default; the state does not show how karmada-controller-manager was started`
            : `${name}=${on} when ${proof}; the state does not show how karmada-controller-manager was started`,
        fix: `to confirm, give ${names.host} or a state with its Deployment; if it runs with ${name}=${!on}, set ${names.assume} ${name}=${!on}`,
        evidence: [{ ...evidence, certainty: 'unknown', missing: `${names.assume} ${name}=VALUE` }],
      };
    if (on) return holdingLink(id, `${name}=true`, [evidence]);
    return {
      id,
      state: 'broken',
      text:
        name === 'the controller cluster'
          ? `${name} is not started, so the taint manager does not run: ${effects} taints evict nothing`
          : `${name}=false: ${effects} taints evict nothing`,
      fix: `start karmada-controller-manager with ${how}`,
      evidence: [evidence],
    };
  });
}

/**
 * Whether the eviction queue of the design optimize-cluster-failover releases the workload: its pace by the present
 * clusters, and whether there is a cluster to move to.
 */
function queueLinks({ binding, clusters, fleet, configuration }: LinkQuestion): FailoverLink[] {
  const { rules, controllerManager } = configuration;
  if (!hasOneQueue(rules)) return [];
  const pace = queuePace(fleet, controllerManager);
  const text = `the eviction queue ${paceInWords(pace)}: ${pace.reason}`;
  const evidence = [paceEvidence(pace)];
  const paceLink: FailoverLink =
    pace.mode === 'normal' && pace.rate > 0
      ? holdingLink('eviction-pace', text, evidence)
      : { id: 'eviction-pace', state: pace.rate > 0 ? 'limits' : 'broken', text, evidence };
  if (!rules.taints.preScheduling) return [paceLink];
  const matching = matchingNames(fleet, rules);
  const abandoned = clusters.flatMap(({ metadata: { name } }): FailoverLink | [] => {
    const why: Evidence[] = [];
    const reason = abandonedBecause(binding, name, matching, why);
    if (reason === undefined) return [];
    return {
      id: 'pre-scheduling',
      state: 'broken',
      text: `its eviction from ${name} would be abandoned: ${reason}`,
      fix: 'let the placement select more clusters; a Duplicated workload needs a spread constraint, too',
      evidence: why,
    };
  });
  return [paceLink, ...abandoned];
}

/** A scheduler must reschedule the binding after it has lost a cluster. */
function schedulerLinks({
  binding,
  configuration,
  unverified: unverified,
  names,
}: LinkQuestion): FailoverLink[] {
  const { metadata, spec, status } = binding;
  const name = spec.schedulerName || DEFAULT_SCHEDULER_NAME;
  const ours = configuration.scheduler['scheduler-name'];
  if (spec.suspension?.scheduling && configuration.rules.scheduling.suspension !== 'unknown')
    return [
      {
        id: 'scheduling-suspended',
        state: 'broken',
        text: 'scheduling is suspended: an evicted workload is not placed',
        fix: 'resume it: spec.suspension.scheduling of the binding',
        evidence: [{ rule: 'no scheduler reconciles it', field: 'spec.suspension.scheduling', value: true }],
      },
    ];
  if (name !== ours)
    return [
      {
        id: 'scheduler-name',
        state: 'unknown',
        text: `the scheduler ${name} decides, with its own rules`,
        fix: unverified.has('scheduler-name')
          ? `give ${names.assume} scheduler-name=${name} if that is a karmada-scheduler`
          : 'ask that scheduler; the rest shows the decision of karmada-scheduler',
        evidence: [
          {
            rule: `karmada-scheduler reconciles only ${ours}`,
            field: 'spec.schedulerName',
            value: name,
            certainty: 'unknown',
            missing: `the rules of the scheduler ${name}`,
          },
        ],
      },
    ];
  if (!handledByScheduler(binding, configuration))
    return [
      {
        id: 'managed',
        state: 'limits',
        text: 'no policy or controller has claimed this binding: the scheduler ignores its changes, and reconciles it only after a change of a candidate cluster',
        fix: 'let a policy claim it',
        evidence: [
          {
            rule: 'karmada-scheduler watches bindings with the permanent id of a policy, or managed-by',
            field: 'metadata.labels',
            value: metadata.labels ?? {},
          },
        ],
      },
    ];
  const index = status?.conditions?.findIndex(({ type }) => type === 'Scheduled') ?? -1;
  const condition = status?.conditions?.[index];
  if (condition?.status === 'False')
    return [
      {
        id: 'scheduled',
        state: 'broken',
        text: `not scheduled yet: ${condition.reason}`,
        evidence: [
          {
            rule: condition.message ?? '',
            field: `status.conditions[${index}].reason`,
            value: condition.reason,
          },
        ],
      },
    ];
  return [holdingLink('scheduler', `karmada-scheduler (${name}) schedules it`)];
}

/** Whether Works reach the clusters. */
function dispatchLinks({ spec }: ResourceBinding): FailoverLink[] {
  const { dispatching, dispatchingOnClusters } = spec.suspension ?? {};
  const where = dispatching ? 'any cluster' : dispatchingOnClusters?.clusterNames?.join(', ');
  if (!where) return [];
  const everywhere = (spec.clusters ?? []).every(({ name }) => suspendsDispatching(spec, name));
  return [
    {
      id: 'dispatching-suspended',
      state: everywhere ? 'broken' : 'limits',
      text: `dispatching is suspended: Works for ${where} are written but not applied`,
      fix: 'resume it in the policy: spec.suspension',
      evidence: [{ rule: 'a suspended Work stays undone', field: 'spec.suspension', value: spec.suspension }],
    },
  ];
}

/** The cost of the purge mode, and whether state is preserved. */
function purgeLinks({ binding, configuration }: LinkQuestion): FailoverLink[] {
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
