// Values for inputs: mostly plain, sometimes odd.
import { seededRandom, type Random } from '../../../bench/generate/random.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';

export { seededRandom, type Random };

/** the clock of inputs that have one */
export const NOW = Date.parse('2026-03-14T09:26:53Z');

const SECOND = 1000;

/** Makes a value, or leaves the field out. */
export function maybe<T>(random: Random, probability: number, make: () => T): T | undefined {
  return random.chance(probability) ? make() : undefined;
}

/** `least` to `most` values. */
export function several<T>(random: Random, least: number, most: number, make: (index: number) => T): T[] {
  return Array.from({ length: least + random.below(most - least + 1) }, (_, index) => make(index));
}

/** A whole number from `least` to `most`. */
export function between(random: Random, least: number, most: number): number {
  return least + random.below(most - least + 1);
}

/** The object without its undefined fields, as in JSON. */
export function compact<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

/** RFC 3339, up to `seconds` before and, rarely, after now. */
export function instantNear(random: Random, seconds = 1200): string {
  const ago = random.chance(0.1) ? -random.below(600) : random.below(seconds);
  return rfc3339(NOW - ago * SECOND);
}

const ODD_INTEGERS = [0, 1, 2, 3, 7, 10, 99, 100, 101, 1000, 9999, 20_000];

/** Replicas and counts: usually small. Karmada assigns replicas one by one, so very many take minutes. */
export function count(random: Random, most = 12): number {
  return random.chance(0.06) ? random.pick(ODD_INTEGERS) : random.below(most + 1);
}

const SECONDS = [-100, -1, 0, 1, 29, 30, 60, 299, 300, 301, 600, 900, 3600, 86400, 2 ** 31 - 1];

export function seconds(random: Random): number {
  return random.chance(0.5) ? random.pick(SECONDS) : between(random, -20, 1500);
}

const SUFFIXES = ['', '', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E6', 'u', 'n'];
const QUANTITIES = [
  '0',
  '0.5',
  '1.5',
  '.25',
  '1.',
  '+2',
  '-1',
  '100m',
  '1500m',
  '0.001',
  '1e3',
  '8e9',
  '1E',
  '999999999999m',
];

/** A quantity of Kubernetes: plain, fractional, with every suffix, sometimes negative. */
export function quantity(random: Random): string {
  if (random.chance(0.12)) return random.pick(QUANTITIES);
  const fraction = random.chance(0.1) ? `.${random.below(1000)}` : '';
  return `${random.below(random.chance(0.8) ? 70 : 5000)}${fraction}${random.pick(SUFFIXES)}`;
}

const USUAL: Record<string, string[]> = {
  cpu: ['0', '1m', '100m', '250m', '500m', '1', '1500m', '2', '4', '7250m', '16', '64500m'],
  memory: ['0', '64Mi', '100Mi', '500M', '512Mi', '1G', '1Gi', '1500M', '4Gi', '16Gi', '128Gi', '1Ti', '8e9'],
  pods: ['0', '1', '3', '5', '10', '60', '110', '220', '1k'],
  'ephemeral-storage': ['0', '1Gi', '10Gi', '256Mi', '1Ti'],
  'nvidia.com/gpu': ['0', '1', '2', '4', '8'],
};

/** Resources by name; each is present with its own probability. */
export function resources(random: Random, odds: Record<string, number>): Record<string, string> {
  const list: Record<string, string> = {};
  for (const [name, probability] of Object.entries(odds))
    if (random.chance(probability))
      list[name] = random.chance(0.12) ? quantity(random) : random.pick(USUAL[name] ?? ['1', '2']);
  return list;
}

export const KINDS = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'flink.apache.org/v1beta1', kind: 'FlinkDeployment' },
  { apiVersion: 'example.io/v1', kind: 'Widget' },
];

export const TAINT_KEYS = [
  'cluster.karmada.io/not-ready',
  'cluster.karmada.io/unreachable',
  'cluster.karmada.io/terminating',
  'dedicated',
  'maintenance',
  'net',
];

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

export function taint(random: Random, noExecute = 0.4) {
  return compact({
    key: random.pick(TAINT_KEYS),
    value: maybe(random, 0.4, () => random.pick(['true', 'v1', 'v2', ''])),
    effect: random.chance(noExecute) ? 'NoExecute' : random.pick(EFFECTS),
    timeAdded: maybe(random, 0.7, () => instantNear(random)),
  });
}

export function toleration(random: Random) {
  const operator = random.pick(['Exists', 'Exists', 'Equal', 'Equal', undefined]);
  return compact({
    key: maybe(random, 0.9, () => random.pick(TAINT_KEYS)),
    operator: random.chance(0.02) ? random.pick(['Weird', 'Gt', 'Lt']) : operator,
    value: maybe(random, operator === 'Exists' ? 0.05 : 0.6, () =>
      random.pick(['true', 'v1', 'v2', '', '5']),
    ),
    effect: maybe(random, 0.8, () => random.pick(EFFECTS)),
    tolerationSeconds: maybe(random, 0.6, () => seconds(random)),
  });
}
