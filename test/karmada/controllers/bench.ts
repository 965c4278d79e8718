import { getOrAdd } from '../../../src/karmada/objects/getOrAdd.ts';
import type {
  Controller,
  ReconcileRequest,
  Step,
  Wake,
} from '../../../src/karmada/controllers/controller.ts';
import { claimGroups, templateGroups } from '../../../src/karmada/objects/claims.ts';
import { neededBy } from '../../../src/karmada/objects/dependents.ts';
import { bindingKey, objectKey, snapshotKey, workKey } from '../../../src/karmada/objects/identities.ts';
import { clusterOfWork } from '../../../src/karmada/objects/worksOfBinding.ts';
import type { Copy, Kind, Kinds, Member } from '../../../src/karmada/controllers/kinds.ts';
import type { View } from '../../../src/karmada/controllers/view.ts';
import { needsAction } from '../../../src/karmada/works/workConditions.ts';
import type { Change, Write } from '../../../src/karmada/controllers/write.ts';
import { sampleStatuses } from '../../../src/simulator/store/startingWorld.ts';
import { declaredHooks, kindKey } from '../../../src/karmada/status/healthInterpreter.ts';
import type { Cluster } from '../../../src/karmada/api/cluster.ts';
import type { KubernetesObject } from '../../../src/karmada/api/meta.ts';
import type { PropagationPolicy } from '../../../src/karmada/api/policy.ts';
import type { ResourceBinding, Work } from '../../../src/karmada/api/work.ts';
import type { Configuration } from '../../../src/karmada/configuration/configuration.ts';
import { deepEqual } from '../../../src/kubernetes/deepEqual.ts';
import { rfc3339 } from '../../../src/kubernetes/time.ts';

export interface Contents {
  clusters?: Cluster[];
  bindings?: ResourceBinding[];
  works?: Work[];
  objects?: KubernetesObject[];
  members?: Member[];
  policies?: PropagationPolicy[];
  copies?: Record<string, Copy>;
}

type Stored = { metadata?: Kinds['Object']['metadata']; spec?: unknown; status?: unknown };

/** A world for single reconciles of controllers: it accepts their writes like an API server. */
export class Bench {
  now = Date.parse('2026-03-14T10:00:00Z');
  readonly objects = new Map<string, unknown>();
  /** by controller and key */
  readonly memories = new Map<object, Map<string, unknown>>();
  readonly view: View;

  readonly configuration: Configuration;

  constructor(contents: Contents, configuration: Configuration) {
    this.configuration = configuration;
    const put = (kind: Kind, key: string, object: unknown) => this.objects.set(`${kind} ${key}`, object);
    for (const one of contents.clusters ?? []) put('Cluster', one.metadata.name, one);
    for (const one of contents.bindings ?? []) put('Binding', bindingKey(one), one);
    for (const one of contents.works ?? []) put('Work', workKey(one), one);
    for (const one of contents.objects ?? [])
      put('Object', objectKey({ kind: one.kind, ...one.metadata }), one);
    for (const one of contents.policies ?? [])
      put('Policy', objectKey({ kind: one.kind!, ...one.metadata }), one);
    for (const one of contents.members ?? []) put('Member', one.name, one);
    for (const [key, one] of Object.entries(contents.copies ?? {})) put('Copy', key, one);
    this.view = this.createView(contents.objects ?? []);
  }

  get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined {
    return this.objects.get(`${kind} ${key}`) as Kinds[K] | undefined;
  }

  /** A reconcile of this controller with its effects: its writes, and its memory. */
  reconcile<Memory>(
    controller: Controller<Memory>,
    key: string,
    rest: Pick<ReconcileRequest<Memory>, 'outdated'> = {},
  ): Step<Memory> {
    const memory = this.memories.get(controller)?.get(key) as Memory | undefined;
    const request: ReconcileRequest<Memory> = {
      key,
      view: this.view,
      memory,
      configuration: this.configuration,
      now: this.now,
      evidence: [],
      ...rest,
    };
    const step = controller.reconcile(request);
    getOrAdd(this.memories, controller, () => new Map()).set(key, step.memory);
    for (const write of step.writes ?? []) this.write(write);
    return step;
  }

  /** The keys for which the controller is woken by a write. */
  wakes<Memory>(controller: Controller<Memory>, write: Write): Wake[] {
    const change = this.write(write);
    if (!change) return [];
    const handler = controller.wakes[change.kind] as
      ((change: Change, view: View, context: unknown) => Iterable<Wake>) | undefined;
    return [...(handler?.(change, this.view, { configuration: this.configuration, now: this.now }) ?? [])];
  }

  resumes<Memory>(controller: Controller<Memory>): string[] {
    return this.resumesAfter(controller).map(({ key }) => key);
  }

  /** The same with the time. */
  resumesAfter<Memory>(controller: Controller<Memory>): Wake[] {
    const context = { configuration: this.configuration, now: this.now };
    return [...(controller.resumes?.(this.view, context) ?? [])];
  }

  write(write: Write): Change | undefined {
    const id = `${write.kind} ${write.key}`;
    const before = this.objects.get(id) as Stored | undefined;
    const after = this.outcome(write, before);
    if (after === before) return undefined;
    if (after === undefined) this.objects.delete(id);
    else this.objects.set(id, after);
    return { kind: write.kind, key: write.key, ...(before && { before }), ...(after && { after }) } as Change;
  }

  private outcome(write: Write, before: Stored | undefined): Stored | undefined {
    if (write.verb === 'create') {
      if (before) throw new Error(`${write.kind} ${write.key} already exists`);
      const object = write.object as Stored;
      return object.metadata ? { ...object, metadata: { generation: 1, ...object.metadata } } : object;
    }
    if (!before) throw new Error(`${write.kind} ${write.key} not found`);
    if (write.verb !== 'update') {
      const marked = write.verb === 'delete' && (write.kind === 'Work' || write.kind === 'Binding');
      if (!marked) return undefined;
      return { ...before, metadata: { ...before.metadata!, deletionTimestamp: rfc3339(this.now) } };
    }
    const wanted = write.object as Stored;
    if (write.part === 'status') return { ...before, status: wanted.status };
    if (!before.metadata || deepEqual(before.spec, wanted.spec)) return wanted;
    const generation = (before.metadata.generation ?? 0) + 1;
    return { ...wanted, metadata: { ...wanted.metadata!, generation } };
  }

  private createView(objects: KubernetesObject[]): View {
    const all = <K extends Kind>(kind: K): Kinds[K][] =>
      [...this.objects].filter(([id]) => id.startsWith(`${kind} `)).map(([, one]) => one as Kinds[K]);
    const id = ({ metadata: { labels } }: Work | ResourceBinding) =>
      labels?.['resourcebinding.karmada.io/permanent-id'];
    return {
      get: (kind, key) => this.get(kind, key),
      all,
      bindingsWhere: (holds) => all('Binding').filter(holds).map(bindingKey),
      bindingsOn: (cluster) =>
        all('Binding').filter(({ spec }) => spec.clusters?.some(({ name }) => name === cluster)),
      bindingsLeaving: (cluster) =>
        all('Binding').filter(({ spec }) =>
          spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === cluster),
        ),
      bindingFor: (object) =>
        all('Binding').find(({ spec }) => objectKey(spec.resource) === objectKey(object)),
      bindingOf: (work) => all('Binding').find((binding) => id(binding) === id(work)),
      worksOf: (binding) =>
        new Map(
          all('Work')
            .filter((work) => id(work) === id(binding))
            .map((work) => [clusterOfWork(work)!, work]),
        ),
      worksOn: (cluster) => all('Work').filter((work) => clusterOfWork(work) === cluster),
      orphaned: () => [],
      openWorks: () =>
        all('Work').filter((work) => needsAction(work, this.get('Cluster', clusterOfWork(work) ?? ''))),
      attachedTo: (parent) =>
        all('Binding').filter(({ spec }) => spec.requiredBy?.some((one) => snapshotKey(one) === parent)),
      needing: (object) => all('Binding').filter((one) => neededBy(one).includes(objectKey(object))),
      bindingsIn: (...groups) =>
        all('Binding').filter(({ spec, metadata }) =>
          claimGroups(spec.resource, metadata).some((group) => groups.includes(group)),
        ),
      templatesIn: (...groups) =>
        all('Object').filter((one) => templateGroups(one).some((group) => groups.includes(group))),
      objectsOf: (kind) => all('Object').filter((one) => one.kind === kind),
      get fleet(): never {
        throw new Error('nobody schedules here');
      },
      hooks: declaredHooks(objects, this.configuration.rules),
      sampleStatus: (kind) => sampleStatuses(all('Binding')).get(kindKey(kind)),
    };
  }
}
