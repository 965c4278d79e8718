import type { DatedBasis } from '../../karmada/configuration/assumptions.ts';
import { documentSummary } from '../documentSummary.ts';
import type {
  EvictionActionName,
  EvictionActionResult,
} from '../../analysis/evictionAction/actionOutcome.ts';
import type { Block, TreeNode } from '../../presentation/model.ts';
import { rfc3339 } from '../../kubernetes/time.ts';
import { inOrder, type Answer, type Shown } from '../answer.ts';
import { dryRunSuffix, type DryRun } from '../words/dryRunSuffix.ts';
import { evidenceWords } from '../words/evidence.ts';
import { resourceName, workloadName } from '../words/names.ts';
import { nextStep } from '../words/nextStep.ts';

interface EvictionActionListInput extends DatedBasis {
  action: EvictionActionName;
  dryRun: DryRun;
  results: EvictionActionResult[];
  /** all results, once there are no more: the next command concerns them */
  ended?: readonly EvictionActionResult[];
}

const DONE: Record<EvictionActionName, string> = {
  hold: 'held',
  release: 'released',
  cancel: 'cancelled',
  complete: 'completed',
};

/** The results of actions on evictions, one line each, as kubectl prints; failures are on stderr. */
export function evictionActionList(input: EvictionActionListInput): Answer {
  const { action, dryRun, results, now, karmadaVersion, assumptions } = input;
  const done = results.filter(wasDone);
  return {
    document: {
      kind: 'EvictionActionList',
      schemaVersion: 'v1',
      karmadaVersion,
      now: rfc3339(now),
      action,
      dryRun,
      assumptions,
      summary: documentSummary({ evictions: results }, { results: results.map(({ result }) => result) }),
      items: results.map(itemOf),
    },
    list: {
      field: 'items',
      inOrder: (positions) => evictionActionList({ ...input, results: inOrder(results, positions) }),
    },
    names: () => done.map(({ action: { binding } }) => resourceName(binding)),
    presentation: (shown) => ({
      blocks: [
        { type: 'tree', nodes: done.map((one) => node(one, input, shown.wide)) },
        ...(shown.noHeaders ? [] : nextSteps(input, shown)),
      ],
    }),
  };
}

/** The eviction as it is now; after its end, the workload. */
function nextSteps({ action, ended = [] }: EvictionActionListInput, shown: Shown): Block[] {
  const [first, ...others] = ended.filter(wasDone);
  if (!first) return [];
  const [command, all] =
    action === 'hold' || action === 'release'
      ? [
          ['eviction', 'inspect'],
          ['eviction', 'inspect'],
        ]
      : [['explain'], ['status']];
  return nextStep(others.length === 0 ? [...command, workloadName(first.action.workload)] : all, shown);
}

function node(
  { action: one, result }: EvictionActionResult,
  { action, dryRun }: EvictionActionListInput,
  wide: boolean,
): TreeNode {
  const verb = result === 'unchanged' ? 'unchanged' : DONE[action];
  const dry = result === 'unchanged' ? '' : dryRunSuffix[dryRun];
  const words = `${resourceName(one.binding)} ${verb}${inNamespace(one.binding)}${dry}: ${one.next}`;
  if (!wide) return { words };
  return { words, children: one.evidence.map((each) => ({ words: evidenceWords(each, one.binding) })) };
}

/** Why an action failed, in one line for stderr; undefined if it was done. */
export function evictionActionError({
  action: one,
  result,
  message,
}: EvictionActionResult): string | undefined {
  if (wasDone({ action: one, result })) return undefined;
  return `${resourceName(one.binding)} not ${DONE[one.action]}${inNamespace(one.binding)}: ${message ?? one.next}`;
}

/** Warnings about an action, one line each for stderr. */
export function evictionActionWarnings({ action: { binding, warnings } }: EvictionActionResult): string[] {
  return warnings.map((warning) => `${resourceName(binding)}${inNamespace(binding)}: ${warning}`);
}

function wasDone({ result }: EvictionActionResult): boolean {
  return result === 'changed' || result === 'planned' || result === 'unchanged';
}

function itemOf({ action, result, message }: EvictionActionResult) {
  const {
    action: _,
    verdict: __,
    after: ___,
    affinityName,
    risk,
    clusters,
    warnings,
    evidence,
    ...rest
  } = action;
  return {
    ...rest,
    result,
    message: message ?? null,
    risk: risk ?? null,
    affinityName: affinityName ?? null,
    clusters,
    warnings,
    evidence,
  };
}

function inNamespace({ namespace }: EvictionActionResult['action']['binding']): string {
  return namespace ? ` in ${namespace}` : '';
}
