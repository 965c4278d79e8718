import { get } from 'node:http';
import { freePort } from '../../freePort.ts';
import { breaches } from '../../commands/schema.ts';
import { bindingSchema, openApi, taintPolicySchema } from '../../useCases/controller/openApi.ts';
import { TOKEN } from '../documents.ts';
import type { Served } from '../hostileServer.ts';
import { hostileText } from '../hostile.ts';
import { inProcess, type Output } from '../inProcess.ts';
import { problemOf } from '../judge.ts';
import { mutatedText, mutatedValue } from '../mutations.ts';
import type { Random } from '../random.ts';
import type { Json, Manifest } from '../world.ts';
import type { FuzzCase, Make } from './fuzzCase.ts';
import { eventsOf, itemsOf, refusalOf, saidBy, serverOfProcess } from './live.ts';

const RUN = ['controller', 'run', '--feature-gates=Failover=true'];
const SHIPPED = [...RUN, '--enable-no-execute-taint-eviction=true'];
const DESIGN = [...RUN, '--karmada-version', 'proposal'];
/** Karmada's own controllers are declared off; otherwise their Lease is read. */
const OFF = ['--assume', 'controllers=none'];

const LINES: readonly (readonly string[])[] = [
  [...SHIPPED, ...OFF],
  [...SHIPPED, ...OFF, '-o', 'json'],
  [...SHIPPED, ...OFF, '-v', '4', '--logging-format', 'text'],
  [...SHIPPED, ...OFF, '-v', '9', '-o', 'json'],
  [...SHIPPED, ...OFF, '--leader-elect=false', '--resource-eviction-rate', '1000'],
  [...SHIPPED, ...OFF, '--controllers=graceful-eviction,application-failover', '-v', '2'],
  [...SHIPPED],
  [...SHIPPED, '--observe'],
  [...SHIPPED, '--observe', '-o', 'json', '-v', '2'],
  [...DESIGN, ...OFF, '-o', 'json'],
  [...DESIGN, ...OFF, '-v', '2'],
  [...DESIGN, '--observe'],
  [...DESIGN, '--observe', '-o', 'json'],
];

/** Longer than a process takes to finish its writes on a busy machine. */
const TO_END = 15_000;

/** Controllers on a server of this machine, from start to Ctrl-C. */
export const controllers: Make = (random, place): FuzzCase => {
  const line = random.of(LINES);
  const isTerminal = random.next() < 0.3;
  return {
    kind: 'running controllers',
    command: 'controller run (live)',
    input: servedBy(random, place.world) as unknown as Json,
    given: `${isTerminal ? 'on a terminal: ' : ''}${line.join(' ')}`,
    async run(changed) {
      const running = await serverOfProcess();
      place.file('kubeconfig', await running.serve(changed as unknown as Served));
      const probed = new Probed(await freePort());
      try {
        const argv = [...line, probed.flag, '--kubeconfig', place.path('kubeconfig')];
        const activity = () => {
          probed.ask();
          return running.requests;
        };
        const output = await inProcess(argv, { isTerminal, activity, patience: TO_END });
        const given = `${JSON.stringify(changed)} ${argv.join(' ')}`;
        const expected = { given, isTerminal, isRaw: false, written: [] };
        const shown = (stdout: string) => problemOf({ code: 0, stdout, stderr: '' }, expected);
        return (
          problemOf(output, expected) ??
          (output.presses! > 1 ? `no end within ${TO_END / 1000} s of Ctrl-C` : undefined) ??
          problemOfLines(output, line.includes('json'), line.includes('text')) ??
          within('a probe', shown(probed.bodies.join('\n'))) ??
          within('an Event', shown(messagesOf(running.stored)))
        );
      } finally {
        running.end();
      }
    },
  };
};

const within = (where: string, problem: string | undefined) => problem && `${where}: ${problem}`;

/** Logs and documents are JSON line by line, whatever they report. */
function problemOfLines({ stdout, stderr }: Output, asJson: boolean, asText: boolean): string | undefined {
  const linesOf = (text: string) => text.split('\n').filter((one) => one !== '');
  const entries = asText ? [] : linesOf(stderr).filter((one) => !/^(?:error|warning): /.test(one));
  for (const entry of entries) if (parsed(entry) === undefined) return `no JSON in the log: …${entry}`;
  for (const one of asJson ? linesOf(stdout) : []) {
    const document = parsed(one) as { kind?: unknown } | undefined;
    const schema = document?.kind === 'ControllerReport' ? 'controller-report' : 'controller-event';
    const wrong = document === undefined ? 'no JSON' : breaches(schema, document);
    if (wrong !== '') return `stdout: ${wrong}: …${one.slice(0, 300)}`;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The text of Events; their objects keep their names. */
function messagesOf(stored: readonly unknown[]): string {
  const events = (stored as { kind: string; reason?: string; message?: string }[]).filter(
    ({ kind }) => kind === 'Event',
  );
  return events.map(({ reason, message }) => `${reason} ${message}`).join('\n');
}

/** Responses to probes and scrapes while it runs. */
class Probed {
  readonly flag: string;
  readonly bodies: string[] = [];
  readonly #port: number;
  #isAsking = false;

  constructor(port: number) {
    this.#port = port;
    this.flag = `--bind-address=127.0.0.1:${port}`;
  }

  /** Sends the next request, unless one is pending. */
  ask(): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const path = this.bodies.length % 2 === 0 ? '/metrics' : '/readyz';
    const done = () => (this.#isAsking = false);
    get({ host: '127.0.0.1', port: this.#port, path, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => this.bodies.push(body)).on('close', done);
    }).on('error', done);
  }
}

/** The fields that the released version and the design need. */
const SCHEMAS = openApi({
  policy: taintPolicySchema({
    addOnConditions: {},
    matchConditions: {},
    taintsToAdd: { items: { properties: { addOnMatchSeconds: {}, removeOnMismatchSeconds: {} } } },
  }),
  binding: bindingSchema(
    { fromCluster: {}, purgeMode: {}, preservedLabelState: {} },
    { failover: { properties: { cluster: { properties: { tolerationSeconds: {} } } } } },
  ),
}) as Record<string, Json>;

/** A policy of the design. */
const WINDOWS: Manifest = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: {
    name: 'windows',
    uid: 'windows',
    resourceVersion: '5',
    creationTimestamp: '2026-08-03T08:12:40Z',
  },
  spec: {
    matchConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['False'] }],
    taintsToAdd: [
      {
        key: 'cluster.karmada.io/not-ready',
        effect: 'NoExecute',
        addOnMatchSeconds: 1,
        removeOnMismatchSeconds: 1,
      },
      {
        key: 'shop.example/not-ready',
        effect: 'PreferNoExecute',
        addOnMatchSeconds: 1,
        removeOnMismatchSeconds: 1,
      },
    ],
  },
};

/** The world in which another cluster fails, so that there is something to do. */
function failing(world: readonly Manifest[]): Manifest[] {
  return [
    ...world.map((one) => {
      const copy = structuredClone(one) as Manifest & {
        metadata: Manifest;
        status: { conditions: Manifest[] };
      };
      if (copy['kind'] !== 'Cluster' || copy.metadata['name'] !== 'virginia') return copy;
      const ready = copy.status.conditions.find(({ type }) => type === 'Ready');
      Object.assign(ready!, { status: 'False', message: 'down' });
      return copy;
    }),
    WINDOWS,
  ];
}

function servedBy(random: Random, world: readonly Manifest[]): Served {
  const good = failing(world);
  const items = random.of([itemsOf, brokenOf, renamed])(random, good);
  const served: Served = { items: [...items, ...leasesOf(random)] };
  if (random.next() < 0.5) served.documents = documentsOf(random);
  if (random.next() < 0.3) served.warning = saidBy(random);
  if (random.next() < 0.3) served.refusal = refusalOf(random);
  if (random.next() < 0.3) served.refusedEvents = refusalOf(random);
  if (random.next() < 0.7) served.events = [...eventsOf(random, good), ...brokenEvents(random, good)];
  if (random.next() < 0.4) served.breaks = breaksOf(random);
  return served;
}

/** The same world with other names everywhere: what controllers log most. Only names that a path may contain. */
function renamed(random: Random, world: readonly Manifest[]): Manifest[] {
  const from = random.of(['virginia', 'checkout', 'shop', 'NoExecute', 'not-ready']);
  const more = random.next() < 0.8 ? hostileText(random) : `no such token: ${TOKEN}`;
  const to = `${from}${more.replaceAll(/[/%]/g, '')}`;
  const withName = (value: Json): Json => {
    if (typeof value === 'string') return value.replaceAll(from, () => to);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(withName);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withName(one)]));
  };
  return world.map((one) => withName(one) as Manifest);
}

/** One object that a server with Karmada's schemas would reject; it keeps its name. */
function brokenOf(random: Random, world: readonly Manifest[]): Manifest[] {
  const at = random.below(world.length);
  return world.map((one, index) => (index === at ? broken(random, one) : one));
}

function broken(random: Random, { apiVersion, kind, metadata, ...rest }: Manifest): Manifest {
  return {
    apiVersion: apiVersion!,
    kind: kind!,
    metadata: metadata!,
    ...(mutatedValue(rest, random) as Manifest),
  };
}

/** Objects that are broken when a watch reports them: some keep their names. */
function brokenEvents(random: Random, world: readonly Manifest[]): Json[] {
  return Array.from({ length: random.below(4) }, (_, index): Json => {
    const { status: _told, ...one } = random.of(world);
    const newer = {
      ...one,
      metadata: { ...(one['metadata'] as Manifest), resourceVersion: `2${index}000000` },
    };
    const object = random.next() < 0.7 ? broken(random, newer) : (mutatedValue(newer, random) as Json);
    return { type: random.of(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'NONE']), object };
  });
}

function breaksOf(random: Random): NonNullable<Served['breaks']> {
  const event =
    '{"type":"MODIFIED","object":{"kind":"Cluster","metadata":{"name":"dublin","resourceVersion":"9"}}}\n';
  const text = random.of([
    () => '',
    () => event.slice(0, random.below(event.length)),
    () => mutatedText(event, random),
    () => `${saidBy(random)}\n`,
    () => '\n\n{}\n[]\n',
    () => 'null\n'.repeat(1000),
    () => '{'.repeat(5000),
  ])();
  return { text, ends: random.of(['stays', 'ends', 'resets']) };
}

/** The Leases of these controllers and of Karmada's, in valid and invalid states. */
function leasesOf(random: Random): Manifest[] {
  return ['karmada-failover-controller', 'karmada-controller-manager'].flatMap((name): Manifest[] => {
    const chance = random.next();
    if (chance < 0.3) return [];
    const time = random.of([new Date().toISOString(), '2026-09-01T08:00:00.000000Z']);
    const lease: Manifest = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace: 'karmada-system', uid: name, resourceVersion: '5' },
      spec: {
        holderIdentity: random.of(['manager-1', '', saidBy(random)]),
        leaseDurationSeconds: 15,
        acquireTime: time,
        renewTime: time,
        leaseTransitions: 3,
      },
    };
    if (chance < 0.5) return [lease];
    const value = random.of<Json>([
      hostileText(random),
      '',
      'soon',
      -1,
      1e300,
      null,
      [],
      {},
      true,
      '0001-01-01T00:00:00Z',
    ]);
    const [field] = [
      random.of(['holderIdentity', 'leaseDurationSeconds', 'acquireTime', 'renewTime', 'leaseTransitions']),
    ];
    if (chance < 0.8) return [{ ...lease, spec: { ...(lease['spec'] as Manifest), [field]: value } }];
    return [broken(random, lease)];
  });
}

function documentsOf(random: Random): Record<string, Json> {
  if (random.next() < 0.5) return SCHEMAS;
  const path = random.of(Object.keys(SCHEMAS));
  return { ...SCHEMAS, [path]: mutatedValue(SCHEMAS[path], random) as Json };
}
