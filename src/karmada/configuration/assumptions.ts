import { whenFlagDecides } from '../dialects/componentFlags.ts';
import type { Dialect } from '../dialects/dialects.ts';
import { whenGateKnown } from '../dialects/featureGates.ts';
import {
  type Component,
  type FlagType,
  type FlagValue,
  components,
  parseBoolean,
  parseFlagValue,
} from '../dialects/flags.ts';
import { parseFeatureGates } from './commandLine.ts';
import type { Configuration } from './configuration.ts';
import type { InputNames } from './inputNames.ts';

export interface Assumption {
  /** the component that has the flag; "featureGates" for a gate */
  part: Component | 'featureGates';
  name: string;
  /** durations in milliseconds */
  value: FlagValue;
  /** who assumes it, such as "scenario" */
  source: string;
}

/** Why an assumption is invalid; `typed` is a name that is not among the `known` ones. */
export interface AssumptionProblem {
  message: string;
  unknown?: { typed: string; known: string[] };
  /** for a block: the field, "assume.agent.cluster-lease-duration" */
  path?: string;
}

/** AllAlpha and AllBeta set all gates of a stage except those set by name. */
export const GATE_GROUPS: readonly string[] = ['AllAlpha', 'AllBeta'];

/**
 * Parses "Failover=true", "graceful-eviction-timeout=3m", "agent.cluster-failure-threshold=1m" or
 * "feature-gates=A=true,B=true". Without a component's name, a flag is set for all components that have it.
 */
export function parseAssumption(
  text: string,
  source: string,
  dialect: Dialect,
): Assumption[] | AssumptionProblem {
  const at = text.indexOf('=');
  const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at === -1 || name === '' || value === '')
    return { message: `"${text}" is not NAME=VALUE, such as Failover=true or graceful-eviction-timeout=3m` };
  const bare = name.replace(/^--/, '');
  if (bare !== 'feature-gates') return assume(bare, value, source, dialect);
  const all: Assumption[] = [];
  for (const gate of parseFeatureGates(value)) {
    const one = assume(gate.name, gate.value, source, dialect);
    if (!Array.isArray(one)) return one;
    all.push(...one);
  }
  return all;
}

/**
 * Parses a block of a scenario or configuration file, `{featureGates: {Failover: true}, controllerManager: {…}}`;
 * problems name the field.
 */
export function parseAssumptions(
  block: Record<string, unknown>,
  source: string,
  dialect: Dialect,
): Assumption[] | AssumptionProblem {
  const all: Assumption[] = [];
  const parts = ['featureGates', ...components];
  for (const [part, values] of Object.entries(block)) {
    if (!parts.includes(part))
      return {
        message: `assume.${part} is not known`,
        unknown: { typed: part, known: parts },
        path: `assume.${part}`,
      };
    if (values === null || values === undefined) continue;
    if (typeof values !== 'object' || Array.isArray(values))
      return { message: `assume.${part} is not a mapping of names to values`, path: `assume.${part}` };
    for (const [name, value] of Object.entries(values)) {
      const one = assume(part === 'featureGates' ? name : `${part}.${name}`, value, source, dialect);
      if (!Array.isArray(one))
        return { ...one, message: `assume.${part}: ${one.message}`, path: `assume.${part}.${name}` };
      all.push(...one);
    }
  }
  return all;
}

function assume(
  name: string,
  value: unknown,
  source: string,
  dialect: Dialect,
): Assumption[] | AssumptionProblem {
  if (GATE_GROUPS.includes(name) || decidingGates(dialect).includes(name)) {
    const isOn = typeof value === 'boolean' ? value : parseBoolean(value);
    if (isOn === undefined) return notTaken(name, value, 'true or false');
    return [{ part: 'featureGates', name, value: isOn, source }];
  }
  if (Object.hasOwn(dialect.featureGates, name))
    return { message: `the feature gate ${name} has no effect on these answers; leave it out` };
  const owners = flagsNamed(name, dialect);
  if (owners.length === 0)
    return {
      message: elsewhere(name, dialect) ?? `${dialect.version} knows no feature gate or flag ${name}`,
      unknown: { typed: name, known: allNames(dialect) },
    };
  const all: Assumption[] = [];
  for (const { component, flag, type } of owners) {
    const parsed = parseFlagValue(type, value);
    if ('expected' in parsed) return notTaken(name, value, parsed.expected);
    all.push({ part: component, name: flag, value: parsed.value, source });
  }
  return all;
}

function notTaken(name: string, value: unknown, expected: string): AssumptionProblem {
  return { message: `${name}: ${JSON.stringify(value)} is not ${expected}` };
}

/** The versions that have a name unknown to this version. */
function elsewhere(name: string, dialect: Dialect): string | undefined {
  const known = Object.hasOwn(dialect.defaults.featureGates, name)
    ? whenGateKnown(name)
    : components
        .filter((component) => Object.hasOwn(dialect.otherFlags[component], bareFlag(name, component)))
        .map((component) => whenFlagDecides(component, bareFlag(name, component)))[0];
  return known === undefined
    ? undefined
    : `${name} has no effect in ${dialect.version}: Karmada has it ${known}; leave it out, or name a version that has it`;
}

function bareFlag(name: string, component: Component): string {
  const prefix = `${component}.`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function flagsNamed(
  name: string,
  dialect: Dialect,
): { component: Component; flag: string; type: FlagType }[] {
  return components.flatMap((component) => {
    const types = dialect.flags[component];
    const flag = bareFlag(name, component);
    const type = Object.hasOwn(types, flag) ? types[flag] : undefined;
    return type ? [{ component, flag, type }] : [];
  });
}

function decidingGates({ featureGates }: Dialect): string[] {
  return Object.keys(featureGates).filter((name) => featureGates[name]!.decidedBy !== undefined);
}

function allNames(dialect: Dialect): string[] {
  const flags = components.flatMap((component) => Object.keys(dialect.flags[component]));
  return [...decidingGates(dialect), ...GATE_GROUPS, ...new Set(flags)];
}

/** A feature gate, flag or instant that an answer depends on, and the source of its value. */
export interface AnsweredAssumption {
  /** "component.flag" if an earlier component has the same flag */
  name: string;
  value: unknown;
  /**
   * "Deployment karmada-system/karmada-controller-manager", the source of an assumption, or "default of v1.18
   * (assumed)"
   */
  source: string;
  /** false if the value is from the state itself */
  assumed: boolean;
  /** the value is an unverified default */
  byDefault?: true;
}

/** What is known about how Karmada was started. */
export interface KnownConfiguration {
  configuration: Configuration;
  /** gates and flags whose values are unverified defaults */
  unverified: ReadonlySet<string>;
  /** those of them that the objects prove to be on, with the proof */
  proven?: ReadonlyMap<string, string> | undefined;
  /** how doubts name the missing inputs */
  names?: InputNames | undefined;
}

/** The basis of an answer. */
export interface Basis {
  karmadaVersion: string;
  /** the instant, the version, then every gate and flag; only those that the answer depends on */
  assumptions: AnsweredAssumption[];
}

/** The basis of an answer about one instant. */
export interface DatedBasis extends Basis {
  /** epoch milliseconds */
  now: number;
}

/** The feature gates and flags whose value is an unverified default. */
export function unverified(assumptions: readonly AnsweredAssumption[]): ReadonlySet<string> {
  return new Set(assumptions.filter(({ byDefault }) => byDefault).map(({ name }) => name));
}
