import { isDnsLabel, isDnsSubdomain } from '../../kubernetes/validation/names.ts';
import { parseAssumption, type Assumption } from '../../karmada/configuration/assumptions.ts';
import { parseFeatureGates } from '../../karmada/configuration/commandLine.ts';
import type { Configuration } from '../../karmada/configuration/configuration.ts';
import { whenFlagDecides } from '../../karmada/dialects/componentFlags.ts';
import type { Dialect } from '../../karmada/dialects/dialects.ts';
import { parseFlagValue, type FlagType, type FlagValue } from '../../karmada/dialects/flags.ts';
import {
  resolveConfiguration,
  type ConfigurationValue,
} from '../../karmada/configuration/resolveConfiguration.ts';
import type { InputNames } from '../ports.ts';
import { Problem, type SettingProblem } from '../problem.ts';
import { OUR_LEASE } from './observedLeases.ts';
import { jobs, type Job } from '../../karmada/controllers/registry.ts';
import { isOneOf, isObject } from '../../kubernetes/json.ts';

export interface GivenSetting {
  /** "resource-eviction-rate" */
  name: string;
  /** text of a flag; in a file also a number, true or false, a list, or a mapping */
  value: unknown;
  /** its name in messages: "--resource-eviction-rate", "controller.yaml:3:1: resource-eviction-rate" */
  place: string;
}

/** How the controllers run. Durations are milliseconds. */
export interface ControllerSettings {
  controllers: readonly Job[];
  configuration: Configuration;
  karmadaVersion: string;
  /** the gates and flags that the controllers read, with their sources */
  values: readonly ConfigurationValue[];
  leaderElection: LeaderElectionSettings;
  bindAddress: BindAddress | undefined;
  /** absent: health and metrics are served without TLS, and metrics only to this machine */
  secureServing: SecureServing | undefined;
}

export interface SecureServing {
  /** PEM files */
  certFile: string;
  keyFile: string;
  /** for the API server that reviews who may read the metrics; absent: the control plane */
  authenticationKubeconfig: string | undefined;
}

interface LeaderElectionSettings {
  enabled: boolean;
  leaseDuration: number;
  renewDeadline: number;
  retryPeriod: number;
  namespace: string;
  name: string;
}

interface BindAddress {
  /** undefined: all addresses */
  host: string | undefined;
  port: number;
}

/** The flags of karmada-controller-manager that these controllers read, in Karmada's releases or in the designs. */
const KARMADA_SETTINGS = [
  'enable-taint-manager',
  'enable-no-execute-taint-eviction',
  'no-execute-taint-eviction-purge-mode',
  'resource-eviction-rate',
  'secondary-resource-eviction-rate',
  'unhealthy-cluster-threshold',
  'large-cluster-num-threshold',
  'graceful-eviction-timeout',
  'evict-plugins',
] as const;

const GATES: readonly string[] = ['Failover', 'GracefulEviction', 'StatefulFailoverInjection'];

const boolean: FlagType = { type: 'boolean' };
const text: FlagType = { type: 'text' };
const positive: FlagType = { type: 'duration', above: 0 };

/** Settings of karmada-failover that karmada-controller-manager has too, with their defaults. */
const OWN_SETTINGS = {
  'leader-elect': { type: boolean, value: true },
  'leader-elect-lease-duration': { type: positive, value: 15_000 },
  'leader-elect-renew-deadline': { type: positive, value: 10_000 },
  'leader-elect-retry-period': { type: positive, value: 2_000 },
  'leader-elect-resource-namespace': { type: text, value: OUR_LEASE.namespace },
  'leader-elect-resource-name': { type: text, value: OUR_LEASE.name },
  'bind-address': { type: text, value: ':10357' },
  'tls-cert-file': { type: text, value: '' },
  'tls-private-key-file': { type: text, value: '' },
  'authentication-kubeconfig': { type: text, value: '' },
} satisfies Record<string, { type: FlagType; value: FlagValue }>;

/** All settings that a file may have. */
const SETTING_NAMES: readonly string[] = [
  'controllers',
  'karmada-version',
  'feature-gates',
  ...KARMADA_SETTINGS,
  ...Object.keys(OWN_SETTINGS),
];

/** client-go's: a candidate waits up to 1.2 retry periods longer. */
const JITTER = 1.2;

/** The last value given for a setting. */
export function settingOf(given: readonly GivenSetting[], name: string): GivenSetting | undefined {
  return given.findLast((one) => one.name === name);
}

/**
 * Reads all settings; if one is given twice, the later one counts; feature gates are merged gate by gate. Throws one
 * Problem with everything that is wrong.
 */
export function readSettings(
  given: readonly GivenSetting[],
  dialect: Dialect,
  names: Pick<InputNames, 'assume' | 'version'>,
): ControllerSettings {
  const problems: SettingProblem[] = [];
  const known = given.filter(({ name, place }) => {
    if (SETTING_NAMES.includes(name)) return true;
    problems.push({
      place,
      message: 'is not a setting',
      unknown: { typed: name, known: [...SETTING_NAMES] },
    });
    return false;
  });
  const own = ownSettings(known, problems);
  const controllers = readControllers(settingOf(known, 'controllers'), problems);
  const assumptions = known.flatMap((one) => karmadaSettings(one, dialect, problems));
  const { configuration, values } = resolveConfiguration(dialect, [], assumptions, names);
  checkLease(own, given, problems);
  const bindAddress = readAddress(own['bind-address'], settingOf(given, 'bind-address'), problems);
  const secureServing = readServing(own, given, problems);
  if (problems.length > 0) throw new Problem({ code: 'settings', problems });
  const read: readonly string[] = [...KARMADA_SETTINGS, ...GATES];
  return {
    controllers,
    configuration,
    karmadaVersion: dialect.version,
    values: values.filter(({ name }) => read.includes(name)),
    leaderElection: {
      enabled: own['leader-elect'],
      leaseDuration: own['leader-elect-lease-duration'],
      renewDeadline: own['leader-elect-renew-deadline'],
      retryPeriod: own['leader-elect-retry-period'],
      namespace: own['leader-elect-resource-namespace'],
      name: own['leader-elect-resource-name'],
    },
    bindAddress,
    secureServing,
  };
}

type Own = {
  [Name in keyof typeof OWN_SETTINGS]: (typeof OWN_SETTINGS)[Name]['value'] extends boolean
    ? boolean
    : (typeof OWN_SETTINGS)[Name]['value'] extends number
      ? number
      : string;
};

function ownSettings(given: readonly GivenSetting[], problems: SettingProblem[]): Own {
  const own: Record<string, FlagValue> = {};
  for (const [name, { type, value }] of Object.entries(OWN_SETTINGS)) {
    own[name] = value;
    for (const one of given.filter((setting) => setting.name === name)) {
      const parsed = parseFlagValue(type, one.value);
      if ('value' in parsed) own[name] = parsed.value;
      else problems.push({ place: one.place, message: `${shown(one.value)} is not ${parsed.expected}` });
    }
  }
  return own as Own;
}

function readControllers(given: GivenSetting | undefined, problems: SettingProblem[]): readonly Job[] {
  if (!given) return jobs;
  const { value, place } = given;
  const list = typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value;
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) {
    problems.push({ place, message: `${shown(value)} is not a list of controllers` });
    return [];
  }
  const known: readonly string[] = ['*', ...jobs];
  for (const entry of list.filter((one) => !known.includes(one.replace(/^-/, ''))))
    problems.push({
      place,
      message: `there is no controller ${JSON.stringify(entry)}`,
      unknown: { typed: entry, known: [...known] },
    });
  const chosen = chosenJobs(list);
  if (chosen.length === 0 && problems.length === 0)
    problems.push({ place, message: `${shown(value)} chooses no controller` });
  return chosen;
}

/**
 * The jobs that a list such as ["*", "-taint-manager"] chooses, by the rules of karmada-controller-manager's
 * --controllers: the first entry that names a job decides, "*" covers all others.
 */
export function chosenJobs(list: readonly string[]): Job[] {
  return jobs.filter((name) => {
    const decisive = list.find((entry) => entry === name || entry === `-${name}`);
    return decisive === undefined ? list.includes('*') : decisive === name;
  });
}

/** A feature gate or flag of Karmada, as assumptions for the configuration. */
function karmadaSettings(given: GivenSetting, dialect: Dialect, problems: SettingProblem[]): Assumption[] {
  const { name, value, place } = given;
  if (name === 'feature-gates') return gateSettings(given, dialect, problems);
  if (!isOneOf(KARMADA_SETTINGS, name)) return [];
  if (!Object.hasOwn(dialect.flags.controllerManager, name)) {
    const when = whenFlagDecides('controllerManager', name);
    const others = when === '' ? '' : `: Karmada has it ${when}`;
    problems.push({
      place,
      message: `has no effect in ${dialect.version}${others}; leave it out, or name a version that has it`,
    });
    return [];
  }
  const parsed = parseFlagValue(dialect.flags.controllerManager[name]!, value);
  if ('value' in parsed) return [{ part: 'controllerManager', name, value: parsed.value, source: place }];
  problems.push({ place, message: `${shown(value)} is not ${parsed.expected}` });
  return [];
}

function gateSettings(
  { value, place }: GivenSetting,
  dialect: Dialect,
  problems: SettingProblem[],
): Assumption[] {
  if (typeof value !== 'string' && !isObject(value)) {
    problems.push({
      place,
      message: `${shown(value)} is not a list such as Failover=true, nor a mapping of gates`,
    });
    return [];
  }
  const gates = isObject(value)
    ? Object.entries(value).map(([name, on]) => ({ name, value: typeof on === 'string' ? on : shown(on) }))
    : parseFeatureGates(value);
  return gates.flatMap((gate) => {
    const parsed = parseAssumption(`${gate.name}=${gate.value}`, place, dialect);
    if (Array.isArray(parsed) && parsed.every(({ part }) => part === 'featureGates')) return parsed;
    const { message, unknown } = Array.isArray(parsed)
      ? { message: `${gate.name} is not a feature gate`, unknown: undefined }
      : parsed;
    problems.push({ place, message, ...(unknown && { unknown }) });
    return [];
  });
}

function checkLease(own: Own, given: readonly GivenSetting[], problems: SettingProblem[]): void {
  const [duration, deadline, retry] = [
    own['leader-elect-lease-duration'],
    own['leader-elect-renew-deadline'],
    own['leader-elect-retry-period'],
  ];
  const placeOf = (...candidates: string[]) =>
    candidates.flatMap((name) => settingOf(given, name)?.place ?? [])[0] ?? candidates[0]!;
  const named = (name: 'leader-elect-resource-namespace' | 'leader-elect-resource-name', fits: boolean) => {
    if (fits) return;
    const message = `${shown(own[name])} cannot be the name of an object; give lower case letters, digits and -`;
    problems.push({ place: placeOf(name), message });
  };
  named('leader-elect-resource-namespace', isDnsLabel(own['leader-elect-resource-namespace']));
  named('leader-elect-resource-name', isDnsSubdomain(own['leader-elect-resource-name']));
  if (duration <= deadline)
    problems.push({
      place: placeOf('leader-elect-renew-deadline', 'leader-elect-lease-duration'),
      message: `the renew deadline (${deadline / 1000}s) must be shorter than the lease duration (${duration / 1000}s)`,
    });
  if (deadline <= JITTER * retry)
    problems.push({
      place: placeOf('leader-elect-retry-period', 'leader-elect-renew-deadline'),
      message: `the renew deadline (${deadline / 1000}s) must be longer than ${JITTER} retry periods (${retry / 1000}s each)`,
    });
}

/** ":10357", "127.0.0.1:8080", "[::1]:8080"; "0" serves nothing. */
export function readAddress(
  address: string,
  given: Pick<GivenSetting, 'place'> | undefined,
  problems: SettingProblem[],
): BindAddress | undefined {
  if (address === '0') return undefined;
  const [, host = '', port = ''] = /^(?:\[([^\]]+)\]|[^:]*):(\d+)$/.exec(address) ?? [];
  const name = host || address.slice(0, address.lastIndexOf(':'));
  if (port !== '' && Number(port) <= 65_535)
    return { host: name === '' ? undefined : name, port: Number(port) };
  problems.push({
    place: given?.place ?? 'bind-address',
    message: `"${address}" is not an address such as :10357 or 127.0.0.1:8080, nor 0 to serve nothing`,
  });
  return undefined;
}

/** TLS needs both files; tokens are only accepted over TLS. */
function readServing(
  own: Own,
  given: readonly GivenSetting[],
  problems: SettingProblem[],
): SecureServing | undefined {
  const [certFile, keyFile, kubeconfig] = [
    own['tls-cert-file'],
    own['tls-private-key-file'],
    own['authentication-kubeconfig'],
  ];
  const lacking = (name: keyof Own, needed: readonly string[]) =>
    problems.push({
      place: settingOf(given, name)?.place ?? name,
      message: `needs ${needed.join(' and ')}: without TLS only programs of this machine get the metrics, and no token is checked`,
    });
  if (certFile !== '' && keyFile !== '')
    return { certFile, keyFile, authenticationKubeconfig: kubeconfig === '' ? undefined : kubeconfig };
  if (certFile !== '') lacking('tls-cert-file', ['tls-private-key-file']);
  else if (keyFile !== '') lacking('tls-private-key-file', ['tls-cert-file']);
  else if (kubeconfig !== '') lacking('authentication-kubeconfig', ['tls-cert-file', 'tls-private-key-file']);
  return undefined;
}

function shown(value: unknown): string {
  // numbers such as 1e400 overflow
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return JSON.stringify(value) ?? 'nothing';
}
