import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Place } from '../../views/dashboard/place.ts';
import type { PolicyEdit, WhatIf } from '../../views/dashboard/whatIf.ts';
import { objectText } from '../../views/words/names.ts';
import type { DashboardState } from './state.ts';

/** A policy that can be edited: as it is in the state, and as it is after its edit so far. */
export interface Editable {
  target: ObjectIdentity;
  original: string;
  text: string;
}

/** Whether an edited text would do. Without an edit it says what the state says. */
export type EditVerdict = { edit?: PolicyEdit | undefined } | { problem: string };

/** Who knows policies, and what may stand in them. */
export interface PolicySource {
  /** the policy at a place, or of the workload there; `why` there is none to edit */
  editable(place: Place, edits: WhatIf['edits']): Promise<Editable | { why: string }>;
  judge(edited: Editable): Promise<EditVerdict>;
}

/** Lets somebody edit a text of this name; `why` it could not be edited. */
export type Editor = (name: string, text: string) => Promise<{ text: string } | { why: string }>;

/**
 * Lets somebody edit the policy at a place, again and again while something is wrong with it, as kubectl edit does.
 * Resolves with the outcome of the state then.
 */
export async function editPolicy(
  place: Place,
  { marks }: Pick<DashboardState, 'marks'>,
  source: PolicySource,
  editor: Editor,
): Promise<(state: DashboardState) => DashboardState> {
  const found = await source.editable(place, marks.edits);
  if ('why' in found) return noting(found.why);
  const name = objectText(found.target);
  let { text } = found;
  let problem: string | undefined;
  for (;;) {
    const edited = await editor(found.target.name, `${comment(name, problem)}${text}`);
    if ('why' in edited) return noting(edited.why);
    const after = withoutComment(edited.text);
    if (after.trim() === '' || after === text)
      return noting(
        problem === undefined ? 'Nothing was changed.' : `Given up, nothing was changed: ${problem}`,
      );
    text = after;
    const verdict = await source.judge({ ...found, text });
    if (!('problem' in verdict)) return (state) => withEdit(state, found.target, verdict.edit);
    ({ problem } = verdict);
  }
}

function noting(note: string): (state: DashboardState) => DashboardState {
  return (state) => ({ ...state, note });
}

function withEdit(
  state: DashboardState,
  target: ObjectIdentity,
  edit: PolicyEdit | undefined,
): DashboardState {
  const name = objectText(target);
  const others = state.marks.edits.filter((one) => objectText(one.target) !== name);
  const edits = edit ? [...others, edit] : others;
  const note = edit ? `${name} is edited; w shows what it changes` : `${name} is as it was.`;
  return { ...state, marks: { ...state.marks, edits }, note };
}

/** What stands above the text; each line is a comment. */
function comment(name: string, problem: string | undefined): string {
  const lines = [
    `${name}, to see what if. Nothing is written to the control plane.`,
    'Lines above the first field are ignored; save nothing, or an empty file, and nothing changes.',
    ...(problem === undefined ? [] : ['', ...problem.split('\n')]),
  ];
  return `${lines.map((line) => `# ${line}`.trimEnd()).join('\n')}\n#\n`;
}

/** A text without the comment above it. */
function withoutComment(text: string): string {
  return text.replace(/^(?:#[^\n]*\n?|[ \t]*\n)*/, '');
}
