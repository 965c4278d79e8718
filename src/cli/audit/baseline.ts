import { type Judged, judgedKey, judgedOf } from '../../analysis/audit/gate.ts';
import type { Audit } from '../../analysis/audit/audit.ts';
import { HEADROOM_RESOURCES } from '../../analysis/forecast/headroom.ts';
import { compareTroubles, TROUBLES } from '../../analysis/audit/trouble.ts';
import { isObject, type JsonObject } from '../../kubernetes/json.ts';
import { UserError } from '../errors.ts';
import { parseNamed, readNamed } from '../scenario/namedFiles.ts';

/** An earlier audit, as `failover audit -o json` prints it. Rejects with a UserError that names the file and the field. */
export async function readBaseline(file: string): Promise<Judged> {
  const { value } = await parseNamed('--baseline', file, await readNamed('--baseline', file));
  const wrong = (field: string, expected: string): UserError =>
    new UserError(
      `--baseline ${file}: ${field} is not ${expected}; give the output of failover audit -o json`,
    );
  if (!isObject(value) || value.kind !== 'FailoverAudit') throw wrong('kind', 'FailoverAudit');
  if (value.schemaVersion !== 'v1') throw wrong('schemaVersion', 'v1');
  const items = (of: unknown, field: string): [JsonObject, string][] => {
    if (!Array.isArray(of)) throw wrong(field, 'a list');
    return of.map((one: unknown, at) => {
      const where = `${field}[${at}]`;
      if (!isObject(one)) throw wrong(where, 'an object');
      return [one, where];
    });
  };
  const text = (of: unknown, field: string): string => {
    if (typeof of !== 'string') throw wrong(field, 'a text');
    return of;
  };
  const number = (of: unknown, field: string): number => {
    if (typeof of !== 'number') throw wrong(field, 'a number');
    return of;
  };
  const oneOf = <T extends string>(of: unknown, all: readonly T[], field: string): T => {
    const found = all.find((each) => each === of);
    if (found === undefined) throw wrong(field, `one of ${all.join(', ')}`);
    return found;
  };
  const workloads = items(value.workloads, 'workloads').map(([one, field]) => {
    const { workload, now, worst, targetMet } = one;
    if (!isObject(workload)) throw wrong(`${field}.workload`, 'an object');
    if (worst !== undefined && !isObject(worst)) throw wrong(`${field}.worst`, 'an object');
    const { namespace } = workload;
    const troubles = [
      ...(now === undefined ? [] : [oneOf(now, TROUBLES, `${field}.now`)]),
      ...(worst === undefined ? [] : [oneOf(worst.trouble, TROUBLES, `${field}.worst.trouble`)]),
    ];
    const [trouble] = troubles.sort(compareTroubles);
    return {
      key: judgedKey({
        apiVersion: text(workload.apiVersion, `${field}.workload.apiVersion`),
        kind: text(workload.kind, `${field}.workload.kind`),
        ...(namespace === undefined ? {} : { namespace: text(namespace, `${field}.workload.namespace`) }),
        name: text(workload.name, `${field}.workload.name`),
      }),
      ...(trouble && { trouble }),
      ...(typeof targetMet === 'boolean' && { targetMet }),
    };
  });
  const clusters = items(value.clusters, 'clusters').map(
    ([{ name, down, headroom }, field]): Audit['clusters'][number] => ({
      name: text(name, `${field}.name`),
      down: down === true,
      headroom: items(headroom, `${field}.headroom`).map(([one, where]) => {
        const { worst } = one;
        if (worst !== undefined && !isObject(worst)) throw wrong(`${where}.worst`, 'an object');
        return {
          resource: oneOf(one.resource, HEADROOM_RESOURCES, `${where}.resource`),
          allocatable: number(one.allocatable, `${where}.allocatable`),
          free: number(one.free, `${where}.free`),
          ...(worst && {
            worst: {
              contingency: text(worst.contingency, `${where}.worst.contingency`),
              free: number(worst.free, `${where}.worst.free`),
            },
          }),
        };
      }),
    }),
  );
  return { workloads, headroom: judgedOf({ workloads: [], clusters }).headroom };
}
