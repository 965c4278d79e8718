import { documentSummary } from './documentSummary.ts';
import type { Cluster } from '../karmada/api/cluster.ts';
import { formatTaint } from '../kubernetes/tolerations.ts';
import { dryRunSuffix, type DryRun } from './words/dryRunSuffix.ts';
import type { Block } from '../presentation/model.ts';
import { inOrder, type Answer, type Shown } from './answer.ts';
import { lineBlocks } from '../presentation/words.ts';
import { nextStep } from './words/nextStep.ts';
import { resourceName } from './words/names.ts';

export interface CordonListInput {
  action: 'cordon' | 'uncordon';
  dryRun: DryRun;
  results: { cluster: Cluster; changed: boolean; warnings: string[] }[];
}

/** The results of changing clusters, one line each, as kubectl prints for nodes. */
export function cordonList(input: CordonListInput): Answer {
  const { action, dryRun, results } = input;
  return {
    document: {
      kind: 'CordonList',
      schemaVersion: 'v1',
      action,
      dryRun,
      summary: documentSummary({ clusters: results, changed: results.filter(({ changed }) => changed) }),
      items: results.map(({ cluster, changed, warnings }) => ({
        name: cluster.metadata.name,
        changed,
        taints: (cluster.spec?.taints ?? []).map(formatTaint),
        warnings,
      })),
    },
    list: {
      field: 'items',
      inOrder: (positions) => cordonList({ ...input, results: inOrder(results, positions) }),
    },
    names: () => results.map(({ cluster }) => clusterName(cluster)),
    presentation(shown) {
      const lines = results.map(({ cluster, changed }) => {
        const name = clusterName(cluster);
        return changed ? `${name} ${action}ed${dryRunSuffix[dryRun]}` : `${name} already ${action}ed`;
      });
      return {
        blocks: [
          { type: 'section', blocks: lineBlocks(lines) },
          ...(shown.noHeaders ? [] : nextSteps(input, shown)),
        ],
      };
    },
  };
}

/** The plan of a drain, or the state of uncordoned clusters. */
function nextSteps({ action, results }: CordonListInput, shown: Shown): Block[] {
  const names = results.map(({ cluster }) => cluster.metadata.name);
  if (action === 'cordon') return nextStep(['drain', ...names, shown.names.planOnly], shown);
  return nextStep(['status', ...(names.length === 1 ? names : [])], shown);
}

function clusterName({ metadata: { name } }: Cluster): string {
  return resourceName({ kind: 'Cluster', name });
}
