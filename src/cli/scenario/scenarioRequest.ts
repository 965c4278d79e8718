import { isUtf8 } from 'node:buffer';
import { type Stats, statSync } from 'node:fs';
import { taintChangeIn } from '../../karmada/taints/taintChange.ts';
import { isObject } from '../../kubernetes/json.ts';
import { instant, readDuration } from '../../kubernetes/time.ts';
import type { ScenarioAction } from '../../simulator/scenario.ts';
import { readAs } from '../../state/errors.ts';
import { type Moment, fieldReader } from '../../state/fieldReader.ts';
import {
  AREAS,
  type FailingArea,
  type ScenarioRequest,
  type RequestedEvent,
  requestedTaintChange,
} from '../../useCases/scenario/makeScenario.ts';
import { UserError } from '../errors.ts';
import type { GivenFlags } from '../givenFlags.ts';
import { clusterNamed, subjectAndDelay } from '../targets.ts';
import { duration } from '../values.ts';
import { manifests, parseNamed, readNamedBytes } from './namedFiles.ts';
import type { areaFlags, ScenarioFlags } from './scenarioFlags.ts';

/**
 * The events and the end of a simulation, by flags. Rejects with a UserError that names the flag, or with a file's
 * error.
 */
export async function scenarioRequest(flags: ScenarioFlags): Promise<ScenarioRequest> {
  const events: RequestedEvent[] = [...(await requestedChanges(flags.apply))];
  for (const given of flags.fail ?? []) {
    const { subject: cluster, after } = subjectAndDelay('--fail', given);
    events.push({ type: 'fail', cluster, after });
  }
  for (const area of areasNamed(flags)) events.push({ type: 'failArea', ...area });
  for (const given of flags.taint ?? []) {
    const { subject, after } = subjectAndDelay('--taint', given);
    events.push(requestedTaint(subject, after));
  }
  for (const given of flags.recover ?? []) {
    const { subject: cluster, after } = subjectAndDelay('--recover', given);
    if (after === 0) throw new UserError(`--recover ${given}: say when, as in ${cluster}@10m`);
    events.push({ type: 'recover', cluster, after });
  }
  const { until } = flags;
  return {
    events,
    until: until === undefined ? undefined : { moment: moment('--until', until), text: until },
    readyAfter: duration('--ready-after', flags['ready-after']),
  };
}

type AreaFlags = GivenFlags<typeof areaFlags>;

/** The groups of failing clusters. Throws a UserError that names the flag. */
export function areasNamed(flags: AreaFlags): FailingArea[] {
  return AREAS.flatMap((property) =>
    (flags[`fail-${property}`] ?? []).map((given) => {
      const { subject: value, after } = subjectAndDelay(`--fail-${property}`, given);
      return { property, value, after };
    }),
  );
}

/** The same failures and recoveries for another command. */
export function sameFailures(
  { fail = [], recover = [], ...flags }: Pick<ScenarioFlags, 'fail' | 'recover' | keyof AreaFlags>,
  fails: (given: string) => string,
): string[] {
  return [...fail.map(fails), ...sameAreas(flags), ...recover.map((given) => `--recover=${given}`)];
}

/** The same areas for another command. */
export function sameAreas(flags: AreaFlags): string[] {
  return AREAS.flatMap((property) =>
    (flags[`fail-${property}`] ?? []).map((given) => `--fail-${property}=${given}`),
  );
}

/** The changes of the `--apply` files at the start. Rejects like `changesOf`. */
export async function requestedChanges(files: readonly string[] = []): Promise<RequestedChange[]> {
  const events: RequestedChange[] = [];
  for (const file of files)
    for (const change of await changesOf('--apply', file))
      events.push({
        ...change,
        source: `--apply ${file}`,
        file: file === '-' ? 'stdin' : file,
        after: 0,
      });
  return events;
}

function moment(flag: string, text: string): Moment {
  const after = readDuration(text);
  if (after !== undefined) return { after };
  const parsed = instant(text);
  if (Number.isNaN(parsed))
    throw new UserError(`${flag}: "${text}" is neither a duration such as 30m nor an RFC 3339 time`);
  return { instant: parsed };
}

function requestedTaint(text: string, after: number): RequestedEvent {
  const [, named = '', words = ''] = /^([^:]+):(.*)$/.exec(text) ?? [];
  const change = taintChangeIn(words);
  if (!change)
    throw new UserError(
      `--taint "${text}" is not CLUSTER:KEY[=VALUE]:NoSchedule|NoExecute|PreferNoExecute, such as frankfurt:maintenance=network:NoExecute`,
    );
  return requestedTaintChange({ cluster: clusterNamed(named), ...change }, after);
}

type RequestedChange = Extract<RequestedEvent, { type: 'apply' | 'patch' }>;
type Change = Extract<ScenarioAction, { type: 'apply' | 'patch' }>;

/**
 * The changes in a file that a flag names: manifests, or the patches that `failover explain -o json` prints (`{target,
 * merge}`, one or a list of them). Rejects with a UserError or StateError that names the file.
 */
export async function changesOf(flag: '--apply' | '--apply-to', path: string): Promise<Change[]> {
  const file = `${flag} ${path}`;
  const stat = path === '-' ? undefined : statOf(path);
  // archives and directories contain no patches; a pipe can be read only once
  const bytes = stat?.isDirectory() ? Buffer.alloc(0) : await readNamedBytes(flag, path);
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '';
  if (!stat?.isDirectory() && isUtf8(bytes) && text.trim() === '')
    throw new UserError(`${file}: is empty; give manifests, or patches`);
  if (
    !/["']?merge["']?\s*:|^[[{\s-]*["']?target["']?\s*:|^[{\s]*["']?kind["']?\s*:\s*["']?(?:Explanation|FailoverAudit)\b/.test(
      text,
    )
  ) {
    const read = stat?.isFile() || stat?.isDirectory() ? undefined : bytes;
    const objects = await readAs(flag, () => manifests(path, read));
    if (objects.length === 0) throw new UserError(`${file}: holds neither a manifest nor a patch; give one`);
    return [{ type: 'apply', objects }];
  }
  const { value: parsed, at } = await parseNamed(flag, path, text);
  const alternatives = isObject(parsed) ? ofAlternatives(parsed) : undefined;
  if (alternatives !== undefined) throw new UserError(`${file}: ${alternatives}`);
  const { fields, identity } = fieldReader(file, (field) =>
    at(
      field.replace(/^patch (\d+)/, (_, number) => (Array.isArray(parsed) ? `[${Number(number) - 1}]` : '')),
    ),
  );
  return (Array.isArray(parsed) ? parsed : [parsed]).map((found, index) => {
    const name = `patch ${index + 1}`;
    const patch = fields(name, found);
    const target = identity(`${name}.target`, fields(`${name}.target`, patch.target));
    const merge = fields(`${name}.merge`, patch.merge);
    return { type: 'patch', target, merge };
  });
}

/** An error if the file holds a whole answer with several alternatives; otherwise undefined. */
function ofAlternatives({ kind, changes }: Record<string, unknown>): string | undefined {
  if (kind === 'FailoverAudit')
    return "is a whole audit, whose changes are alternatives; give the patches of one of them: failover audit … -o jsonpath='{.causes[0].cures.changes[0].patches}'";
  if (kind !== 'Explanation') return undefined;
  if (!isObject(changes) || !Array.isArray(changes.items) || changes.items.length === 0)
    return 'is an explanation without patches; give manifests, or patches';
  return "is a whole explanation, whose changes are alternatives; give the patches of one of them: failover explain … -o jsonpath='{.changes.items[0].patches}'";
}

/** undefined if it fails: the read then reports why. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
