import fc from 'fast-check';
import type { GeneratorValue } from 'fast-check';
import { kubectlScalar } from '../../../../src/state/yaml/kubectlScalar.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The style of a text: what may occur in it. */
export interface Manner {
  comments: boolean;
  anchors: boolean;
  merges: boolean;
}

/** Writes JSON data as YAML as people might: in any style, with comments, anchors, aliases and merged members. */
export class AnyWriter {
  readonly #g: GeneratorValue;
  readonly #manner: Manner;
  /** in the order of their beginnings */
  readonly #anchored: { name: string; value: Json; complete: boolean }[] = [];
  readonly comments: string[] = [];
  #names = 0;

  constructor(g: GeneratorValue, manner: Manner) {
    this.#g = g;
    this.#manner = manner;
  }

  document(value: { [name: string]: Json }): string {
    const head = this.#commentLines('');
    if (this.#one(5)) return `${head}${this.#flow(value, '  ')}\n`;
    return head + this.#blockMap(value, '', '');
  }

  /** True once in this many times, on average. */
  #one(in_: number): boolean {
    return this.#g(fc.nat, { max: in_ - 1 }) === 0;
  }

  #pick<T>(...values: T[]): T {
    return values[this.#g(fc.nat, { max: values.length - 1 })]!;
  }

  #comment(): string {
    const text = `# ${this.#pick('note', 'it: "s"', "don't", '- a', '{b')} ${String(this.comments.length).padStart(3, '0')}`;
    this.comments.push(text);
    return text;
  }

  #commentLines(indent: string): string {
    if (!this.#manner.comments || !this.#one(5)) return this.#one(12) ? '\n' : '';
    return `${this.#pick(indent, indent, `${indent}  `)}${this.#comment()}\n`;
  }

  #trailing(): string {
    return this.#manner.comments && this.#one(6) ? ` ${this.#comment()}` : '';
  }

  /** An anchor before a value, or an alias instead of it. */
  #sharing(value: Json): { alias: string } | { anchor: string; done: () => void } {
    const none = { anchor: '', done: () => undefined };
    if (!this.#manner.anchors) return none;
    const text = JSON.stringify(value);
    const same = this.#usable().find((one) => JSON.stringify(one.value) === text);
    if (same && this.#one(2)) return { alias: `*${same.name}` };
    if (!this.#one(5)) return none;
    // some are used twice: the later one counts
    const name = this.#one(6) ? 'again' : `a${this.#names++}`;
    const anchored = { name, value, complete: false };
    this.#anchored.push(anchored);
    return { anchor: `&${name} `, done: () => void (anchored.complete = true) };
  }

  /** What an alias may repeat, newest first: of equal names the last counts. */
  #usable() {
    const isLast = (name: string, at: number) =>
      this.#anchored.findLastIndex((other) => other.name === name) === at;
    return this.#anchored.filter(({ name, complete }, at) => complete && isLast(name, at)).reverse();
  }

  #blockMap(value: { [name: string]: Json }, indent: string, first: string): string {
    const { names, merged } = this.#mergedMembers(value);
    const lines = [...merged.map((line) => line + '\n')];
    for (const name of names) {
      const head = `${this.#key(name)}:`;
      lines.push(head + this.#blockValue(value[name]!, indent));
    }
    return lines.map((line, at) => (at === 0 ? first : this.#commentLines(indent) + indent) + line).join('');
  }

  /** Names to write, and a merge for those of an anchored map. */
  #mergedMembers(value: { [name: string]: Json }): { names: string[]; merged: string[] } {
    const names = Object.keys(value);
    if (!this.#manner.merges || !this.#one(2)) return { names, merged: [] };
    const source = this.#usable().find(({ value: other }) => {
      if (typeof other !== 'object' || other === null || Array.isArray(other)) return false;
      const own = Object.keys(other);
      return own.length > 0 && own.every((name) => names.includes(name));
    });
    if (!source) return { names, merged: [] };
    const other = source.value as { [name: string]: Json };
    const rest = names.filter((name) => JSON.stringify(other[name]) !== JSON.stringify(value[name]));
    return { names: rest, merged: [`<<: *${source.name}`] };
  }

  #blockValue(value: Json, indent: string): string {
    const shared = this.#sharing(value);
    if ('alias' in shared) return ` ${shared.alias}${this.#trailing()}\n`;
    const { anchor, done } = shared;
    const text = this.#blockText(value, indent, anchor);
    done();
    return text;
  }

  #blockText(value: Json, indent: string, anchor: string): string {
    const isList = Array.isArray(value);
    const isMap = typeof value === 'object' && value !== null && !isList;
    const isEmpty = (isList && value.length === 0) || (isMap && Object.keys(value).length === 0);
    if ((!isList && !isMap) || isEmpty || this.#one(4)) {
      const pad = this.#pick(' ', ' ', '  ');
      return `${pad}${anchor}${this.#flow(value, `${indent}   `)}${this.#trailing()}\n`;
    }
    const head = `${anchor === '' ? '' : ` ${anchor.trim()}`}${this.#trailing()}\n${this.#commentLines(indent)}`;
    if (isMap) {
      const inner = indent + this.#pick('  ', '  ', '    ');
      return head + this.#blockMap(value, inner, inner);
    }
    return head + this.#blockList(value, indent + this.#pick('', '  ', '    '));
  }

  #blockList(list: Json[], indent: string): string {
    return list
      .map((one, at) => {
        const before = at === 0 ? '' : this.#commentLines(indent);
        const isMap = typeof one === 'object' && one !== null && !Array.isArray(one);
        const shared = this.#sharing(one);
        if ('alias' in shared) return `${before}${indent}- ${shared.alias}${this.#trailing()}\n`;
        const { anchor, done } = shared;
        const gap = this.#pick(' ', ' ', '   ');
        const inner = `${indent} ${gap}`;
        const text =
          isMap && anchor === '' && Object.keys(one).length > 0 && !this.#one(4)
            ? this.#blockMap(one, inner, '')
            : `${anchor}${this.#flow(one, `${inner}  `)}${this.#trailing()}\n`;
        done();
        return `${before}${indent}-${gap}${text}`;
      })
      .join('');
  }

  #flow(value: Json, indent: string): string {
    if (typeof value !== 'object' || value === null) return this.#scalar(value);
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    const inLines = this.#one(3);
    const gap = () =>
      inLines && this.#one(2)
        ? `${this.#manner.comments && this.#one(4) ? ` ${this.#comment()}` : ''}\n${indent}`
        : this.#pick('', ' ');
    const entries = Array.isArray(value)
      ? value.map((one) => this.#flowShared(one, indent))
      : Object.entries(value).map(
          ([name, one]) => `${this.#key(name)}:${this.#pick(' ', '  ')}${this.#flowShared(one, indent)}`,
        );
    const parts = entries.map(
      (entry, at) => gap() + entry + (at < entries.length - 1 || this.#one(6) ? ',' : ''),
    );
    return open + parts.join('') + gap() + close;
  }

  #flowShared(value: Json, indent: string): string {
    const shared = this.#sharing(value);
    // a comma or a colon would belong to the name
    if ('alias' in shared) return `${shared.alias} `;
    const text = shared.anchor + this.#flow(value, indent);
    shared.done();
    return text;
  }

  #key(name: string): string {
    return this.#pick(name, name, name, JSON.stringify(name), `'${name}'`);
  }

  #scalar(value: null | boolean | number | string): string {
    if (typeof value !== 'string') return String(value);
    const isPlain = /^[A-Za-z][\w./-]*$/.test(value) && kubectlScalar(value) === value;
    const quoted = JSON.stringify(value);
    return this.#pick(isPlain ? value : quoted, quoted, `'${value.replaceAll("'", "''")}'`);
  }
}

const condition = fc.record({
  conditionType: fc.constantFrom('Ready', 'Net', 'example.com/Power'),
  operator: fc.constantFrom('In', 'NotIn'),
  statusValues: fc.subarray(['True', 'False', 'Unknown'], { minLength: 1 }),
});
const conditions = fc.array(condition, { maxLength: 3 });
const affinity = fc.oneof(
  fc.record({ clusterNames: fc.constant(['member1', 'member2']) }),
  fc.record({ exclude: fc.constant(['member3']) }),
  fc.record({ labelSelector: fc.constant({ matchLabels: { tier: 'a' } }) }),
);
const window = fc.constantFrom(1, 1, 60, 300);
const key = fc.constantFrom('a', 'example.com/b', 'cluster.karmada.io/not-ready');
const value = fc.constantFrom('', 'yes', 'x');
const byTaint = { selector: (one: { key: string; effect: string }) => `${one.key}:${one.effect}` };
const some = { requiredKeys: [] };

export const shippedSpec = fc
  .record({ targetClusters: affinity, addOnConditions: conditions, removeOnConditions: conditions }, some)
  .chain((rest) =>
    fc
      .uniqueArray(
        fc.record(
          { key, effect: fc.constantFrom('NoSchedule', 'NoExecute'), value },
          { requiredKeys: ['key', 'effect'] },
        ),
        { ...byTaint, minLength: 1, maxLength: 3 },
      )
      .map((taints) => ({ ...rest, taints })),
  );

export const proposedSpec = fc
  .record({ targetCluster: affinity, matchConditions: conditions }, some)
  .chain((rest) =>
    fc
      .uniqueArray(
        fc.record(
          {
            key,
            effect: fc.constantFrom('NoSchedule', 'NoExecute', 'PreferNoExecute'),
            value,
            addOnMatchSeconds: window,
            removeOnMismatchSeconds: window,
          },
          { requiredKeys: ['key', 'effect'] },
        ),
        { ...byTaint, minLength: 1, maxLength: 3 },
      )
      .map((taintsToAdd) => ({ ...rest, taintsToAdd })),
  );

const metadata = fc.record(
  {
    labels: fc.constantFrom<Json[]>({}, { team: 'a' }),
    annotations: fc.constantFrom<Json[]>(
      null,
      {},
      { team: 'a' },
      { a: 'x', 'karmada-failover/ignore.y': 'why' },
    ),
  },
  some,
);

/** A policy whose fields are in any order. */
export const policyWith = (spec: fc.Arbitrary<object>): fc.Arbitrary<{ [name: string]: Json }> =>
  fc.tuple(spec, metadata, fc.nat(1000), fc.string()).map(([own, meta, name, seed]) => ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'ClusterTaintPolicy',
    ...(shuffled(
      { metadata: shuffled({ name: `p${name}`, ...meta }, seed), spec: shuffled(own as Json, seed) },
      seed,
    ) as object),
  }));

function shuffled(value: Json, seed: string): Json {
  const order = (name: string) =>
    [...`${name}${seed}`].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 997, 7);
  return Object.fromEntries(
    Object.entries(value as { [name: string]: Json }).sort(([a], [b]) => order(a) - order(b)),
  );
}
