import { readFileSync } from 'node:fs';
import { savedStateText, snapshotText } from '../../src/state/snapshot/snapshot.ts';
import { asFileKeeps, played } from '../worlds/play.ts';
import { worldOfSeed } from '../worlds/worldOfSeed.ts';
import { mutatedText, mutatedValue } from './mutations.ts';
import { randomOf, type Random } from './random.ts';
import { stringify } from 'yaml';

interface Named {
  kind: string;
  metadata: { name: string };
  spec?: { resource?: { name: string } };
}

interface SmallState {
  apiVersion: 'v1';
  kind: 'List';
  items: unknown[];
}

/** Read and simulated once for all inputs made from it. */
let small: SmallState | undefined;
const ended = new Map<number, ReturnType<typeof endOf>>();

/** The clusters of the control plane of examples/shop, and everything about one workload. */
export function smallState(): SmallState {
  if (small) return small;
  const { items } = JSON.parse(readFileSync('examples/shop/control-plane.json', 'utf8')) as {
    items: Named[];
  };
  const kept = items.filter(
    ({ kind, metadata, spec }) =>
      kind === 'Cluster' || metadata.name.startsWith('cart') || spec?.resource?.name === 'cart',
  );
  return (small = { apiVersion: 'v1', kind: 'List', items: kept });
}

/** The text of a state, as kubectl prints it, with something in it broken. */
export function mutatedState(seed: number): string {
  const random = randomOf(seed);
  const state = smallState();
  const print = (value: unknown) =>
    random.next() < 0.3 ? stringify(value, { aliasDuplicateObjects: false }) : JSON.stringify(value, null, 4);
  if (random.next() < 0.2) return mutatedText(print(state), random);
  const at = random.below(state.items.length);
  const items = state.items.map((item, index) => (index === at ? mutatedValue(item, random) : item));
  return print(random.next() < 0.1 ? mutatedValue({ ...state, items }, random) : { ...state, items });
}

/** The text of a state saved by a simulation in the middle of events, or of a snapshot, with something in it broken. */
export function mutatedSnapshot(seed: number, worlds = 20): string {
  const random = randomOf(seed);
  const text = savedText(1 + (seed % worlds), random);
  if (random.next() < 0.2) return mutatedText(text, random);
  const { items, ...header } = JSON.parse(text) as { items: unknown[] };
  return JSON.stringify({ ...(mutatedValue(header, random) as object), items });
}

/** The written form of a world: by simulate --save-state, or by snapshot save. */
export function savedText(seed: number, random: Random): string {
  if (!ended.has(seed)) ended.set(seed, endOf(seed));
  const { simulation, api, until, events } = ended.get(seed)!;
  const isSaved = random.next() < 0.7;
  const object = { kind: 'Cluster', name: 'member1' };
  const state = {
    world: isSaved ? { ...api, simulation: { ...simulation!, events } } : api,
    origins: [],
    captured: { time: until, source: 'the clock of the API server' },
    newestTimestamp: { time: until, object },
    components: {
      commandLines: [
        {
          component: 'scheduler' as const,
          flags: [{ name: 'v', value: '4' }],
          source: 'Deployment karmada-system/karmada-scheduler',
        },
      ],
      versions: [{ component: 'scheduler' as const, version: 'v1.18.2', source: 'Deployment x' }],
      warnings: ['one'],
    },
    detected: { version: 'v1.18', source: 'the API has all' },
    assumed: {
      version: 'v1.18.2',
      gatesAndFlags: [{ part: 'featureGates' as const, name: 'Failover', value: true, source: 'given' }],
    },
    warnings: ['two'],
  };
  const served = [{ group: 'cluster.karmada.io', versions: ['v1alpha1'] }];
  return [...(isSaved ? savedStateText(state) : snapshotText(state, served))].join('');
}

/** A world in the middle of its scenario. */
function endOf(seed: number) {
  const { world, scenario, configuration } = worldOfSeed(seed);
  const last = scenario.events.at(-1)?.at ?? scenario.start;
  const until = Math.round(scenario.start + (last - scenario.start) * 0.6);
  const end = played(
    world,
    { ...scenario, until, events: scenario.events.filter(({ at }) => at <= until) },
    configuration,
  );
  const { simulation, ...api } = asFileKeeps(end.world);
  return { simulation, api, until, events: scenario.events.filter(({ at }) => at > until) };
}
