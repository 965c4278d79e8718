import type { WorkloadExplanation } from '../engine/explanation/workloadExplanation.ts';
import type { Answer, TextOptions } from './answer.ts';
import { assumptionText, type AnsweredAssumption } from './assumptions.ts';
import { chainText } from './explanation/chain.ts';
import { changesText } from './explanation/changes.ts';
import { decisionText } from './explanation/decision.ts';
import { explanationDocument } from './explanation/document.ts';
import { linksText } from './explanation/links.ts';
import { presentText } from './explanation/present.ts';
import { verdictText } from './explanation/verdict.ts';
import { whyClusterText } from './explanation/whyCluster.ts';
import { objectText } from './objectText.ts';
import { placementText } from './placement.ts';
import type { Style } from './style.ts';

export interface ExplanationInput {
  explanation: WorkloadExplanation;
  /** epoch milliseconds */
  now: number;
  karmadaVersion: string;
  assumptions: AnsweredAssumption[];
  /** the assumptions that people want to read about */
  worthSaying: (name: string) => boolean;
}

/** Why a workload is where it is and what becomes of it: first what happens, then why, then what is not sure. */
export function explanationAnswer(input: ExplanationInput): Answer {
  const { explanation, now, karmadaVersion, assumptions, worthSaying } = input;
  return {
    get document() {
      return explanationDocument(explanation, now, karmadaVersion, assumptions);
    },
    names: () => [`${explanation.workload.kind.toLowerCase()}/${explanation.workload.name}`],
    text(options) {
      const { style, noHeaders } = options;
      if (noHeaders) return decisionText(explanation, now, options);
      const sections = [
        presentText(explanation, now, style),
        `${chainText(explanation, now, options)}\n${endText(explanation, now, style)}`,
        changesText(explanation, style),
        ...explanation.why.map((why) => whyClusterText(why, explanation.decision.hypothetical, options)),
        explanation.attached ? '' : decisionText(explanation, now, options),
        linksText(explanation, options),
        dependenciesText(explanation, options),
        doubtsText(explanation, options),
        assumptionText(
          assumptions.filter(({ name }) => worthSaying(name)),
          style,
          options.wide,
        ),
      ];
      return sections.filter((section) => section !== '').join('\n\n');
    },
  };
}

function endText({ attached, verdict }: WorkloadExplanation, now: number, style: Style): string {
  const text = verdictText(verdict, now, style);
  return attached
    ? `${text}\n  It goes where what requires it goes, at once and without an eviction of its own.`
    : text;
}

/** What moves with it, and what needs it. */
function dependenciesText({ dependencies }: WorkloadExplanation, { style, wide }: TextOptions): string {
  const { propagateDeps, follow, missing, requiredBy } = dependencies;
  const lines: string[] = [];
  const own = follow.filter(({ ownClusters }) => ownClusters.length > 0);
  if (follow.length > 0)
    lines.push(
      `Follow it at once, without an eviction task: ${follow.map((one) => objectText(one.workload)).join(', ')}.`,
    );
  for (const { workload, ownClusters } of own)
    lines.push(`${objectText(workload)} stays on ${placementText(ownClusters)} too, by its own policy.`);
  if (missing.length > 0)
    lines.push(
      style.warn(`Needed, but without a binding in the state: ${missing.map(objectText).join(', ')}.`),
    );
  if (requiredBy.length > 0) lines.push(`Goes where these go: ${requiredBy.map(objectText).join(', ')}.`);
  if (!propagateDeps && wide && requiredBy.length === 0)
    lines.push(
      'Nothing follows it: propagateDeps is not set, so what it needs moves by policies of its own.',
    );
  return lines.join('\n');
}

function doubtsText({ doubts }: WorkloadExplanation, { style, wide }: TextOptions): string {
  return doubts
    .map(({ certainty, what, missing }) => {
      const settle = missing && (wide || certainty === 'unknown') ? ` (${missing})` : '';
      return style.warn(`${certainty === 'unknown' ? 'Unknown' : 'Estimated'}: ${what}${settle}`);
    })
    .join('\n');
}
