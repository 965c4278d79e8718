import type { LabelMatcher } from '../../kubernetes/labelSelector.ts';
import { unverified } from '../../karmada/configuration/assumptions.ts';
import { givenLabelSelector } from '../selection.ts';
import { compileLabelSelector } from '../../kubernetes/labelSelector.ts';
import { readManifests } from '../../state/manifests/readManifests.ts';
import { printError, printNote } from '../../terminal/messages.ts';
import { openStateToRead, type OpenedState } from '../../useCases/state/openState.ts';
import { stateRequest } from '../stateRequest.ts';
import { duration, stdinOnce } from '../values.ts';
import {
  givenPolicies,
  mergedPolicy,
  type GivenPolicies,
} from '../../useCases/taintPolicy/readTaintPolicies.ts';
import { tryPolicies } from '../../useCases/taintPolicy/writePolicyChange.ts';
import { formatPlace } from '../../views/words/names.ts';
import { listed, plural } from '../../views/words/amounts.ts';
import { policyDiff, policyDiffAnswer } from '../../views/taintPolicy/policyDiff.ts';
import { UserError } from '../errors.ts';
import { EXIT_ANSWER_IS_FAILURE, EXIT_BAD_INPUT, EXIT_OK } from '../exitCodes.ts';
import type { GivenFlags } from '../givenFlags.ts';
import { print } from '../print.ts';
import { commandLine } from '../commandLine.ts';
import { ALLOWS_NO_EXECUTE } from './noExecuteNote.ts';
import { checkChangeFlags, type applyFlags } from './changeFlags.ts';
import { atCommandLine, type Conversation } from './conversation.ts';
import { runChange, type RequestedChange, type ChangeFlags } from './runChange.ts';

interface ApplyFlags extends ChangeFlags, Omit<GivenFlags<typeof applyFlags>, 'dry-run'> {
  'field-manager': string;
}

const MINUTE = '1m';

/** Applies the ClusterTaintPolicies of files. Returns the exit code. */
export async function applyTaintPolicies(
  flags: ApplyFlags,
  talk: Conversation = atCommandLine(flags),
): Promise<number> {
  const { ports } = talk;
  const { filename: files = [], kustomize: kustomizations = [], selector, ...ofSource } = flags;
  if (files.length + kustomizations.length === 0)
    throw new UserError('taint-policy apply needs manifests: give -f FILE, -f - or -k DIR');
  // an empty selector would select all policies
  if (flags.prune && !selector?.trim())
    throw new UserError(
      '--prune deletes policies that are not in the files; give -l SELECTOR to say which ones',
    );
  if (flags['field-manager'].trim() === '')
    throw new UserError('--field-manager is empty; leave it out, or give the name of a manager');
  checkChangeFlags(flags);
  if (flags.timeout !== undefined && !flags.wait)
    throw new UserError('--timeout needs --wait: it limits that wait');
  if (flags.wait && (flags.state !== undefined || flags['dry-run'] !== 'none'))
    throw new UserError(
      `--wait waits for the taints of a live control plane, and ${flags.state === undefined ? '--dry-run' : '--state'} writes none; leave --wait out`,
    );
  if (flags.diff && flags.output !== undefined)
    throw new UserError(`--diff prints what diff -u prints, not -o ${flags.output}; leave one of them out`);
  const matches = selector === undefined ? undefined : compileLabelSelector(givenLabelSelector(selector));
  const waitFor = flags.wait ? duration('--timeout', flags.timeout ?? MINUTE) : undefined;
  stdinOnce({ '-f': files, '--state': flags.state });
  const { manifests, warnings } = await readManifests({ files, kustomizations }, () => process.stdin);
  for (const warning of warnings) ports.warn(warning);

  const opened = await openStateToRead(stateRequest(ofSource), ports);
  if (opened.server) talk.read?.(opened.server);
  const trying = flags['dry-run'] === 'client' ? undefined : opened.server;
  const lenient = withWebhookAsked(opened);
  // an unknown webhook setting is a risk of the plan, but no reason to refuse the file
  const state = trying ? lenient : opened;
  try {
    const given = givenPolicies(manifests, lenient.configuration);
    if (given.refused.length > 0) {
      const form = lenient.configuration.rules.api.taintPolicyForm === 'windows' ? 'proposed' : 'shipped';
      for (const { place, message, rule } of given.refused) {
        const convert = [
          'taint-policy',
          'convert',
          '-f',
          place.file === 'stdin' ? '-' : place.file,
          '--to',
          form,
        ];
        const next = rule === 'other-form' ? `. To convert it: ${commandLine(convert)}` : '';
        talk.error(`${formatPlace(place)}: ${message}${next}`);
      }
      return EXIT_BAD_INPUT;
    }
    const asked = await askedChange(state, trying, given, flags, matches, talk);
    if (flags.diff) return await printDiff(state, asked);
    return await runChange(
      state,
      asked,
      flags,
      {
        fieldManager: flags['field-manager'],
        force: flags['force-conflicts'] ?? false,
        waitFor,
      },
      talk,
    );
  } finally {
    opened.server?.close();
  }
}

const WEBHOOK_ASKED = 'the webhook checks all of it before anything is written';

/** If it is unknown whether the webhook allows NoExecute, assumes so: a dry run asks the webhook before writing. */
function withWebhookAsked(state: OpenedState): OpenedState {
  const flag = ALLOWS_NO_EXECUTE;
  if (!unverified(state.assumptions).has(flag)) return state;
  const { webhook } = state.configuration;
  return {
    ...state,
    configuration: { ...state.configuration, webhook: { ...webhook, [flag]: true } },
    assumptions: state.assumptions.map((one) =>
      one.name === flag ? { name: flag, value: true, source: WEBHOOK_ASKED, assumed: true } : one,
    ),
  };
}

async function askedChange(
  { world }: OpenedState,
  /** the server that dry-runs the policies before planning; absent: none */
  trying: OpenedState['server'],
  given: GivenPolicies,
  flags: ApplyFlags,
  matches: LabelMatcher | undefined,
  { ports }: Conversation,
): Promise<RequestedChange> {
  if (given.others.length > 0)
    ports.warn(
      `skipped, because they are not ClusterTaintPolicies: ${listed(given.others)}; apply them with kubectl apply`,
    );
  if (given.policies.length === 0)
    throw new UserError(
      flags.prune
        ? 'the files hold no ClusterTaintPolicy, so --prune would delete all with the labels of -l; check -f and -k, or name them to taint-policy delete'
        : 'the files hold no ClusterTaintPolicy; check -f and -k',
    );
  const chosen = given.policies.filter(({ policy }) => !matches || matches(policy.metadata.labels));
  const passedOver = given.policies.length - chosen.length;
  if (passedOver > 0) ports.warn(`skipped ${plural(passedOver, 'policy')} without the labels of -l`);
  if (chosen.length === 0 && !flags.prune)
    throw new UserError('no ClusterTaintPolicy in the files has the labels of -l; check -l and the labels');
  // including those that -l excludes, since they are in the files
  const names = new Set(given.policies.map(({ policy }) => policy.metadata.name));
  const deleted = flags.prune
    ? world.taintPolicies.filter((one) => matches!(one.metadata.labels) && !names.has(one.metadata.name))
    : [];
  const written = chosen.map(({ policy }) => policy);
  const merged = written.map((policy) => mergedPolicy(policy, world.taintPolicies));
  const tried =
    trying &&
    (await tryPolicies(trying, written, {
      fieldManager: flags['field-manager'],
      force: flags['force-conflicts'] ?? false,
      dryRun: true,
    }));
  return {
    action: 'apply',
    written,
    applied: merged.map((policy) => tried?.objects.get(policy.metadata.name) ?? policy),
    deleted: deleted.map(({ metadata }) => metadata.name),
    manifests: new Map(chosen.map(({ policy, manifest }) => [policy.metadata.name, manifest])),
    refusals: tried?.refusals ?? [],
  };
}

/** Prints the differences, as kubectl diff does. Returns 0 if there are none, 1 if there are. */
async function printDiff(
  { world }: OpenedState,
  { applied, deleted, refusals }: RequestedChange,
): Promise<number> {
  for (const { name, message = 'refused' } of refusals) printError(`${name}: ${message}`);
  if (refusals.length > 0) return EXIT_BAD_INPUT;
  const text = policyDiff(world.taintPolicies, applied, deleted);
  if (text === '') {
    printNote('no differences');
    return EXIT_OK;
  }
  await print(policyDiffAnswer(text), { output: 'diff' });
  return EXIT_ANSWER_IS_FAILURE;
}
