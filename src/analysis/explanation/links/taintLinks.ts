import type { Cluster } from '../../../karmada/api/cluster.ts';
import { APPLIED_PLACEMENT_ANNOTATION, CLUSTER_CONDITION_READY } from '../../../karmada/api/names.ts';
import { formatTaint } from '../../../kubernetes/tolerations.ts';
import { evictingEffects, evictingTaints } from '../../../karmada/taints/evictingTaints.ts';
import { taintsOnFailure } from '../failoverSwitch.ts';
import { isStale } from '../../../karmada/objects/clusterReadiness.ts';
import { nameList } from '../nameList.ts';
import { type ExpectedTaints, type FailoverLink, holdingLink, type LinkQuestion } from './link.ts';
import type { Taint, Toleration } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { appliedPlacement } from '../../../karmada/objects/appliedPlacement.ts';
import { stayText, taintDecision } from '../../../karmada/taints/evictionTerms.ts';
import { groupedBy } from '../../../kubernetes/nonEmpty.ts';

/** The evicting taints that a cluster has, or would get if it failed. */
function expectedTaints(cluster: Cluster, { taintPolicies, configuration, now, expected }: LinkQuestion) {
  const known = expected?.get(cluster);
  if (known) return known;
  const present = evictingTaints(cluster.spec?.taints, configuration.rules);
  const found: ExpectedTaints =
    present.length > 0
      ? { taints: present, evidence: [], present: true }
      : { ...taintsOnFailure(cluster, taintPolicies, now, configuration), present: false };
  expected?.set(cluster, found);
  return found;
}

/** The most clusters named in a sentence. */
const MAX_NAMED = 5;

/** A policy or a user must add a NoExecute taint to the cluster; up to v1.13 Karmada itself does. */
export function taintLinks(question: LinkQuestion): FailoverLink[] {
  const expected = question.clusters.map((cluster) => ({ cluster, ...expectedTaints(cluster, question) }));
  const byTaints = (found: typeof expected) => {
    const groups = groupedBy(found, ({ taints }) => taints.map(formatTaint).join(', '));
    return [...groups].map(([taints, group]) => ({
      taints,
      names: nameList(
        group.map(({ cluster }) => cluster.metadata.name),
        MAX_NAMED,
      ),
      evidence: group.flatMap(({ evidence }) => evidence),
    }));
  };
  const links: FailoverLink[] = [];
  for (const { taints, names } of byTaints(expected.filter(({ present }) => present)))
    links.push(holdingLink('no-execute-taint', `${names}: ${taints} is set`));
  const gets = expected.filter(({ present, taints }) => !present && taints.length > 0);
  const waits = gets.filter(({ cluster }) => isStale(cluster));
  for (const { taints, names, evidence } of byTaints(gets.filter((one) => !waits.includes(one))))
    links.push(holdingLink('no-execute-taint', `${names} would get ${taints} when it fails`, evidence));
  for (const { taints, names, evidence } of byTaints(waits))
    links.push({
      id: 'no-execute-taint',
      state: 'limits',
      text: `${names} is not Ready and has no ${evictingEffects(question.configuration.rules)} taint yet; ${taints} is pending`,
      evidence,
    });
  const never = expected.filter(({ taints }) => taints.length === 0).map(({ cluster }) => cluster);
  if (never.length > 0) links.push(untaintedLink(never, question));
  return links;
}

function untaintedLink(
  clusters: Cluster[],
  { binding, taintPolicies: policies, unreadTaintPolicies: missing, configuration }: LinkQuestion,
): FailoverLink {
  const names = nameList(
    clusters.map(({ metadata }) => metadata.name),
    MAX_NAMED,
  );
  if (configuration.rules.taints.failureTaints === 'automatic')
    return {
      id: 'no-execute-taint',
      state: 'broken',
      text: `Failover=false: Karmada puts no NoExecute taint on ${names} when it fails`,
      fix: 'start karmada-controller-manager with --feature-gates=Failover=true',
      evidence: [{ rule: 'failed clusters are tainted only with the gate', field: 'Failover', value: false }],
    };
  if (missing !== undefined)
    return {
      id: 'no-execute-taint',
      state: 'unknown',
      text: `whether a ClusterTaintPolicy puts a ${evictingEffects(configuration.rules)} taint on ${names} when it fails could not be read`,
      fix: `this needs ${missing}`,
      evidence: [{ rule: 'ClusterTaintPolicies could not be read', certainty: 'unknown', missing }],
    };
  const { rules } = configuration;
  const effects = evictingEffects(rules);
  const pull = clusters.every(({ spec }) => spec?.syncMode === 'Pull');
  const windows = rules.api.taintPolicyForm === 'windows';
  // The design has no such flag.
  const allowed = windows ? '' : ' (karmada-webhook needs --allow-no-execute-taint-policy=true)';
  // PreferNoExecute is enough if the workload opts in to moving.
  const effect =
    rules.taints.activeMigration && binding.spec.failover?.cluster ? 'PreferNoExecute' : 'NoExecute';
  const [status, key] = pull ? ['Unknown', 'unreachable'] : ['False', 'not-ready'];
  return {
    id: 'no-execute-taint',
    state: 'broken',
    text: `no ${effects} taint is added to ${names} when it fails${rules.taints.readinessTaints === 'automatic' ? '; the NoSchedule taint of Karmada itself evicts nothing' : ''}`,
    fix: `create a ClusterTaintPolicy that adds cluster.karmada.io/${key}:${effect} while ${CLUSTER_CONDITION_READY} is ${status}${allowed}`,
    evidence: [
      {
        rule:
          policies.length === 0
            ? 'there is no ClusterTaintPolicy'
            : `no ClusterTaintPolicy adds a ${effects} taint on that condition`,
        field: windows ? 'spec.matchConditions' : 'spec.addOnConditions',
        value: policies.map(({ metadata }) => metadata.name),
      },
    ],
  };
}

const annotationField = `metadata.annotations["${APPLIED_PLACEMENT_ANNOTATION}"]`;

/** The taint manager reads tolerations from the placement that the scheduler applied last, and fails without it. */
export function appliedPlacementLink({ metadata }: ResourceBinding): FailoverLink {
  const applied = appliedPlacement(metadata);
  if ('error' in applied)
    return {
      id: 'applied-placement',
      state: 'broken',
      text: 'the annotation with the applied placement cannot be read: the taint manager fails on this binding',
      fix: 'make the scheduler rewrite it: change the placement of the policy, or remove the annotation',
      evidence: [{ rule: applied.error, field: annotationField }],
    };
  if (!applied.placement)
    return {
      id: 'applied-placement',
      state: 'broken',
      text: 'no scheduler has written the applied placement: the taint manager fails on this binding',
      fix: 'check why karmada-scheduler has not scheduled it (see below)',
      evidence: [{ rule: 'the annotation is missing', field: annotationField, value: null }],
    };
  return holdingLink('applied-placement', 'the scheduler has written the applied placement');
}

/** Whether, and for how long, the applied placement keeps the workload on its clusters. */
export function tolerationLinks(question: LinkQuestion): FailoverLink[] {
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
      text: 'spec.placement and the applied placement have different tolerations: the applied ones count until the scheduler has acted',
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
  const failover = question.binding.spec.failover?.cluster;
  const terms = { tolerations, ...(failover && { failover }) };
  const decision = taintDecision(taints, terms, question.now, evidence);
  const what = taints.map(({ key }: Taint) => key).join(', ');
  const stays = stayText(taints, terms);
  if (stays !== undefined && decision?.kind === 'stay')
    return [
      {
        id: 'active-migration',
        state: 'broken',
        text: `it stays: ${stays}`,
        fix: failover
          ? 'check the taint on the live Cluster; Karmada stamps it'
          : 'set failover.cluster in the policy',
        evidence,
      },
    ];
  switch (decision?.kind) {
    case undefined:
      return [];
    case 'evict':
      return [holdingLink('tolerations', `no toleration keeps it there: ${what} evicts at once`, evidence)];
    case 'wait':
      return [
        {
          id: 'tolerations',
          state: 'limits',
          text: `tolerates ${what} for ${formatDuration(Math.round(decision.milliseconds / 1000) * 1000)}, then leaves`,
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
            ? `tolerates ${what}, and the toleration never expires: the taint has no timeAdded`
            : `tolerates ${what} forever: Karmada never evicts it from a failed cluster`,
          fix: undated
            ? 'check the taint on the live Cluster; Karmada stamps it'
            : 'give the toleration tolerationSeconds in the policy, or remove it',
          evidence,
        },
      ];
    }
  }
}

/** Links with the same text for several clusters count once. */
function mergeEqual(links: FailoverLink[]): FailoverLink[] {
  return links.filter(
    ({ id, text }, index) => links.findIndex((other) => other.id === id && other.text === text) === index,
  );
}
