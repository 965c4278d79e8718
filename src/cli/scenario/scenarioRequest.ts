import { instant, parseDuration } from '../../kubernetes/time.ts';
import type { Moment } from '../../state/fieldReader.ts';
import { taintChangeIn } from '../../karmada/taints/taintChange.ts';
import { taintChangeWish, type ScenarioRequest, type Wish } from '../../useCases/scenario/makeScenario.ts';
import { UserError } from '../errors.ts';
import { clusterNamed, subjectAndDelay } from '../subject.ts';
import { duration } from '../values.ts';
import { changesOf } from './changesOf.ts';
import type { ScenarioFlags } from './scenarioFlags.ts';

/** The events that flags ask for, and when to stop. Rejects with a UserError that names the flag, or with the error of a file. */
export async function scenarioRequest(flags: ScenarioFlags): Promise<ScenarioRequest> {
  const wishes: Wish[] = [];
  for (const file of flags.apply ?? []) {
    for (const change of await changesOf('--apply', file))
      wishes.push({
        ...change,
        source: `--apply ${file}`,
        file: file === '-' ? 'stdin' : file,
        after: 0,
      });
  }
  for (const given of flags.fail ?? []) {
    const { subject: cluster, after } = subjectAndDelay('--fail', given);
    wishes.push({ type: 'fail', cluster, after });
  }
  for (const property of ['region', 'zone'] as const)
    for (const given of flags[`fail-${property}`] ?? []) {
      const { subject: value, after } = subjectAndDelay(`--fail-${property}`, given);
      wishes.push({ type: 'failArea', property, value, after });
    }
  for (const given of flags.taint ?? []) {
    const { subject, after } = subjectAndDelay('--taint', given);
    wishes.push(taintWish(subject, after));
  }
  for (const given of flags.recover ?? []) {
    const { subject: cluster, after } = subjectAndDelay('--recover', given);
    if (after === 0) throw new UserError(`--recover ${given}: say when, as in ${cluster}@10m`);
    wishes.push({ type: 'recover', cluster, after });
  }
  const { until } = flags;
  return {
    wishes,
    until: until === undefined ? undefined : { moment: moment('--until', until), text: until },
    readyAfter: duration('--ready-after', flags['ready-after']),
  };
}

function moment(flag: string, text: string): Moment {
  const after = parseDuration(text);
  if (after !== undefined) return { after };
  const parsed = instant(text);
  if (Number.isNaN(parsed))
    throw new UserError(`${flag}: "${text}" is neither a duration such as 30m nor an RFC 3339 time`);
  return { instant: parsed };
}

function taintWish(text: string, after: number): Wish {
  const [, named = '', words = ''] = /^([^:]+):(.*)$/.exec(text) ?? [];
  const change = taintChangeIn(words);
  if (!change)
    throw new UserError(
      `--taint "${text}" is not CLUSTER:KEY[=VALUE]:NoSchedule|NoExecute|PreferNoExecute, such as frankfurt:maintenance=network:NoExecute`,
    );
  return taintChangeWish({ cluster: clusterNamed(named), ...change }, after);
}
