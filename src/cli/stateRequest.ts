import { parseProposal, PROPOSAL } from '../karmada/dialects/design.ts';
import { parseVersion } from '../karmada/dialects/release.ts';
import { instant } from '../kubernetes/time.ts';
import { isPresentable } from '../state/shape.ts';
import type { LiveRequest, LiveSource, StateRequest } from '../useCases/state/stateRequest.ts';
import { connectFromFlags } from './connectFromFlags.ts';
import { connectionFlags } from './connectionFlags.ts';
import { UserError } from './errors.ts';
import type { sourceFlags, stateFlags } from './flags.ts';
import type { GivenFlags } from './givenFlags.ts';
import { keysOf } from '../kubernetes/json.ts';

/** The source of a state: files, or a control plane and optionally its host cluster. */
export type SourceFlags = GivenFlags<typeof sourceFlags>;

export interface StateFlags extends GivenFlags<typeof stateFlags> {
  /** selects by labels of templates, so these are read too */
  selector?: string | undefined;
}

/** The Karmada version to assume if the state does not show it. Throws a UserError for a malformed version. */
export function assumedFromFlags({
  'karmada-version': version,
  assume,
}: Pick<StateFlags, 'karmada-version' | 'assume'>): Pick<StateRequest, 'version' | 'assume'> {
  if (version !== undefined) checkVersion('--karmada-version', version);
  return { version, assume };
}

/**
 * The state by flags: files with --state, otherwise the live control plane of the kubeconfig. Throws a UserError that
 * names a flag.
 */
export function stateRequest(flags: StateFlags): StateRequest {
  const { at: text } = flags;
  return {
    source: sourceFromFlags(flags),
    at: momentFromFlag(text),
    ...assumedFromFlags(flags),
    labels: flags.selector !== undefined,
  };
}

/** The live control plane by flags, for a use that does not accept files. */
export function liveRequest(flags: StateFlags): LiveRequest {
  return { ...stateRequest(flags), source: liveSourceFromFlags(flags, true) };
}

/** Files, or a live control plane, not connected yet. Throws a UserError if flags name both, or one incompletely. */
export function sourceFromFlags(flags: SourceFlags): StateRequest['source'] {
  refuseTwoSources(flags);
  if (flags.state?.length) return { files: flags.state };
  return liveSourceFromFlags(flags, true);
}

/**
 * Only a live control plane, for commands that do not accept files; `elseFiles`: the command otherwise accepts them.
 */
export function liveSourceFromFlags(flags: Omit<SourceFlags, 'state'>, elseFiles = false): LiveSource {
  return { connect: () => connectFromFlags(flags, elseFiles), connectHost: hostFromFlags(flags) };
}

/** Throws a UserError for a malformed version. */
export function checkVersion(flag: string, text: string): void {
  if (text.trim() !== 'head' && !parseVersion(text) && !parseProposal(text))
    throw new UserError(
      `${flag} ${JSON.stringify(text)} is not a version; give one such as v1.18.2 or v1.17, or ${PROPOSAL}`,
    );
}

/** The instant of --at, and its text. Throws a UserError if it is not an instant. */
export function momentFromFlag(text: string | undefined): StateRequest['at'] {
  return text === undefined ? undefined : { time: givenInstant('--at', text), text };
}

/** Epoch milliseconds of a time that a flag gives. Throws a UserError that names the flag and the text. */
function givenInstant(flag: string, text: string): number {
  const time = instant(text);
  if (Number.isNaN(time))
    throw new UserError(`${flag} "${text}" is not an RFC 3339 time such as 2026-09-01T09:30:00Z`);
  if (!isPresentable(time)) throw new UserError(`${flag} "${text}" is not a time between 1970 and 2200`);
  return time;
}

const HOST_FLAGS = ['host-kubeconfig', 'host-context', 'host-namespace'] as const;

function refuseTwoSources(flags: SourceFlags): void {
  if (!flags.state?.length) return;
  const live = [...keysOf(connectionFlags), ...HOST_FLAGS];
  const given = live.filter((name) => name !== 'v' && flags[name] !== undefined);
  if (given.length > 0)
    throw new UserError(
      `--state reads files, --${given.join(', --')} a live control plane; give one or the other`,
    );
}

/** How to read the flags of Karmada's components in the host cluster; undefined if no flag names that cluster. */
export function hostFromFlags(flags: SourceFlags): LiveSource['connectHost'] {
  const { 'host-kubeconfig': kubeconfig, 'host-context': context, 'host-namespace': namespace } = flags;
  if (kubeconfig === undefined && context === undefined) {
    if (namespace === undefined) return undefined;
    throw new UserError(
      '--host-namespace is a namespace of the host cluster; name that cluster with --host-context or --host-kubeconfig',
    );
  }
  return async () => {
    const [{ hostComponents }, server] = await Promise.all([
      import('../state/live/hostComponents.ts'),
      connectFromFlags({
        kubeconfig: kubeconfig ?? flags.kubeconfig,
        context,
        'request-timeout': flags['request-timeout'],
        v: flags.v,
      }),
    ]);
    return () => hostComponents(server, namespace, '--host-namespace').finally(() => server.close());
  };
}
