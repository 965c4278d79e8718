import type { AnsweredAssumption } from './assumptions.ts';
import { GATE_GROUPS } from './assumptions.ts';
import type { Assumption } from './assumptions.ts';
import { listOf, parseFeatureGates, valuesOf } from './commandLine.ts';
import { controllersOff } from '../dialects/controllerList.ts';
import type { CommandLine } from './commandLine.ts';
import type { Configuration, FeatureGates } from './configuration.ts';
import type { Dialect } from '../dialects/dialects.ts';
import type { FeatureGate } from '../dialects/featureGates.ts';
import { isOtherFlag, typeOfOtherFlag } from '../dialects/otherFlags.ts';
import { whenFlagDecides } from '../dialects/componentFlags.ts';
import {
  binaries,
  components,
  formatFlagValue,
  ignoresUnknownNames,
  parseBoolean,
  parseFlagValue,
} from '../dialects/flags.ts';
import type { Component, FlagType, FlagValue } from '../dialects/flags.ts';
import { plainNames, type InputNames } from './inputNames.ts';
import { appendAll } from '../../kubernetes/longLists.ts';
import { keysOf } from '../../kubernetes/json.ts';

/** One feature gate or flag of the configuration, and the source of its value. */
export interface ConfigurationValue extends AnsweredAssumption {
  /** as written on a command line: durations are text such as "10m" */
  value: FlagValue;
}

export interface ResolvedConfiguration {
  configuration: Configuration;
  /** every gate and flag, in a fixed order */
  values: ConfigurationValue[];
  /** one line for each command-line flag or gate that cannot be used as given */
  warnings: string[];
}

type Known = Omit<ConfigurationValue, 'name'>;

/**
 * How Karmada was started. Assumptions take precedence (the last one wins), then the components' command lines (a flag
 * missing from a known command line certainly has its default), then the version's defaults. `feature-gates` is read
 * per component; a gate's value is that of the deciding component.
 *
 * @param names how warnings name the inputs that a user can give
 * @param guessed the version is a guess, and so are the defaults of flags missing from the command line
 */
export function resolveConfiguration(
  dialect: Dialect,
  commandLines: readonly CommandLine[],
  assumptions: readonly Assumption[],
  names: Pick<InputNames, 'assume' | 'version'> = plainNames,
  guessed = false,
): ResolvedConfiguration {
  const warnings: string[] = [];
  const lines = new Map<Component, CommandLine>();
  for (const line of commandLines) if (!lines.has(line.component)) lines.set(line.component, line);
  const defaultIn: DefaultIn = (flag, value, line) => defaultOf(dialect, flag, value, line, guessed);

  const values: ConfigurationValue[] = [];
  const gates: FeatureGates = { ...dialect.defaults.featureGates };
  for (const name of keysOf(dialect.defaults.featureGates)) {
    const gate = dialect.featureGates[name];
    if (!gate) continue;
    const observed = observedGate(defaultIn, name, gate, lines, warnings);
    const known = assumedGate(name, gate, assumptions) ?? observed;
    gates[name] = known.value as boolean;
    values.push({ name, ...known });
  }

  const parts: Partial<Record<Component, Record<string, FlagValue>>> = {};
  const named = new Set<string>();
  const unknown: UnknownFlag[] = [];
  for (const component of components) {
    const standards = dialect.defaults[component] as unknown as Record<string, FlagValue>;
    const flags = { ...standards };
    appendAll(unknown, unknownGiven(dialect, component, lines.get(component)));
    for (const [name, type] of Object.entries(dialect.flags[component])) {
      const standard = standards[name]!;
      const given = assumptions.findLast((one) => one.part === component && one.name === name);
      // If a design runs beside a release, the release's own controllers are off for it.
      const line = type.type === 'controllers' && dialect.release.designs ? undefined : lines.get(component);
      const known: Known = given
        ? { value: given.value, source: given.source, assumed: true }
        : (observedFlag(name, type, line, warnings, names.assume) ?? defaultIn(name, standard, line));
      flags[name] = known.value;
      if (type.type === 'controllers') appendAll(warnings, listWarnings(known, names.assume));
      if (ignoresUnknownNames(type) && !given && known.value === standard) continue;
      values.push({
        name: named.has(name) ? `${component}.${name}` : name,
        ...known,
        value: formatFlagValue(type, known.value),
      });
    }
    for (const name of Object.keys(dialect.flags[component])) named.add(name);
    parts[component] = flags;
  }
  const configuration = { rules: dialect.rules, featureGates: gates, ...parts } as Configuration;
  return { configuration, values, warnings: [...warnings, ...unknownTexts(unknown, names.version)] };
}

/** Controllers missing from a --controllers list, and the consequence for answers. */
function listWarnings({ value, source, assumed }: Known, assume: string): string[] {
  const { leftOut, assumedStarted } = controllersOff(String(value));
  const does = (names: readonly string[]) => (names.length === 1 ? 'is' : 'are');
  const other = assumed ? '' : `; if another program does it, set ${assume} controllers=*`;
  return [
    ...(leftOut.length > 0
      ? [
          `${source}: ${leftOut.join(', ')} ${does(leftOut)} not started, and ${leftOut.length === 1 ? 'its' : 'their'} work is not simulated${other}`,
        ]
      : []),
    ...(assumedStarted.length > 0
      ? [
          `${source}: ${assumedStarted.join(', ')} ${does(assumedStarted)} not started, but simulated: agents run ${assumedStarted.length === 1 ? 'it' : 'them'}, too`,
        ]
      : []),
  ];
}

/** A command-line flag or gate that the version does not use: its source, and the text of the warning. */
export interface UnknownFlag {
  component: Component;
  source: string;
  text: string;
  /** the component exits: the flag or feature gate is unknown to it; otherwise it accepts and ignores it */
  stops: boolean;
  /** for a flag that can be reported together with others: its name, and what it is */
  flag?: { name: string; what: string };
}

/** How a component handles one such argument, or several. */
const outcome = (stops: boolean, many = false) =>
  stops ? `which does not start with ${many ? 'them' : 'it'}` : `so ${many ? 'they are' : 'it is'} ignored`;

/** One warning per text, with all sources that set it and all flags of one source; the last one has the advice. */
function unknownTexts(unknown: readonly UnknownFlag[], nameOfVersion: string): string[] {
  const alike = new Map<string, { first: UnknownFlag; names: string[] }>();
  for (const one of unknown) {
    const key = JSON.stringify([one.source, one.flag?.what ?? one.text]);
    const known = alike.get(key) ?? { first: one, names: [] };
    alike.set(key, known);
    if (one.flag) known.names.push(one.flag.name);
  }
  const sources = new Map<string, Set<string>>();
  for (const { first, names } of alike.values()) {
    const what = first.flag?.what.replace(/^is /, 'are ').replace(/^has /, 'have ');
    const text = names.length > 1 ? `${names.join(', ')} ${what}, ${outcome(first.stops, true)}` : first.text;
    sources.set(text, (sources.get(text) ?? new Set()).add(first.source));
  }
  return [...sources].map(([text, givers], index) => {
    const line = `${[...givers].join(', ')}: ${text}`;
    return index < sources.size - 1
      ? line
      : `${line}; if another version runs, name it with ${nameOfVersion}`;
  });
}

/** Command-line flags and gates that a version does not know, and values that it does not accept. */
export function unknownFlags(dialect: Dialect, commandLines: readonly CommandLine[]): UnknownFlag[] {
  return components.flatMap((component) =>
    commandLines
      .filter((one) => one.component === component)
      .flatMap((line) => [
        ...unknownGiven(dialect, component, line),
        ...wrongValues(dialect, component, line),
      ]),
  );
}

/** The placeholder in snapshots of earlier releases for values of flags without effect on decisions. */
const HIDDEN = '***';

/** Values that keep a component from starting: pflag and its own validation reject them. */
function wrongValues({ flags }: Dialect, component: Component, line: CommandLine | undefined): UnknownFlag[] {
  if (!line) return [];
  const { source } = line;
  return [...new Set(line.flags.map(({ name }) => name))].flatMap((name) => {
    const type: FlagType | undefined = Object.hasOwn(flags[component], name)
      ? flags[component][name]
      : typeOfOtherFlag(name);
    const given = valuesOf(line, name).at(-1);
    const isRead = type && !ignoresUnknownNames(type) && given !== undefined && given !== HIDDEN;
    const parsed = isRead ? parseFlagValue(type, given) : undefined;
    return parsed && 'expected' in parsed
      ? {
          component,
          source,
          stops: true,
          text: `--${name}=${given} is not ${parsed.expected}, and ${binaries[component]} does not start with it`,
        }
      : [];
  });
}

/** Command-line flags and gates that the version does not know: probably another version runs. */
function unknownGiven(dialect: Dialect, component: Component, line: CommandLine | undefined): UnknownFlag[] {
  if (!line) return [];
  const { version, release, flags, otherFlags, featureGates } = dialect;
  const { source } = line;
  const found: UnknownFlag[] = [];
  for (const name of new Set(line.flags.map((flag) => flag.name))) {
    if (Object.hasOwn(flags[component], name)) continue;
    const state = Object.hasOwn(otherFlags[component], name) ? otherFlags[component][name] : undefined;
    const other = isOtherFlag(component, name, release);
    if (state === undefined && other.known) continue;
    const when = state === undefined ? (other.known ? '' : other.when) : whenFlagDecides(component, name);
    const what = state === 'withoutEffect' ? 'has no effect in' : 'is unknown to';
    const stops = state !== 'withoutEffect';
    const text = `--${name} ${what} ${binaries[component]} ${version}${when && ` (Karmada has it ${when})`}, ${outcome(stops)}`;
    found.push({
      component,
      source,
      text,
      stops,
      flag: { name: `--${name}`, what: `${what} ${binaries[component]} ${version}` },
    });
  }
  for (const gates of valuesOf(line, 'feature-gates'))
    for (const { name } of parseFeatureGates(gates))
      if (!Object.hasOwn(featureGates, name) && !GATE_GROUPS.includes(name))
        found.push({
          component,
          source,
          stops: true,
          text: `${version} knows no feature gate ${name}, and a component does not start with it`,
        });
  return found;
}

type DefaultIn = (flag: string, value: FlagValue, line: CommandLine | undefined) => Known;

/** @param flag the flag for setting another value */
function defaultOf(
  { version }: Dialect,
  flag: string,
  value: FlagValue,
  line: CommandLine | undefined,
  guessed: boolean,
): Known {
  if (line && guessed)
    return {
      value,
      source: `default of ${version} (assumed), ${line.source} does not set it`,
      assumed: true,
      byDefault: true,
    };
  if (line?.unread?.includes(flag))
    return {
      value,
      source: `default of ${version} (assumed): ${line.source} sets --${flag} to what the state does not show`,
      assumed: true,
      byDefault: true,
    };
  return line
    ? { value, source: `default of ${version}, ${line.source} does not set it`, assumed: false }
    : { value, source: `default of ${version} (assumed)`, assumed: true, byDefault: true };
}

function observedFlag(
  name: string,
  type: FlagType,
  line: CommandLine | undefined,
  warnings: string[],
  assume: string,
): Known | undefined {
  const isList = type.type === 'controllers' || type.type === 'plugins';
  const given = isList ? listOf(line, name) : valuesOf(line, name).at(-1);
  if (!line || given === undefined) return undefined;
  const parsed = parseFlagValue(type, given);
  if (ignoresUnknownNames(type)) return { value: given, source: `${line.source}, --${name}`, assumed: false };
  if ('value' in parsed) return { value: parsed.value, source: `${line.source}, --${name}`, assumed: false };
  warnings.push(
    `${line.source}: --${name}=${given} is not ${parsed.expected}, so the default is assumed; give the value with ${assume} ${name}=…`,
  );
  return undefined;
}

/** The value of a gate by a component's own flags: by its name, else by its stage, else the default. */
function gateOf(name: string, gate: FeatureGate, line: CommandLine): { value: boolean; set: boolean } {
  const group = `All${gate.stage}`;
  let byName: boolean | undefined;
  let byStage: boolean | undefined;
  for (const gates of valuesOf(line, 'feature-gates'))
    for (const entry of parseFeatureGates(gates)) {
      if (entry.name === name) byName = parseBoolean(entry.value) ?? byName;
      else if (entry.name === group) byStage = parseBoolean(entry.value) ?? byStage;
    }
  const value = byName ?? byStage;
  return { value: value ?? gate.default, set: value !== undefined };
}

function observedGate(
  defaultIn: DefaultIn,
  name: string,
  gate: FeatureGate,
  lines: ReadonlyMap<Component, CommandLine>,
  warnings: string[],
): Known {
  const decider = gate.decidedBy ?? 'controllerManager';
  const line = lines.get(decider);
  if (!line) return defaultIn('feature-gates', gate.default, undefined);
  const { value, set } = gateOf(name, gate, line);
  for (const other of lines.values()) {
    if (other === line || gateOf(name, gate, other).value === value || !gateOf(name, gate, other).set)
      continue;
    warnings.push(
      `feature gate ${name} is ${value} in ${line.source} and ${!value} in ${other.source}; the value of ${binaries[decider]} counts`,
    );
  }
  if (!set) return defaultIn('feature-gates', value, line);
  return { value, source: `${line.source}, --feature-gates`, assumed: false };
}

function assumedGate(name: string, gate: FeatureGate, assumptions: readonly Assumption[]): Known | undefined {
  const ofGates = assumptions.filter(({ part }) => part === 'featureGates');
  const given =
    ofGates.findLast((one) => one.name === name) ??
    ofGates.findLast((one) => GATE_GROUPS.includes(one.name) && one.name === `All${gate.stage}`);
  return given && { value: given.value, source: given.source, assumed: true };
}
