import type { WorkloadExplanation } from '../../analysis/explanation/workloadExplanation.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { warn } from '../../presentation/words.ts';
import type { Answer, Shown } from '../answer.ts';
import { assumptionBlocks, type AnsweredAssumption } from '../assumptions.ts';
import { chainBlocks } from './chain.ts';
import { changesBlocks } from './changes.ts';
import { decisionBlocks } from './decision.ts';
import { explanationDocument } from './document.ts';
import { linksBlocks } from './links.ts';
import { presentBlock } from './present.ts';
import { lossBlock, verdictBlocks } from './verdict.ts';
import { whyClusterBlock } from './whyCluster.ts';
import { lineBlocks } from '../words/inLines.ts';
import { objectText } from '../words/objectText.ts';
import { placementText } from '../words/placement.ts';
import { resourceName } from '../words/resourceName.ts';

export interface ExplanationInput {
  explanation: WorkloadExplanation;
  /** epoch milliseconds */
  now: number;
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
  /** whether an assumption is worth a mention to people */
  worthSaying: (name: string) => boolean;
}

/** Why a workload runs where it does, and what becomes of it: first what happens, then why, then what is uncertain. */
export function explanationAnswer(input: ExplanationInput): Answer {
  const { explanation, now, karmadaVersion, assumptions, worthSaying } = input;
  return {
    get document() {
      return explanationDocument(explanation, now, karmadaVersion, assumptions);
    },
    names: () => [resourceName(explanation.workload)],
    presentation(shown) {
      if (shown.noHeaders) return { blocks: decisionBlocks(explanation, now, shown) };
      return {
        blocks: [
          presentBlock(explanation, now),
          section([...chainBlocks(explanation, now, shown), ...endBlocks(explanation, now)]),
          ...changesBlocks(explanation),
          ...explanation.why.map((why) => whyClusterBlock(why, explanation.decision.hypothetical, shown)),
          ...(explanation.attached ? [] : decisionBlocks(explanation, now, shown)),
          ...linksBlocks(explanation, shown),
          section(lineBlocks(dependencyLines(explanation, shown))),
          section(lineBlocks(doubtLines(explanation, shown))),
          ...assumptionBlocks(
            assumptions.filter(({ name }) => worthSaying(name)),
            shown,
          ),
        ],
      };
    },
  };
}

const section = (blocks: Block[]): Block => ({ type: 'section', blocks });

function endBlocks({ attached, verdict, ifItFails = [] }: WorkloadExplanation, now: number): Block[] {
  const blocks: Block[] = [...verdictBlocks(verdict, now), ...ifItFails.map(lossBlock)];
  if (!attached) return blocks;
  const words = 'It follows the objects that require it, at once and without an eviction of its own.';
  return [...blocks, { type: 'section', inset: true, blocks: [{ type: 'paragraph', words }] }];
}

/** What moves with it, and what needs it. */
function dependencyLines({ dependencies }: WorkloadExplanation, { wide }: Shown): Words[] {
  const { propagateDeps, follow, missing, requiredBy } = dependencies;
  const lines: Words[] = [];
  const own = follow.filter(({ ownClusters }) => ownClusters.length > 0);
  if (follow.length > 0)
    lines.push(
      `Follow it at once, without an eviction task: ${follow.map((one) => objectText(one.workload)).join(', ')}.`,
    );
  for (const { workload, ownClusters } of own)
    lines.push(`${objectText(workload)} stays on ${placementText(ownClusters)} too, by its own policy.`);
  if (missing.length > 0)
    lines.push(warn(`Needed, but without a binding in the state: ${missing.map(objectText).join(', ')}.`));
  if (requiredBy.length > 0)
    lines.push(`It follows these objects: ${requiredBy.map(objectText).join(', ')}.`);
  if (!propagateDeps && wide && requiredBy.length === 0)
    lines.push(
      'Nothing follows it: propagateDeps is not set, so the objects that it needs move by their own policies.',
    );
  return lines;
}

function doubtLines({ doubts }: WorkloadExplanation, { wide }: Shown): Words[] {
  const lines = doubts.map(({ certainty, what, missing }) => {
    const settle = missing && (wide || certainty === 'unknown') ? ` (${missing})` : '';
    return `${certainty === 'unknown' ? 'Unknown' : 'Estimated'}: ${what}${settle}`;
  });
  // several steps may rest on the same doubt
  return [...new Set(lines)].map((line) => warn(line));
}
