import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, Pair, ParsedNode, Scalar, YAMLMap } from 'yaml';
import type { Path } from '../../kubernetes/fieldPath.ts';
import { isObject, setMember, type JsonObject, isList } from '../../kubernetes/json.ts';
import { kubectlScalar } from './kubectlScalar.ts';

/** Values of a document with its aliases expanded: beyond both limits it is a bomb. */
const MANY_VALUES = 100_000;
const MANY_TIMES = 10;

type MapNode = YAMLMap<ParsedNode, ParsedNode | null>;
type PairNode = Pair<ParsedNode, ParsedNode | null>;

interface Anchored {
  node: ParsedNode;
  /** absent while the node itself is being read */
  read?: { value: unknown; size: number };
}

/**
 * Turns the nodes of one YAML document into the values that kubectl reads, and finds the places of fields. Merge keys
 * are applied in text order, as in go-yaml v2.
 */
export class YamlValues {
  readonly #fail: (offset: number, message: string) => never;
  readonly #repeats: (offset: number, name: string) => void;
  readonly #anchors = new Map<string, Anchored>();
  readonly #aliases = new Map<Alias, ParsedNode>();
  readonly #members = new Map<MapNode, Map<string, PairNode>>();
  /** nodes so far, with aliases expanded */
  #written = 0;
  #expanded = 0;

  constructor(
    fail: (offset: number, message: string) => never,
    repeats: (offset: number, name: string) => void,
  ) {
    this.#fail = fail;
    this.#repeats = repeats;
  }

  valueOf(node: ParsedNode | null): unknown {
    this.#written++;
    this.#expanded++;
    if (node === null) return null;
    if (isAlias(node)) return this.#repeated(node as Alias & ParsedNode);
    if (node.anchor === undefined) return this.#newValue(node);
    const anchored: Anchored = { node };
    this.#anchors.set(node.anchor, anchored);
    const before = this.#expanded;
    const value = this.#newValue(node);
    anchored.read = { value, size: this.#expanded - before + 1 };
    return value;
  }

  /** Where the field at the path begins, or the nearest one that exists. */
  offsetOf(root: ParsedNode, path: Path): number {
    let node: ParsedNode | null = root;
    let offset = root.range[0];
    for (const step of path) {
      if (isAlias(node)) node = this.#aliases.get(node) ?? null;
      if (isMap(node)) {
        const pair: PairNode | undefined = this.#membersOf(node as MapNode).get(String(step));
        if (!pair) break;
        offset = pair.key.range[0];
        node = pair.value;
      } else if (isSeq(node) && typeof step === 'number' && step < node.items.length) {
        node = node.items[step] as ParsedNode;
        offset = node.range[0];
      } else break;
    }
    return offset;
  }

  #newValue(node: ParsedNode): unknown {
    if (isScalar(node)) return this.#scalar(node);
    if (isSeq(node)) return node.items.map((item) => this.valueOf(item as ParsedNode));
    return this.#object(node as MapNode);
  }

  #repeated(alias: Alias & ParsedNode): unknown {
    const [offset] = alias.range;
    const anchored = this.#anchors.get(alias.source);
    if (!anchored) return this.#fail(offset, `*${alias.source} has no anchor &${alias.source} above`);
    if (!anchored.read) return this.#fail(offset, `*${alias.source} refers to a value that contains it`);
    this.#aliases.set(alias, anchored.node);
    this.#expanded += anchored.read.size;
    if (this.#expanded > MANY_VALUES && this.#expanded > MANY_TIMES * this.#written)
      this.#fail(offset, `aliases (*name) multiply to over ${MANY_VALUES} values; write the object out`);
    return anchored.read.value;
  }

  #object(node: MapNode): JsonObject {
    const object: JsonObject = {};
    const names = new Set<string>();
    for (const { key, value } of node.items) {
      if (isMerge(key)) {
        for (const source of this.#sourcesOf(value, key))
          for (const [name, merged] of Object.entries(source)) setMember(object, name, merged);
        continue;
      }
      const name = this.#name(key);
      if (names.has(name)) this.#repeats(key.range[0], name);
      names.add(name);
      setMember(object, name, this.valueOf(value));
    }
    return object;
  }

  /** The maps merged by "<<", in merge order: the first of a list is last, so that it wins. */
  #sourcesOf(value: ParsedNode | null, key: ParsedNode): JsonObject[] {
    const found = this.valueOf(value);
    return (isList(found) ? found.toReversed() : [found]).map((source) =>
      isObject(source)
        ? source
        : this.#fail((value ?? key).range[0], '"<<" needs an object, or a list of objects, to merge'),
    );
  }

  #name(key: ParsedNode): string {
    const name = this.valueOf(key);
    if (typeof name === 'object')
      this.#fail(
        key.range[0],
        name === null
          ? 'null cannot be a name; put it in quotes'
          : 'a list or an object cannot be a name; put it in quotes if text is meant',
      );
    return String(name);
  }

  #scalar(node: Scalar.Parsed): unknown {
    const text = node.source;
    if (node.tag === undefined && node.type !== 'PLAIN') return text;
    const accepts = node.tag === undefined ? () => true : ACCEPTED.get(node.tag);
    if (node.tag === BINARY) return Buffer.from(text, 'base64').toString('utf8');
    // kubectl ignores other tags, except that the scalar is text
    if (!accepts) return text;
    const value = kubectlScalar(text);
    const [offset] = node.range;
    if (!accepts(value)) this.#fail(offset, `${JSON.stringify(text)} does not match its tag ${node.tag}`);
    if (typeof value === 'number' && !Number.isFinite(value))
      this.#fail(offset, `the number ${text} has no form in JSON; put it in quotes if text is meant`);
    return value;
  }

  /** The pairs of a map by name, including merged ones. */
  #membersOf(node: MapNode): Map<string, PairNode> {
    let members = this.#members.get(node);
    if (members) return members;
    this.#members.set(node, (members = new Map<string, PairNode>()));
    for (const pair of node.items) {
      if (!isMerge(pair.key)) {
        const { key } = pair;
        members.set(String(isScalar(key) ? this.#scalar(key) : (this.#aliased(key) as Scalar).source), pair);
        continue;
      }
      const from = this.#aliased(pair.value);
      for (const source of isSeq(from) ? [...from.items].reverse() : [from])
        for (const [name, merged] of this.#membersOf(this.#aliased(source as ParsedNode) as MapNode))
          members.set(name, merged);
    }
    return members;
  }

  #aliased(node: ParsedNode | null): ParsedNode | null {
    return isAlias(node) ? (this.#aliases.get(node) ?? null) : node;
  }
}

const YAML_TAG = 'tag:yaml.org,2002:';
const BINARY = `${YAML_TAG}binary`;
const ACCEPTED = new Map<string, (value: unknown) => boolean>([
  [`${YAML_TAG}null`, (value) => value === null],
  [`${YAML_TAG}bool`, (value) => typeof value === 'boolean'],
  [`${YAML_TAG}int`, Number.isInteger],
  [`${YAML_TAG}float`, (value) => typeof value === 'number'],
]);

/** Whether a key is a merge key: a plain "<<". Quoted, it is an ordinary name. */
function isMerge(key: ParsedNode): boolean {
  return isScalar(key) && key.source === '<<' && (key.type === 'PLAIN' || key.tag === `${YAML_TAG}merge`);
}
