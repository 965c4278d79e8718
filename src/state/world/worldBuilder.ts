import { emptyWorld } from '../../karmada/world.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { deepEqual } from '../../kubernetes/deepEqual.ts';
import { isComponent } from '../componentFlags.ts';
import { stepsOf } from '../../kubernetes/fieldPath.ts';
import { type PlaceOfField } from '../documents.ts';
import { compareVersions } from '../resourceVersions.ts';
import { InvalidObjectError, StateError } from '../errors.ts';
import { Sharing } from '../schema/sharing.ts';
import type { NewestTimestamp } from '../source.ts';
import { identityOf, nameOf, validateObject } from './validateObject.ts';
import { recordTime, withoutHistory } from './withoutHistory.ts';

/**
 * The most objects: about ten times those of the largest control planes. An object takes many times the memory of its
 * text.
 */
const MAX_OBJECTS = 2_000_000;

/** Where an object was read from. */
interface Place {
  file: string;
  line: number;
  /** finds a field of the object in the file */
  at?: PlaceOfField | undefined;
}

interface Seen extends Place {
  object: KubernetesObject;
  /** its index in its list of the world; absent: the world does not keep its kind */
  index?: number;
}

/** Builds a world from objects that are added one by one, as they are parsed. */
export class WorldBuilder {
  readonly world = emptyWorld();
  /** Deployments and Pods of Karmada's own components, even if the world does not keep their kind */
  readonly components: KubernetesObject[] = [];
  /** the newest time in the past */
  newest: NewestTimestamp | undefined;
  /** the newest time in the future */
  newestToCome: NewestTimestamp | undefined;
  objects = 0;
  readonly #sharing: Sharing;
  readonly #seen = new Map<string, Seen>();
  readonly #kinds: ReadonlySet<string> | undefined;
  readonly #warn: (message: string) => void;

  /**
   * @param kinds to keep; absent: all
   * @param present the time of reading, epoch milliseconds; absent: every time is past
   * @param warn called for an object that changed while its list was read
   */
  constructor(
    kinds?: ReadonlySet<string>,
    present?: number,
    warn: (message: string) => void = () => undefined,
  ) {
    this.#kinds = kinds;
    this.#warn = warn;
    this.#sharing = new Sharing(present);
  }

  /**
   * Adds an object, which then belongs to the world. Throws a StateError if its fields have the wrong types, or if it
   * was already added with different content.
   */
  add(value: unknown, place: Place): void {
    if (++this.objects > MAX_OBJECTS)
      throw new StateError(
        `${place.file}:${place.line}: more than ${MAX_OBJECTS} objects; give only the kinds that are needed (docs/state.md)`,
      );
    const sharing = this.#sharing;
    const { newest, newestToCome } = sharing;
    const checked = validateObject(withoutHistory(value, sharing), sharing);
    if ('problem' in checked) {
      const { problem, path = '' } = checked;
      const error = new InvalidObjectError(place.file, place.line, problem, path);
      throw place.at ? error.at(place.at(stepsOf(path))) : error;
    }
    const { object, kind } = checked;
    if (kind === undefined) timesOfOther(object, sharing);
    if (sharing.newest > newest) this.newest = timestampOf(object, sharing.newest);
    if (sharing.newestToCome > newestToCome) this.newestToCome = timestampOf(object, sharing.newestToCome);
    const list = this.world[kind?.list ?? 'others'] as KubernetesObject[];
    const seen = this.#firstSeen(object, place);
    if (seen && this.#isRepetition(seen, object, place)) return;
    if (kind === undefined && isComponent(object)) this.components.push(object);
    if (this.#kinds !== undefined && !this.#kinds.has(object.kind)) return;
    const { index } = seen ?? {};
    if (index !== undefined) list[index] = object;
    else this.#seen.get(identityOf(object))!.index = list.push(object) - 1;
  }

  /** The earlier occurrence that the object repeats; if there is none, remembers the object. */
  #firstSeen(object: KubernetesObject, { file, line }: Place): Seen | undefined {
    const identity = identityOf(object);
    const seen = this.#seen.get(identity);
    if (seen === undefined) this.#seen.set(identity, { object, file, line });
    return seen;
  }

  /** Whether the object is a duplicate; false if it replaces an older version of itself. */
  #isRepetition(seen: Seen, object: KubernetesObject, place: Place): boolean {
    const [first, second] = [seen.object.metadata, object.metadata];
    const sameVersion =
      first.resourceVersion !== undefined &&
      first.resourceVersion === second.resourceVersion &&
      first.uid === second.uid;
    if (sameVersion || deepEqual(seen.object, object)) return true;
    const versions =
      first.resourceVersion === undefined || second.resourceVersion === undefined || first.uid !== second.uid
        ? ''
        : ` (resourceVersion ${first.resourceVersion} and ${second.resourceVersion})`;
    const line = seen.line === 0 ? [] : [`line ${seen.line}`];
    const other = [...(seen.file === place.file ? [] : [seen.file]), ...line].join(', ');
    // an object of a recording has no line: many lines contributed to it
    const here = place.line === 0 ? place.file : `${place.file}:${place.line}`;
    if (seen.file === place.file && versions !== '' && first.uid !== undefined) {
      this.#warn(
        `${here}: ${nameOf(object)} is listed twice${versions}: it changed while the list was read; the newer one counts`,
      );
      const isOlder = compareVersions(second.resourceVersion!, first.resourceVersion!) < 0;
      if (!isOlder) seen.object = object;
      return isOlder;
    }
    throw new StateError(
      `${here}: ${nameOf(object)} is also in ${other}, with other content${versions}; give one state only, and apply changes to it as manifests`,
    );
  }
}

function timestampOf(
  { kind, metadata: { namespace, name } }: KubernetesObject,
  time: number,
): NewestTimestamp {
  return { time, object: { kind, ...(namespace ? { namespace } : {}), name } };
}

/** Records times of events in other kinds: conditions, Leases, Events. */
function timesOfOther(object: KubernetesObject, sharing: Sharing): void {
  const { spec, status, ...own } = object as unknown as Record<string, Record<string, unknown> | undefined>;
  if (object.kind === 'Lease') {
    recordTime(spec?.renewTime, sharing);
    recordTime(spec?.acquireTime, sharing);
  } else if (object.kind === 'Event') {
    for (const field of ['firstTimestamp', 'lastTimestamp', 'eventTime', 'deprecatedLastTimestamp'])
      recordTime(own[field], sharing);
    recordTime(own.series?.lastObservedTime, sharing);
  }
  const conditions = status?.conditions;
  if (!Array.isArray(conditions)) return;
  for (const condition of conditions as (Record<string, unknown> | null)[])
    for (const field of ['lastTransitionTime', 'lastUpdateTime', 'lastHeartbeatTime', 'lastProbeTime'])
      recordTime(condition?.[field], sharing);
}
