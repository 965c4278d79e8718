import type { Cure, CuredFinding } from '../../analysis/findings/state/diagnose.ts';
import type { Severity } from '../../analysis/findings/finding.ts';
import type { NextStep, Remedy, StateFinding } from '../../analysis/findings/state/stateCheck.ts';
import { shellWord } from '../../kubernetes/escaping.ts';
import type { TreeNode, Words } from '../../presentation/model.ts';
import { asBad, asFaint, asStrong, asWarning } from '../../presentation/words.ts';
import { givenText, patchCommand } from '../explanation/changes.ts';
import { resourceName } from '../words/names.ts';
import { kubectlText } from '../words/nextStep.ts';

/** The karmada-failover command for a finding's next step; undefined: no command can be typed here. */
export interface CommandOf {
  (step: NextStep): string | undefined;
  /** a kubectl command, for the control plane of the finding */
  kubectl?: (words: readonly string[]) => string;
}

/** A finding of a control plane for json and yaml. */
export function findingDocument(
  { remedy, changes, unsimulated, ...finding }: CuredFinding,
  commandOf: CommandOf,
) {
  return {
    ...finding,
    ...(remedy && {
      remedy: {
        text: remedy.text,
        ...(remedy.refuted !== undefined && { refuted: remedy.refuted }),
        commands: commandsOf(remedy, commandOf),
        ...(remedy.patches && { patches: remedy.patches }),
      },
    }),
    ...(unsimulated && { unsimulated }),
    ...(changes && { changes }),
  };
}

const TONES = { error: asBad, warning: asWarning, note: asFaint };

/** A severity in its tone. */
export function severityTone(severity: Severity): Words {
  return TONES[severity](severity);
}

/** The problem, then the evidence if requested, and the remedy, which `cured` tries when it is shown. */
export function findingNode(
  finding: StateFinding,
  cured: Cure,
  commandOf: CommandOf,
  wide: boolean,
): TreeNode {
  const { severity, message, check, evidence } = finding;
  const above = wide ? evidence.map((one) => ({ words: asFaint(evidenceText(one)) })) : [];
  return {
    mark: severityTone(severity),
    words: [message, ' ', asFaint(`[${check}]`)],
    get children() {
      return [...above, ...remedyNodes(cured(finding), commandOf)];
    },
    get outline() {
      return [...above, ...remedyNodes({ ...finding, unsimulated: false }, commandOf)];
    },
  };
}

function evidenceText({ rule, object, field, value }: StateFinding['evidence'][number]): string {
  const shown = value === undefined ? '' : shortened(JSON.stringify(value));
  return [object ? resourceName(object) : '', field ?? '', shown, rule]
    .filter((part) => part !== '')
    .join('  ');
}

function remedyNodes(
  { check, remedy, changes, unsimulated }: CuredFinding,
  commandOf: CommandOf,
): TreeNode[] {
  const [change] = changes ?? [];
  if (unsimulated)
    return [{ words: NOT_SIMULATED }, ...commandNodes([commandOf({ action: 'diagnose', check })])];
  if (change) {
    const words = toDo(`${change.text}: then ${givenText(change)}`);
    return [
      { words },
      ...commandNodes(change.patches.map((patch) => patchCommand(patch, commandOf.kubectl))),
    ];
  }
  return remedy ? [{ words: remedyWords(remedy) }, ...commandNodes(commandsOf(remedy, commandOf))] : [];
}

function commandNodes(commands: readonly (string | undefined)[]): TreeNode[] {
  return commands.flatMap((text) => (text === undefined ? [] : [{ words: { type: 'command', text } }]));
}

/** In place of a remedy that has to be simulated before it is shown. */
export const NOT_SIMULATED: Words = [asStrong('remedy not simulated:'), ' too many bindings; to simulate it'];

const toDo = (text: string): Words => [asStrong('to do:'), ' ', text];

/** The remedy; or the refuted remedy, and the simulation's result against it. */
export function remedyWords({ text, refuted }: Remedy): Words {
  return refuted === undefined ? toDo(text) : [asStrong('tried:'), ` ${text}; simulated, ${refuted}`];
}

/** The start of a long value. */
function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** The commands of a remedy, as typed. */
export function commandsOf(remedy: Remedy | undefined, commandOf: CommandOf): string[] {
  if (!remedy) return [];
  const { kubectl } = commandOf;
  const next = remedy.next && commandOf(remedy.next);
  return [
    ...(remedy.patches ?? []).map((patch) => patchCommand(patch, kubectl)),
    ...(remedy.commands ?? []).map((words) => kubectlText(words, kubectl)),
    // after the commands, which need the webhook to accept them
    ...(remedy.creates ?? []).map(
      (object) =>
        `echo ${shellWord(JSON.stringify(object))} | ${kubectlText(['kubectl', 'create', '-f', '-'], kubectl)}`,
    ),
    ...(next === undefined ? [] : [next]),
  ];
}
