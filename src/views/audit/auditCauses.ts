import type { Audit } from '../../analysis/audit/audit.ts';
import type { AuditedCause } from '../../analysis/audit/auditedCauses.ts';
import type { Cures } from '../../analysis/audit/cures.ts';
import type { Block, TreeNode } from '../../presentation/model.ts';
import type { Shown } from '../answer.ts';
import { plural } from '../words/amounts.ts';
import { givenText, patchCommand } from '../explanation/changes.ts';
import { shortWorkloadName } from '../words/names.ts';
import { causeText, benefitText, troubleWords } from './auditWords.ts';
import type { AuditInput } from './auditInput.ts';

/** "2 workloads lost: no other cluster", and a change that would help one of them. */
export function causeBlocks({ audit }: AuditInput, { kubectl }: Shown): Block[] {
  if (audit.causes.length === 0) return [];
  const title = 'Causes, and what would help:';
  // the column WHY shows the causes, too
  return [
    {
      type: 'section',
      detail: 'what would help',
      blocks: [{ type: 'section', title, blocks: causeTree(audit, kubectl) }],
    },
  ];
}

/** The causes of trouble, each with the changes that would help one of its workloads. */
export function causeTree({ causes }: Audit, kubectl?: Shown['kubectl']): Block[] {
  return causes.length === 0
    ? []
    : [{ type: 'tree', nodes: causes.map((cause) => causeNode(cause, kubectl)) }];
}

function causeNode(cause: AuditedCause, kubectl: Shown['kubectl']): TreeNode {
  const { workloads, trouble, cures } = cause;
  return {
    mark: '-',
    words: [plural(workloads.length, 'workload'), ' ', troubleWords(trouble), `: ${causeText(cause)}`],
    children: cures ? cureNodes(cures, kubectl) : [],
  };
}

/** Each change that would help a workload, with its patches as commands. */
export function cureNodes({ workload, contingency, changes }: Cures, kubectl?: Shown['kubectl']): TreeNode[] {
  const name = shortWorkloadName(workload);
  if (changes.length === 0)
    return [{ mark: '-', words: `${name}, if ${contingency} fails: none of the tried changes helps` }];
  return changes.map(({ text, patches, best, ...change }) => ({
    mark: '-',
    words: `${name}, if ${contingency} fails: ${text}; then ${givenText(change)}${changes.length > 1 ? ` (${best.map(benefitText).join(', ')})` : ''}`,
    children: patches.map((patch) => ({ words: { type: 'command', text: patchCommand(patch, kubectl) } })),
  }));
}
