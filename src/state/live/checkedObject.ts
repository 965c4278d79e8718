import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { isObject } from '../../kubernetes/json.ts';
import { validateObject } from '../validateObject.ts';
import { STATE_KINDS } from './stateKinds.ts';

const KINDS = new Map(STATE_KINDS.map((kind) => [`${kind.group}/${kind.version}/${kind.resource}`, kind]));
/** Of objects of a group, or of one of them, its status included. */
const PATH =
  /^\/apis\/([^/?]+)\/([^/?]+)(?:\/namespaces\/[^/?]+)?\/([^/?]+)(?:\/[^/?]+(?:\/status)?)?(?:\?|$)/;

/** An object as its kind is, or what is wrong with it. */
export type Checked = { object: KubernetesObject } | { problem: string };

/**
 * What checks the objects of a path of the API as those of files are checked; undefined for kinds that no decision reads. What an object
 * says of its own kind does not count.
 */
export function checkAt(path: string): ((value: unknown) => Checked) | undefined {
  const [, group = '', version = '', resource = ''] = PATH.exec(path) ?? [];
  const known = KINDS.get(`${group}/${version}/${resource}`);
  if (!known) return undefined;
  const { kind } = known;
  return (value) =>
    validateObject(isObject(value) ? { ...value, apiVersion: `${group}/${version}`, kind } : value);
}
