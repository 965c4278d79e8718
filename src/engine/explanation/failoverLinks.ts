import type { Cluster } from '../../karmada/api/cluster.ts';
import type { Taint, Toleration } from '../../karmada/api/meta.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Configuration } from '../../karmada/configuration.ts';
import {
  APPLIED_PLACEMENT_ANNOTATION,
  CLUSTER_CONDITION_READY,
  DEFAULT_SCHEDULER_NAME,
} from '../../karmada/names.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { formatTaint } from '../../kubernetes/tolerations.ts';
import { purgesDirectly } from '../eviction/purgeMode.ts';
import { suspendsDispatching } from '../eviction/works.ts';
import type { Evidence } from '../evidence.ts';
import { handledByScheduler } from '../scheduling/wakeUp.ts';
import { appliedPlacement } from '../taints/appliedPlacement.ts';
import { noExecuteDecision, noExecuteTaints } from '../taints/noExecuteDecision.ts';
import { taintEvictionPurgeMode } from '../taints/taintManager.ts';
import { taintsOnFailure } from './failoverSwitch.ts';
import { isStale } from './readiness.ts';

/**
 * How a link of the chain is:
 * - `holds`: it is as failover needs it
 * - `limits`: failover happens, but later or in another way than one may think
 * - `broken`: the workload does not leave, or does not start elsewhere, because of this
 * - `unknown`: nobody has confirmed the value; it is the default
 */
export type LinkState = 'holds' | 'limits' | 'broken' | 'unknown';

/** One of the things that must all hold for a workload to leave a cluster that fails. */
export interface FailoverLink {
  /** stable, for machines: "no-execute-taint", "tolerations", … */
  id: string;
  state: LinkState;
  /** what is the case, in a sentence */
  text: string;
  /** what to do about it, where something can be done */
  fix?: string;
  evidence: Evidence[];
}

export interface LinkQuestion {
  binding: ResourceBinding;
  /** the clusters that the workload would leave */
  clusters: Cluster[];
  taintPolicies: ClusterTaintPolicy[];
  configuration: Configuration;
  /** gates and flags that are defaults which nobody has confirmed */
  unconfirmed: ReadonlySet<string>;
  /** epoch milliseconds */
  now: number;
}

/** The chain from a cluster's failure to a running copy elsewhere, link by link, in the order of events. */
export function clusterFailoverLinks(question: LinkQuestion): FailoverLink[] {
  const { binding, clusters } = question;
  return [
    ...switchLinks(question),
    ...(clusters.length > 0 ? taintLinks(question) : []),
    appliedPlacementLink(binding),
    ...tolerationLinks(question),
    ...schedulerLinks(question),
    ...dispatchLinks(binding),
    ...purgeLinks(question),
  ];
}

/** Whether nothing happens to a workload when a cluster fails, because of these links. */
export function isBroken(links: FailoverLink[]): boolean {
  return links.some(({ state }) => state === 'broken');
}

const holds = (id: string, text: string, evidence: Evidence[] = []): FailoverLink => ({
  id,
  state: 'holds',
  text,
  evidence,
});

/** The gate and the two flags without which no taint evicts anything (Karmada v1.14 and later). */
function switchLinks({ configuration, unconfirmed }: LinkQuestion): FailoverLink[] {
  const { featureGates, controllerManager } = configuration;
  return [
    {
      id: 'failover-gate',
      name: 'Failover',
      on: featureGates.Failover,
      how: '--feature-gates=Failover=true',
    },
    {
      id: 'taint-manager',
      name: 'enable-taint-manager',
      on: controllerManager['enable-taint-manager'],
      how: '--enable-taint-manager=true',
    },
    {
      id: 'no-execute-eviction',
      name: 'enable-no-execute-taint-eviction',
      on: controllerManager['enable-no-execute-taint-eviction'],
      how: '--enable-no-execute-taint-eviction=true',
    },
  ].map(({ id, name, on, how }): FailoverLink => {
    const evidence: Evidence = { rule: 'NoExecute taints evict nothing without it', field: name, value: on };
    if (unconfirmed.has(name))
      return {
        id,
        state: on ? 'unknown' : 'broken',
        text: `${name}=${on} is the default; the state does not tell how karmada-controller-manager was started`,
        fix: `give --assume ${name}=${!on} if it was started so, or add its Deployment to the state`,
        evidence: [{ ...evidence, certainty: 'unknown', missing: `--assume ${name}=VALUE` }],
      };
    if (on) return holds(id, `${name}=true`, [evidence]);
    return {
      id,
      state: 'broken',
      text: `${name}=false: NoExecute taints evict nothing`,
      fix: `start karmada-controller-manager with ${how}`,
      evidence: [evidence],
    };
  });
}

/** The NoExecute taints that a cluster has, or would get when it fails. */
function expectedTaints(cluster: Cluster, { taintPolicies, now }: LinkQuestion) {
  const present = noExecuteTaints(cluster.spec?.taints);
  if (present.length > 0) return { taints: present, evidence: [], present: true };
  return { ...taintsOnFailure(cluster, taintPolicies, now), present: false };
}

/** Clusters that a sentence names one by one. */
const MOST_NAMED = 5;

function nameList(names: string[]): string {
  if (names.length <= MOST_NAMED) return names.join(', ');
  return `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
}

/** Somebody has to put a NoExecute taint on the cluster; Karmada itself does not (v1.14 and later). */
function taintLinks(question: LinkQuestion): FailoverLink[] {
  const expected = question.clusters.map((cluster) => ({ cluster, ...expectedTaints(cluster, question) }));
  const texts = (found: typeof expected) => {
    const byTaints = new Map<string, string[]>();
    for (const { cluster, taints } of found) {
      const text = taints.map(formatTaint).join(', ');
      byTaints.set(text, [...(byTaints.get(text) ?? []), cluster.metadata.name]);
    }
    return [...byTaints].map(([taints, names]) => ({ taints, names: nameList(names) }));
  };
  const links: FailoverLink[] = [];
  const has = expected.filter(({ present }) => present);
  for (const { taints, names } of texts(has))
    links.push(holds('no-execute-taint', `${names}: ${taints} is there`));
  const gets = expected.filter(({ present, taints }) => !present && taints.length > 0);
  const waits = gets.filter(({ cluster }) => isStale(cluster));
  for (const { taints, names } of texts(gets.filter((one) => !waits.includes(one))))
    links.push(
      holds(
        'no-execute-taint',
        `${names} would get ${taints} on failing`,
        gets.flatMap(({ evidence }) => evidence),
      ),
    );
  for (const { taints, names } of texts(waits))
    links.push({
      id: 'no-execute-taint',
      state: 'limits',
      text: `${names} is not Ready and has no NoExecute taint yet; ${taints} is to come`,
      evidence: waits.flatMap(({ evidence }) => evidence),
    });
  const never = expected.filter(({ taints }) => taints.length === 0).map(({ cluster }) => cluster);
  if (never.length > 0) links.push(untaintedLink(never, question.taintPolicies));
  return links;
}

function untaintedLink(clusters: Cluster[], policies: ClusterTaintPolicy[]): FailoverLink {
  const names = nameList(clusters.map(({ metadata }) => metadata.name));
  const pull = clusters.every(({ spec }) => spec?.syncMode === 'Pull');
  const [status, key] = pull ? ['Unknown', 'unreachable'] : ['False', 'not-ready'];
  return {
    id: 'no-execute-taint',
    state: 'broken',
    text: `nothing puts a NoExecute taint on ${names} when it fails; the NoSchedule taint of Karmada itself evicts nothing`,
    fix: `create a ClusterTaintPolicy that adds cluster.karmada.io/${key}:NoExecute while ${CLUSTER_CONDITION_READY} is ${status} (karmada-webhook needs --allow-no-execute-taint-policy=true)`,
    evidence: [
      {
        rule:
          policies.length === 0
            ? 'there is no ClusterTaintPolicy'
            : 'no ClusterTaintPolicy adds a NoExecute taint on that condition',
        field: 'spec.addOnConditions',
        value: policies.map(({ metadata }) => metadata.name),
      },
    ],
  };
}

const annotationField = `metadata.annotations["${APPLIED_PLACEMENT_ANNOTATION}"]`;

/** The taint manager takes tolerations from what the scheduler applied last, and fails where that is missing. */
function appliedPlacementLink({ metadata }: ResourceBinding): FailoverLink {
  const applied = appliedPlacement(metadata);
  if ('error' in applied)
    return {
      id: 'applied-placement',
      state: 'broken',
      text: 'the annotation with the applied placement cannot be read: the taint manager fails on this binding',
      fix: 'let the scheduler write it anew: change the placement of the policy, or remove the annotation',
      evidence: [{ rule: applied.error, field: annotationField }],
    };
  if (!applied.placement)
    return {
      id: 'applied-placement',
      state: 'broken',
      text: 'no scheduler has written the applied placement: the taint manager fails on this binding',
      fix: 'find out why karmada-scheduler has not scheduled it (see below)',
      evidence: [{ rule: 'the annotation is missing', field: annotationField, value: null }],
    };
  return holds('applied-placement', 'the scheduler has written the applied placement');
}

function tolerationLinks(question: LinkQuestion): FailoverLink[] {
  const { binding, clusters } = question;
  const applied = appliedPlacement(binding.metadata);
  if ('error' in applied || !applied.placement) return [];
  const { clusterTolerations = [] } = applied.placement;
  const links = clusters.flatMap((cluster) => clusterTolerationLink(cluster, clusterTolerations, question));
  const wanted = binding.spec.placement?.clusterTolerations ?? [];
  if (!deepEqual(wanted, clusterTolerations))
    links.push({
      id: 'applied-tolerations',
      state: 'limits',
      text: 'spec.placement has other tolerations than the applied placement: the applied ones count until the scheduler has acted',
      evidence: [
        { rule: 'wanted', field: 'spec.placement.clusterTolerations', value: wanted },
        { rule: 'applied', field: `${annotationField}.clusterTolerations`, value: clusterTolerations },
      ],
    });
  return mergeEqual(links);
}

function clusterTolerationLink(
  cluster: Cluster,
  tolerations: Toleration[],
  question: LinkQuestion,
): FailoverLink[] {
  const { taints } = expectedTaints(cluster, question);
  if (taints.length === 0) return [];
  const evidence: Evidence[] = [];
  const decision = noExecuteDecision(taints, tolerations, question.now, evidence);
  const what = taints.map(({ key }: Taint) => key).join(', ');
  switch (decision.kind) {
    case 'evict':
      return [holds('tolerations', `no toleration keeps it there: ${what} evicts at once`, evidence)];
    case 'wait':
      return [
        {
          id: 'tolerations',
          state: 'limits',
          text: `tolerates ${what} for ${Math.round(decision.milliseconds / 1000)}s, then leaves`,
          evidence,
        },
      ];
    case 'stay': {
      const undated = evidence.some(({ certainty }) => certainty !== undefined);
      return [
        {
          id: 'tolerations',
          state: 'broken',
          text: undated
            ? `tolerates ${what}, and no clock runs: the taint has no timeAdded`
            : `tolerates ${what} for ever: it stays on a cluster that fails`,
          fix: undated
            ? 'look at the taint on the live Cluster; Karmada stamps it'
            : 'give the toleration tolerationSeconds in the policy, or remove it',
          evidence,
        },
      ];
    }
  }
}

/** Links that say the same of several clusters count once. */
function mergeEqual(links: FailoverLink[]): FailoverLink[] {
  return links.filter(
    ({ id, text }, index) => links.findIndex((other) => other.id === id && other.text === text) === index,
  );
}

/** Somebody has to schedule the binding anew once a cluster has been taken from it. */
function schedulerLinks({ binding, configuration, unconfirmed }: LinkQuestion): FailoverLink[] {
  const { metadata, spec, status } = binding;
  const name = spec.schedulerName || DEFAULT_SCHEDULER_NAME;
  const ours = configuration.scheduler['scheduler-name'];
  if (spec.suspension?.scheduling)
    return [
      {
        id: 'scheduling-suspended',
        state: 'broken',
        text: 'scheduling is suspended: what is evicted is placed nowhere',
        fix: 'resume it: spec.suspension.scheduling of the binding',
        evidence: [{ rule: 'no scheduler looks at it', field: 'spec.suspension.scheduling', value: true }],
      },
    ];
  if (name !== ours)
    return [
      {
        id: 'scheduler-name',
        state: 'unknown',
        text: `the scheduler ${name} decides, by rules of its own`,
        fix: unconfirmed.has('scheduler-name')
          ? `give --assume scheduler-name=${name} if that is a karmada-scheduler`
          : 'ask that scheduler; what follows is what karmada-scheduler would do',
        evidence: [
          {
            rule: `karmada-scheduler looks after ${ours}`,
            field: 'spec.schedulerName',
            value: name,
            certainty: 'unknown',
            missing: `the rules of the scheduler ${name}`,
          },
        ],
      },
    ];
  if (!handledByScheduler(binding, ours))
    return [
      {
        id: 'managed',
        state: 'broken',
        text: 'the scheduler passes this binding over: no policy and no controller has labelled it as theirs',
        evidence: [
          {
            rule: 'karmada-scheduler looks at bindings with the permanent id of a policy, or managed-by',
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
        text: `the scheduler finds no place: ${condition.reason}`,
        evidence: [
          {
            rule: condition.message ?? '',
            field: `status.conditions[${index}].reason`,
            value: condition.reason,
          },
        ],
      },
    ];
  return [holds('scheduler', `karmada-scheduler (${name}) schedules it`)];
}

function dispatchLinks({ spec }: ResourceBinding): FailoverLink[] {
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
function purgeLinks({ binding, configuration }: LinkQuestion): FailoverLink[] {
  const { failover } = binding.spec;
  const links: FailoverLink[] = [];
  const evidence: Evidence[] = [];
  if (purgesDirectly(taintEvictionPurgeMode(failover, configuration, evidence)))
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
