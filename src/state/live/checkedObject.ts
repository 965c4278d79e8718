import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { isObject } from '../../kubernetes/json.ts';
import { Sharing } from '../schema/sharing.ts';
import { validateObject } from '../world/validateObject.ts';
import { brokenObject, type Origin } from './brokenObject.ts';
import type { ApiResource } from './resources.ts';
import { EVENTS } from './events.ts';
import { CHECKED_KINDS, STATE_KINDS } from './stateKinds.ts';

const KINDS = new Map(
  [...STATE_KINDS, ...CHECKED_KINDS, EVENTS].map((kind) => [
    `${kind.group}/${kind.version}/${kind.resource}`,
    kind,
  ]),
);
/** Paths of the objects of a group, or of one object, including its status. */
const PATH =
  /^\/(?:apis\/([^/?]+)|api)\/([^/?]+)(?:\/namespaces\/[^/?]+)?\/([^/?]+)(?:\/[^/?]+(?:\/status)?)?(?:\?|$)/;

interface Checking {
  /** the type of the object, whatever it declares; default: what it declares */
  type?: Pick<ApiResource, 'group' | 'version' | 'kind'>;
  sharing?: Sharing;
}

/**
 * An object from a server, checked like objects from files; throws an ApiError with the reason BrokenObject if it
 * does not fit its kind. The value must be the caller's own, as for `validateObject`.
 */
export function checkedObject(
  value: unknown,
  origin: Origin,
  { type, sharing }: Checking = {},
): KubernetesObject {
  const verdict = validateObject(type && isObject(value) ? { ...value, ...named(type) } : value, sharing);
  if ('problem' in verdict) throw brokenObject(origin, verdict.problem);
  return verdict.object;
}

/**
 * The check for objects at a path of the API, by the kind of the path; undefined for kinds that no decision reads.
 * Throws as `checkedObject` does.
 */
export function checkAt(
  origin: Origin,
  sharing = new Sharing(),
): ((value: unknown) => KubernetesObject) | undefined {
  const [, group = '', version = '', resource = ''] = PATH.exec(origin.path) ?? [];
  const type = KINDS.get(`${group}/${version}/${resource}`);
  return type && ((value) => checkedObject(value, origin, { type, sharing }));
}

function named({ group, version, kind }: NonNullable<Checking['type']>) {
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind };
}
