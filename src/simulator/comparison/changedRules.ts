import { switches, type Rules } from '../../karmada/dialects/rules.ts';
import type { Switch } from '../../karmada/dialects/history.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import type { World } from '../../karmada/world.ts';
import type { ObjectIdentity } from '../../karmada/api/meta.ts';
import { identityOf } from '../../karmada/objects/identities.ts';

/** A rule that differs between two versions of Karmada. */
export interface ChangedRule {
  /** "taints.evictionPace" */
  name: string;
  decides: string;
  from: unknown;
  to: unknown;
}

/** The rules that differ, without the words of errors, which do not affect failover. */
export function changedRules(from: Rules, to: Rules): ChangedRule[] {
  const changed: ChangedRule[] = [];
  for (const [room, ofRoom] of Object.entries(switches)) {
    if (room === 'admission') continue;
    for (const [name, { decides }] of Object.entries(ofRoom as Record<string, Switch<unknown>>)) {
      const [a, b] = [valueOf(from, room, name), valueOf(to, room, name)];
      if (!deepEqual(a, b)) changed.push({ name: `${room}.${name}`, decides, from: a, to: b });
    }
  }
  return changed;
}

function valueOf(rules: Rules, room: string, name: string): unknown {
  return (rules as unknown as Record<string, Record<string, unknown>>)[room]?.[name] ?? null;
}

/** A policy whose purgeMode the second version no longer knows. */
export interface UnknownPurgeMode {
  policy: ObjectIdentity;
  field: string;
  purgeMode: string;
  known: readonly string[];
}

/** The purge modes in policies that only the first of two versions accepts, of application and of cluster failover. */
export function unknownPurgeModes({ policies }: World, from: Rules, to: Rules): UnknownPurgeMode[] {
  return policies.flatMap((policy) =>
    (
      [
        ['application', from.api.applicationPurgeModes, to.api.applicationPurgeModes],
        ['cluster', from.api.clusterPurgeModes, to.api.clusterPurgeModes],
      ] as const
    ).flatMap(([part, before, after]) => {
      const purgeMode: string | undefined = policy.spec?.failover?.[part]?.purgeMode;
      if (!after || purgeMode === undefined || (after as readonly string[]).includes(purgeMode)) return [];
      if (before && !(before as readonly string[]).includes(purgeMode)) return [];
      return [
        { policy: identityOf(policy), field: `spec.failover.${part}.purgeMode`, purgeMode, known: after },
      ];
    }),
  );
}
