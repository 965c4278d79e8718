import { commandLine, withoutDryRun } from '../commandLine.ts';
import { unverified } from '../../karmada/configuration/assumptions.ts';
import {
  deletionBasis,
  deletionDrift,
  withPlannedPolicies,
} from '../../analysis/taintPolicy/deletionPlan.ts';
import type { World } from '../../karmada/world.ts';
import type { ClusterTaintPolicy } from '../../karmada/api/policy.ts';
import type { SavedDeletion } from '../../state/plan/deletionPlanFile.ts';
import type { Manifest } from '../../state/manifests/readManifests.ts';
import type { LiveState, OpenedState } from '../../useCases/state/openState.ts';
import { planPolicyChange, stateAfterChange } from '../../useCases/taintPolicy/planPolicyChange.ts';
import {
  awaitEffect,
  writePolicyChange,
  type MadeWrite,
} from '../../useCases/taintPolicy/writePolicyChange.ts';
import { formatPlace } from '../../views/words/names.ts';
import { listed } from '../../views/words/amounts.ts';
import {
  type TaintPolicyChangeInput,
  deletionDriftText,
  taintPolicyChangeAnswer,
} from '../../views/taintPolicy/taintPolicyChange.ts';
import { refusalLine, type ReportedRefusal } from '../../views/taintPolicy/riskWords.ts';
import type { DryRun } from '../flags.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_NOT_FINISHED, EXIT_OK } from '../exitCodes.ts';
import { planAgain } from '../flagNames.ts';
import type { GivenFlags } from '../givenFlags.ts';
import { writeSnapshot } from '../writeSnapshot.ts';
import type { changeFlags } from './changeFlags.ts';
import { atCommandLine, type Conversation } from './conversation.ts';
import { reportedRisks, type RiskAcceptance } from './reportedRisks.ts';

export interface RequestedChange {
  action: 'apply' | 'delete';
  /** the policies as written in the files; these are sent to the control plane */
  written: readonly ClusterTaintPolicy[];
  /** the policies after the change; the plan uses these */
  applied: readonly ClusterTaintPolicy[];
  deleted: readonly string[];
  manifests: ReadonlyMap<string, Manifest>;
  /** the control plane's own refusals */
  refusals: readonly MadeWrite[];
}

export interface ChangeFlags extends GivenFlags<typeof changeFlags> {
  'dry-run': DryRun;
  /** the words after the command's name, as typed; absent: on a screen */
  typed?: readonly string[] | undefined;
}

export interface ChangeOptions {
  fieldManager: string;
  force: boolean;
  /** milliseconds; absent: do not wait */
  waitFor?: number | undefined;
  /** a saved plan to carry out, if still valid; absent: the change by flags */
  saved?: SavedDeletion | undefined;
  /** receives the plan as a document, before any question or write */
  onPlan?: ((document: object, isRefused: boolean) => Promise<void>) | undefined;
  /** prints nothing except through `onPlan` */
  quiet?: boolean | undefined;
}

/**
 * Plans a change, shows the plan, asks or refuses, carries it out, and reports the result. For files, only shows the
 * plan. Returns the exit code.
 */
export async function runChange(
  state: OpenedState,
  change: RequestedChange,
  flags: ChangeFlags,
  options: ChangeOptions,
  talk: Conversation = atCommandLine(flags),
): Promise<number> {
  const { configuration, now, karmadaVersion, server } = state;
  const { saved } = options;
  const { ports } = talk;
  const { world, gone } = saved
    ? withPlannedPolicies(state.world, saved.basis)
    : { world: state.world, gone: [] };
  const removesTaints = saved?.withTaints ?? flags['with-taints'] ?? false;
  const planned = planPolicyChange(world, change, configuration, now, {
    withTaints: removesTaints,
    unverified: unverified(state.assumptions),
  });
  const { removal } = planned.effect;
  const isDone = saved !== undefined && gone.length === change.deleted.length && removal.steps.length === 0;
  if (isDone) ports.note('Everything in the plan is done already.');
  else if (gone.length > 0) ports.note(`Already deleted: ${listed(gone)}. The plan continues with the rest.`);
  const drift = saved ? deletionDrift(saved, world, removal).map(deletionDriftText) : [];
  const risks = reportedRisks(planned.risks, acceptance(flags, saved), change.manifests);
  const open = [
    ...new Set(risks.filter(({ stops, accepted }) => stops && !accepted).map(({ code }) => code)),
  ];
  const asText = flags.output === undefined || flags.output === 'wide';
  const removable = removal.steps.length;
  const input: TaintPolicyChangeInput = {
    action: change.action,
    effect: planned.effect,
    risks,
    withTaints: removesTaints,
    dryRun: flags['dry-run'],
    refused: change.refusals.map((refusal) => ({
      text: refusalText(refusal, change.manifests.get(refusal.name)),
    })),
    ...(change.action === 'delete' && {
      standsOn: deletionBasis(policiesNamed(change.deleted, world), removal),
    }),
    assumptions: [...state.assumptions, ...planned.assumptions],
    karmadaVersion,
  };
  const say = async (more: Partial<TaintPolicyChangeInput> = {}) => {
    if (!options.quiet) await talk.print(taintPolicyChangeAnswer({ ...input, ...more }));
  };
  const accept = `--accept ${open.join(',')}`;
  const unaccepted: ReportedRefusal = saved
    ? { text: `${open.join(', ')}: plan again with`, flags: `${accept} --out FILE` }
    : {
        text: `${open.join(', ')}: change the policies, or accept ${open.length === 1 ? 'it' : 'them'} with`,
        flags: accept,
        command:
          flags.typed && commandLine(['taint-policy', change.action, ...flags.typed, ...accept.split(' ')]),
      };
  const changes = !isDone && planned.effect.policies.some(({ verb }) => verb !== 'unchanged');

  if (change.refusals.length > 0) {
    await say();
    return change.refusals.some(({ action }) => action === 'unknown')
      ? EXIT_NOT_FINISHED
      : EXIT_ANSWER_IS_FAILURE;
  }
  const isWhatIf = !server || flags['dry-run'] !== 'none';
  const asks = !isWhatIf && asText && talk.canAsk() && !flags.yes;
  const refused: ReportedRefusal[] = [
    ...(drift.length > 0
      ? [{ text: `the plan is outdated: ${listed(drift, MAX_DRIFT)}; ${planAgain()}` }]
      : []),
    ...(open.length > 0 && !asks ? [unaccepted] : []),
  ];
  const dryRun = isWhatIf && !server ? 'client' : flags['dry-run'];
  await options.onPlan?.(
    taintPolicyChangeAnswer({ ...input, refused, dryRun }).document,
    drift.length + open.length > 0,
  );
  const isRehearsed = server !== undefined && dryRun === 'server' && refused.length === 0;
  // applied policies have already been dry-run
  if (isRehearsed && (change.deleted.length > 0 || (removesTaints && removable > 0))) {
    if (asText) await say();
    return carryOut({ ...state, server, world }, { ...change, written: [] }, input, options, {
      asText,
      print: say,
      talk,
    });
  }
  if (isWhatIf || refused.length > 0) {
    await say({
      refused,
      dryRun,
      next: changes ? nextCommand(change.action, flags, server !== undefined) : undefined,
    });
    const file = server ? undefined : flags['save-state'];
    if (refused.length > 0) {
      // the text already lists all reasons
      if (!asText) for (const why of refused) talk.error(`refused: ${refusalLine(why)}`);
      if (file !== undefined) ports.note(`${file} is not written: the change is refused`);
      return EXIT_ANSWER_IS_FAILURE;
    }
    if (file !== undefined)
      await writeSnapshot(
        file,
        stateAfterChange({ ...state, world }, change, removesTaints ? removal : undefined, ports),
      );
    return EXIT_OK;
  }
  let { withTaints } = input;
  if (asText && !isDone) await say();
  if (asks && changes) {
    const spite = open.length > 0 ? ` despite ${open.join(', ')}` : '';
    if (!(await talk.ask(`${change.action === 'apply' ? 'Apply' : 'Delete'} this${spite}?`))) {
      ports.note('Nothing was changed.');
      return EXIT_ANSWER_IS_FAILURE;
    }
    // a saved plan is carried out unchanged
    if (removable > 0 && !withTaints && !saved)
      withTaints = await talk.ask(
        `Also remove the remaining taints on ${removable} ${removable === 1 ? 'cluster' : 'clusters'}?`,
      );
  }
  return carryOut({ ...state, server, world }, change, { ...input, withTaints }, options, {
    asText,
    print: say,
    talk,
  });
}

/** The policies with these names, in this order. */
function policiesNamed(
  names: readonly string[],
  { taintPolicies }: Pick<World, 'taintPolicies'>,
): ClusterTaintPolicy[] {
  return names.map((name) => taintPolicies.find(({ metadata }) => metadata.name === name)!);
}

/** The most changes to list; more do not help. */
const MAX_DRIFT = 20;

/**
 * The accepted risks: those of flags by name; those of a saved plan by their exact text, so that none has grown since.
 */
function acceptance({ accept = [] }: ChangeFlags, saved: SavedDeletion | undefined): RiskAcceptance {
  if (!saved) return ({ code }) => accept.includes(code);
  return ({ code, message }) =>
    saved.acceptedRisks.some((one) => one.code === code && one.message === message);
}

interface Printing {
  asText: boolean;
  talk: Conversation;
  print(more: Partial<TaintPolicyChangeInput>): Promise<void>;
}

async function carryOut(
  { world, server, now }: LiveState,
  change: RequestedChange,
  input: TaintPolicyChangeInput,
  { fieldManager, force, waitFor }: ChangeOptions,
  { asText, print: say, talk }: Printing,
): Promise<number> {
  const interrupt = talk.interruptible();
  const writes: MadeWrite[] = [];
  const written = {
    applied: change.written,
    deleted: policiesNamed(change.deleted, world),
    deletion: change.action === 'apply' ? ('pruned' as const) : ('deleted' as const),
    removal: input.withTaints ? input.effect.removal : undefined,
  };
  let missing: TaintPolicyChangeInput['missing'];
  const { signal } = interrupt;
  try {
    const options = { fieldManager, force, dryRun: input.dryRun === 'server', signal };
    for await (const write of writePolicyChange(server, written, options)) writes.push(write);
    const allDone = writes.every(({ done }) => done);
    if (waitFor !== undefined && !options.dryRun && allDone && !signal.aborted)
      missing = await awaitEffect(server, input.effect, { timeout: waitFor, since: now, signal });
  } finally {
    interrupt.done();
    await say({
      writes,
      withTaints: input.withTaints,
      ...(missing ? { missing } : {}),
      ...(asText ? { part: 'writes' } : {}),
    });
  }
  signal.throwIfAborted();
  if (writes.some(({ done, skipped, action }) => !done && !skipped && action !== 'unknown'))
    return EXIT_ANSWER_IS_FAILURE;
  return writes.some(({ done }) => !done) || (missing && missing.length > 0) ? EXIT_NOT_FINISHED : EXIT_OK;
}

const FIELD = /\bspec(?:\.\w+|\[\d+\])+/;

/** The control plane's refusal of a policy, with the position of the field that it names. */
function refusalText(
  { name, message = 'the control plane refuses it', conflicts }: MadeWrite,
  manifest: Manifest | undefined,
): string {
  const hint = conflicts
    ? '; take the fields over with --force-conflicts, leave them out of the file, or write the values that they have'
    : '';
  const field = FIELD.exec(message)?.[0] ?? [];
  const place = manifest ? `${formatPlace({ file: manifest.source, ...manifest.at(field) })}: ` : '';
  return `${place}${name}: ${message}${hint}`;
}

/**
 * The next step after a plan that may be carried out: the same command without the dry run; for files, which are
 * read-only, the full plan.
 */
function nextCommand(
  action: RequestedChange['action'],
  { typed, output }: ChangeFlags,
  isLive: boolean,
): string | undefined {
  if (!typed || (!isLive && output === 'wide')) return undefined;
  const words = isLive ? withoutDryRun(typed) : [...typed, '-o=wide'];
  return commandLine(['taint-policy', action, ...words]);
}
