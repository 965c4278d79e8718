import type { Certainty, Evidence } from '../karmada/evidence.ts';
import type { ControllerLog, LoggedDecision } from '../analysis/history/karmadaEvents.ts';
import type { Taint } from '../karmada/api/meta.ts';
import { isObject, type JsonObject } from '../kubernetes/json.ts';
import { StateError } from './errors.ts';
import { fieldReader } from './fieldReader.ts';

const CERTAINTIES: readonly Certainty[] = ['certain', 'estimate', 'unknown'];

/**
 * Reads the output of `controller run -o json`. Skips unknown fields and an incomplete last line. Throws a StateError
 * with file, line and field for a line that is not a JSON object, other kinds, and fields of another type.
 */
export function readControllerLog(text: string, source: string): ControllerLog {
  const lines = text.split('\n');
  const decisions: LoggedDecision[] = [];
  let skipped = 0;
  let isCut = false;
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const value = parsed(line);
    const isLast = index === lines.length - 1;
    if (value === undefined && isLast) isCut = true;
    else if (!isObject(value))
      throw new StateError(
        `${source}:${index + 1}: is not a JSON object; give the output of controller run -o json`,
      );
    else if (value.kind === 'ControllerEvent')
      decisions.push(decisionOf(value, index + 1, `${source}:${index + 1}`));
    else if (value.kind === undefined || value.kind === 'ControllerReport') skipped++;
    else
      throw new StateError(
        `${source}:${index + 1}: kind: is ${JSON.stringify(value.kind)?.slice(0, 80)}, expected ControllerEvent`,
      );
  });
  if (decisions.length === 0)
    throw new StateError(`${source}: holds no ControllerEvent; give the output of controller run -o json`);
  return { decisions: decisions.sort((a, b) => a.time - b.time || a.line - b.line), skipped, isCut };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function decisionOf(event: JsonObject, line: number, place: string): LoggedDecision {
  const read = fieldReader(place);
  const optional = <Value>(name: string, reader: (path: string, found: unknown) => Value) =>
    event[name] === undefined ? undefined : reader(name, event[name]);
  const fail = (name: string, expected: string): never => {
    throw new StateError(`${place}: ${name}: is not a ${expected}`);
  };
  const list = (name: string): JsonObject[] => {
    const found = event[name] ?? [];
    if (!Array.isArray(found)) return fail(name, 'list');
    return found.map((one, index) => read.fields(`${name}[${index}]`, one));
  };
  const taints = (name: string) =>
    list(name).map((one, index): Taint => {
      const at = `${name}[${index}]`;
      const value = read.optionalText(`${at}.value`, one.value === '' ? undefined : one.value);
      return {
        key: read.text(`${at}.key`, one.key),
        ...(value === undefined ? {} : { value }),
        effect: read.text(`${at}.effect`, one.effect) as Taint['effect'],
      };
    });
  const task = optional('task', read.fields);
  const pace = optional('pace', read.fields);
  const written = event.written ?? undefined;
  const bindings = event.bindings ?? 0;
  return {
    line,
    time: read.time('time', event.time),
    type: read.text('type', event.type),
    controller: read.optionalText('controller', event.controller) ?? '',
    object: optional('object', (path, found) => read.identity(path, read.fields(path, found))),
    cluster: read.optionalText('cluster', event.cluster),
    workload: optional('workload', (path, found) => {
      const { kind, namespace, name } = read.identity(path, read.fields(path, found));
      return [namespace, kind.toLowerCase(), name].filter(Boolean).join('/');
    }),
    written: written === undefined || typeof written === 'boolean' ? written : fail('written', 'boolean'),
    added: taints('added'),
    removed: taints('removed'),
    purgeMode: read.optionalText('task.purgeMode', task?.purgeMode),
    bindings: typeof bindings === 'number' ? bindings : fail('bindings', 'number'),
    reason: read.optionalText('reason', event.reason || undefined) ?? '',
    message: read.optionalText('message', event.message || undefined) ?? '',
    until: optional('until', read.time),
    pace: pace && {
      mode: read.text('pace.mode', pace.mode),
      rate: typeof pace.rate === 'number' ? pace.rate : fail('pace.rate', 'number'),
      reason: read.optionalText('pace.reason', pace.reason || undefined) ?? '',
    },
    evidence: list('evidence').map((one, index): Evidence => {
      const at = `evidence[${index}]`;
      const field = read.optionalText(`${at}.field`, one.field);
      const missing = read.optionalText(`${at}.missing`, one.missing);
      return {
        rule: read.text(`${at}.rule`, one.rule),
        ...(one.object !== undefined && {
          object: read.identity(`${at}.object`, read.fields(`${at}.object`, one.object)),
        }),
        ...(field === undefined ? {} : { field }),
        ...('value' in one && { value: one.value }),
        ...(one.certainty !== undefined && {
          certainty: read.oneOf(`${at}.certainty`, one.certainty, CERTAINTIES),
        }),
        ...(missing === undefined ? {} : { missing }),
      };
    }),
  };
}
