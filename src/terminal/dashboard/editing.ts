import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import type { Place } from '../../views/dashboard/place.ts';
import type { PolicyEdit, WhatIf } from '../../views/dashboard/whatIf.ts';
import { objectText } from '../../views/words/names.ts';
import type { DashboardState } from './state.ts';

/** An editable policy: as in the state, and as edited so far. */
export interface Editable {
  target: ObjectIdentity;
  original: string;
  text: string;
}

/** Whether an edited text is valid. Without an edit, the state's own policy. */
export type EditVerdict = { edit?: PolicyEdit | undefined } | { problem: string };

/** The source of policies, which also validates them. */
export interface PolicySource {
  /** the policy at a place, or the one that places its workload; `why`: the reason that none can be edited */
  editable(place: Place, edits: WhatIf['edits']): Promise<Editable | { why: string }>;
  judge(edited: Editable): Promise<EditVerdict>;
}

/** Opens an editor for a text with this name; `why`: the reason that it failed. */
export type Editor = (name: string, text: string) => Promise<{ text: string } | { why: string }>;

/**
 * Opens an editor for the policy at a place, repeatedly while it is invalid, as kubectl edit does. Resolves with its
 * effect on the dashboard's state.
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
        problem === undefined ? 'Nothing was changed.' : `Aborted; nothing was changed: ${problem}`,
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
  const note = edit ? `${name} is edited; w shows the effect` : `${name} is unchanged.`;
  return { ...state, marks: { ...state.marks, edits }, note };
}

/** The header above the text; each line is a comment. */
function comment(name: string, problem: string | undefined): string {
  const lines = [
    `${name}, for a what-if. Nothing is written to the control plane.`,
    'Lines above the first field are ignored; save nothing, or an empty file, and nothing changes.',
    ...(problem === undefined ? [] : ['', ...problem.split('\n')]),
  ];
  return `${lines.map((line) => `# ${line}`.trimEnd()).join('\n')}\n#\n`;
}

/** A text without the comments above it. */
function withoutComment(text: string): string {
  return text.replace(/^(?:#[^\n]*\n?|[ \t]*\n)*/, '');
}
