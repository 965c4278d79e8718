import type { Cluster } from '../../../karmada/api/cluster.ts';
import type { Taint, Toleration } from '../../../karmada/api/meta.ts';
import type { ResourceBinding } from '../../../karmada/api/work.ts';
import { APPLIED_PLACEMENT_ANNOTATION } from '../../../karmada/api/names.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { formatDuration } from '../../../kubernetes/time.ts';
import type { Evidence } from '../../../karmada/evidence.ts';
import { appliedPlacement } from '../../../karmada/objects/appliedPlacement.ts';
import { stayText, taintDecision } from '../../../karmada/taints/evictionTerms.ts';
import { holds, type FailoverLink, type LinkQuestion } from './link.ts';
import { expectedTaints } from './taintLinks.ts';

const annotationField = `metadata.annotations["${APPLIED_PLACEMENT_ANNOTATION}"]`;

/** The taint manager takes tolerations from what the scheduler applied last, and fails if that is missing. */
export function appliedPlacementLink({ metadata }: ResourceBinding): FailoverLink {
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
          ? 'look at the taint on the live Cluster; Karmada stamps it'
          : 'set failover.cluster in the policy',
        evidence,
      },
    ];
  switch (decision?.kind) {
    case undefined:
      return [];
    case 'evict':
      return [holds('tolerations', `no toleration keeps it there: ${what} evicts at once`, evidence)];
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
            ? `tolerates ${what}, and no clock runs: the taint has no timeAdded`
            : `tolerates ${what} forever: it stays on a cluster that fails`,
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
