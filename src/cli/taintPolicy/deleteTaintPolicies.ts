import type { SavedDeletion } from '../../state/plan/deletionPlanFile.ts';
import { printNote } from '../../terminal/messages.ts';
import { noteReplaced } from '../noteReplaced.ts';
import { writeToStdout } from '../../terminal/stdout.ts';
import { openStateToRead, type OpenedState } from '../../useCases/state/openState.ts';
import {
  isPolicy,
  knownPolicy,
  policyName,
  withoutKind,
} from '../../useCases/taintPolicy/explainPolicies.ts';
import { jsonText } from '../../views/forms/jsonText.ts';
import { commandLine, connectionWords } from '../commandLine.ts';
import type { GivenFlags } from '../givenFlags.ts';
import { connectionFlags } from '../connectionFlags.ts';
import { UserError } from '../errors.ts';
import { EXIT_OK } from '../exitCodes.ts';
import { planAgain } from '../flagNames.ts';
import { stateRequest } from '../stateRequest.ts';
import { checkChangeFlags, type deleteFlags } from './changeFlags.ts';
import { atCommandLine, type Conversation } from './conversation.ts';
import { runChange, type ChangeFlags, type ChangeOptions } from './runChange.ts';

type DeleteFlags = ChangeFlags & GivenFlags<typeof deleteFlags>;

/** Deletes the ClusterTaintPolicies with these names, or those of a saved plan. Returns the exit code. */
export async function deleteTaintPolicies(
  given: readonly string[],
  flags: DeleteFlags,
  talk: Conversation = atCommandLine(flags),
): Promise<number> {
  const { ports } = talk;
  if (given.length === 0 && flags.plan === undefined)
    throw new UserError('no policy given; name one, as in: taint-policy delete NAME');
  checkChangeFlags(flags);
  checkOut(flags);
  const saved = flags.plan === undefined ? undefined : await savedPlan(flags.plan, given, flags);
  const state = await openStateToRead(stateRequest(flags), ports);
  if (state.server) talk.read?.(state.server);
  try {
    const names = saved
      ? saved.basis.policies.map(({ metadata }) => metadata.name)
      : askedNames(given, flags, state);
    // kubectl prints nothing then either
    if (names.length === 0 && flags.output === undefined && flags['save-state'] === undefined) return EXIT_OK;
    const change = {
      action: 'delete',
      written: [],
      applied: [],
      deleted: names,
      manifests: new Map(),
      refusals: [],
    } as const;
    return await runChange(
      state,
      change,
      flags,
      {
        fieldManager: 'karmada-failover',
        force: false,
        saved,
        ...outOptions(flags),
      },
      talk,
    );
  } finally {
    state.server?.close();
  }
}

function askedNames(given: readonly string[], flags: DeleteFlags, { world }: OpenedState): string[] {
  const asked = withoutKind(given).filter((name) => !flags['ignore-not-found'] || isPolicy(name, world));
  return [...new Set(asked.map((name) => knownPolicy(name, world)))];
}

function checkOut({ out, state, output, 'dry-run': dryRun }: DeleteFlags): void {
  if (out !== '-') return;
  if ((state === undefined && dryRun !== 'client') || output !== undefined)
    throw new UserError(
      '--out - prints the plan and nothing else; give --dry-run=client and leave -o out, or name a file',
    );
}

/** The saved plan. Throws a UserError if arguments or flags contradict it. */
async function savedPlan(path: string, given: readonly string[], flags: DeleteFlags): Promise<SavedDeletion> {
  const contradicting = [
    ...(flags['with-taints'] ? ['--with-taints'] : []),
    ...(flags.accept ?? []).map((risk) => `--accept ${risk}`),
    ...(flags['ignore-not-found'] ? ['--ignore-not-found'] : []),
  ];
  if (contradicting.length > 0)
    throw new UserError(
      `--plan already sets the policies and options; leave out ${contradicting.join(', ')}, or ${planAgain(...contradicting)} instead`,
    );
  const { readDeletionPlan } = await import('../../state/plan/deletionPlanFile.ts');
  const saved = await readDeletionPlan(path);
  const planned = saved.basis.policies.map(({ metadata }) => metadata.name);
  const names = [...new Set(withoutKind(given).map(policyName))];
  if (names.length > 0 && names.sort().join() !== planned.toSorted().join())
    throw new UserError(
      `--plan ${path} deletes ${planned.join(', ')}, not ${names.join(', ')}; leave the names out, or give the plan of these`,
    );
  return saved;
}

function outOptions(flags: DeleteFlags): Pick<ChangeOptions, 'onPlan' | 'quiet'> {
  const { out } = flags;
  if (out === undefined) return {};
  return {
    quiet: out === '-',
    async onPlan(document, isRefused) {
      const { writePlanFile } = await import('../../state/plan/planText.ts');
      if (await writePlanFile(out, jsonText(document), writeToStdout)) noteReplaced(out);
      if (out === '-') return;
      if (isRefused) return printNote(`The plan is in ${out}. It is refused, so it cannot be executed.`);
      const words = ['taint-policy', 'delete', '--plan', out, ...connectionWords(flags, connectionFlags)];
      printNote(`The plan is in ${out}. To execute it: ${commandLine(words)}`);
    },
  };
}
