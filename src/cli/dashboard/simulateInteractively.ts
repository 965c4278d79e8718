import { NO_CHANGES, type WhatIf } from '../../views/dashboard/whatIf.ts';
import { UserError } from '../errors.ts';
import { selectionFlags, sourceFlags, stateFlags } from '../flags.ts';
import { readScenario } from '../scenario/namedFiles.ts';
import { scenarioFlags, type ScenarioFlags } from '../scenario/scenarioFlags.ts';
import { scenarioRequest } from '../scenario/scenarioRequest.ts';
import { selectionFromFlags, type SelectionFlags } from '../selection.ts';
import { subjectAndDelay } from '../targets.ts';
import { needTerminal } from './needTerminal.ts';
import { showDashboard, type DashboardFlags } from './showDashboard.ts';

/** Flags for the events and the shown workloads, but not for saving the final state. */
const { 'save-state': _saved, ...happening } = scenarioFlags;
const { namespace: _namespace, 'all-namespaces': _all, ...selecting } = selectionFlags;
const GIVEN = Object.keys({ ...happening, ...selecting });
const TAKEN: ReadonlySet<string> = new Set([
  ...['interactive', 'namespace', 'all-namespaces', ...GIVEN],
  ...Object.keys({ ...stateFlags, ...sourceFlags }),
]);

type InteractiveFlags = DashboardFlags & ScenarioFlags & SelectionFlags & { scenario?: string | undefined };

/**
 * Opens the dashboard on the outcome page of a simulation. `root` is the package's directory. Resolves with the exit
 * code; throws a UserError for flags of printing or saving.
 */
export async function simulateInteractively(flags: InteractiveFlags, root: string): Promise<number> {
  const more = Object.entries(flags).find(
    ([name, value]) => value !== undefined && value !== false && !TAKEN.has(name),
  );
  if (more) throw new UserError(`--interactive shows the result on a screen; leave --${more[0]} out`);
  for (const flag of ['apply', 'scenario', 'state'] as const)
    if ([flags[flag] ?? []].flat().includes('-'))
      throw new UserError(`--${flag} -: --interactive takes keys from stdin; name a file`);
  needTerminal('--interactive', 'leave it out, and add --timeline for every step');
  const words = givenWords(flags);
  const marks = marksOf(flags);
  if (marks) return showDashboard(flags, root, { whatIf: marks });
  const given = {
    request: await scenarioRequest(flags),
    opened: await readScenario(flags.scenario),
    // the dashboard filters namespaces itself
    selection: selectionFromFlags({ ...flags, namespace: undefined }),
  };
  return showDashboard(flags, root, { whatIf: { ...NO_CHANGES, given: words }, given });
}

/** The clusters that fail now, as marks, if no other events are given: marks can be removed and explained. */
function marksOf(flags: InteractiveFlags): WhatIf | undefined {
  const names = Object.entries(flags).flatMap(([name, value]) =>
    GIVEN.includes(name) && value !== undefined ? [name] : [],
  );
  if (names.some((name) => name !== 'fail')) return undefined;
  const failing = (flags.fail ?? []).map((given) => subjectAndDelay('--fail', given));
  if (failing.some(({ after }) => after > 0)) return undefined;
  return { ...NO_CHANGES, failing: failing.map(({ subject }) => subject) };
}

/** The command-line words for the events. */
function givenWords(flags: InteractiveFlags): string[] {
  return Object.entries(flags).flatMap(([name, value]) =>
    GIVEN.includes(name)
      ? [(value as string | string[] | undefined) ?? []].flat().flatMap((one) => [`--${name}`, one])
      : [],
  );
}
