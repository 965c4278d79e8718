import { applyDataChange, type ChangeTree } from '../../../kubernetes/dataChange.ts';
import { deepEqual } from '../../../kubernetes/deepEqual.ts';
import { isObject, setMember, type JsonObject, isList } from '../../../kubernetes/json.ts';
import { YamlValues } from '../yamlValues.ts';
import {
  beforeBlockEntry,
  beforeFlowEntry,
  afterBlockEntry,
  afterFlowEntry,
  withoutBlockEntry,
  withoutFlowEntries,
} from './entryEdits.ts';
import type { DocumentText } from './documentText.ts';
import type { SourceAlias, SourceEntry, SourceList, SourceMap, SourceNode } from './sourceTree.ts';
import type { TextEdit } from './textEdits.ts';
import { entryLines, flowText, memberLines, requoted, scalarText } from './writtenValue.ts';

/**
 * The edits that apply the changes to a document's text. The rest stays as written. If the value of an anchor changes,
 * its aliases are expanded. A map that merges it ("<<") gets its own members instead, or is expanded if it would lose
 * some.
 */
export function documentEdits(document: DocumentText, changes: ChangeTree): TextEdit[] {
  const editor = new DocumentEditor(document);
  editor.visit(document.root, changes);
  return editor.edits;
}

/** A node's value before and after. */
interface Said {
  before: unknown;
  after: unknown;
}

/** An anchor's value. If its node contains another anchor of the same name, that one applies afterwards. */
interface Anchored {
  node: SourceNode;
  value: unknown;
}

class DocumentEditor {
  readonly edits: TextEdit[] = [];
  readonly #document: DocumentText;
  /** the values of anchors so far, before and after the edits; later text lacks removed anchors */
  readonly #before = new Map<string, Anchored>();
  #after = new Map<string, Anchored>();

  constructor(document: DocumentText) {
    this.#document = document;
  }

  /** @param gone the node is removed with its surroundings, so that nothing in it needs an edit */
  visit(node: SourceNode | null, changes: ChangeTree | undefined, gone = false): Said {
    if (!node) return { before: null, after: applyDataChange(null, changes) };
    if (node.anchor !== undefined) {
      this.#before.set(node.anchor, { node, value: undefined });
      if (!gone) this.#after.set(node.anchor, { node, value: undefined });
    }
    const own = gone || changes?.replaced ? undefined : changes;
    const isGone = gone || changes?.replaced !== undefined;
    const said =
      node.kind === 'alias'
        ? this.#alias(node, own, isGone)
        : node.kind === 'map'
          ? this.#map(node, own, isGone)
          : node.kind === 'list'
            ? this.#list(node, own, isGone)
            : this.#scalar(node);
    const after = changes?.replaced && !gone ? changes.replaced.value : said.after;
    if (node.anchor !== undefined) {
      complete(this.#before.get(node.anchor), node, said.before);
      complete(this.#after.get(node.anchor), node, after);
    }
    return { before: said.before, after };
  }

  #scalar(node: SourceNode & { kind: 'scalar' }): Said {
    const value = new YamlValues(neverFails, () => undefined).valueOf(node.node);
    return { before: value, after: value };
  }

  #alias(node: SourceAlias, changes: ChangeTree | undefined, gone: boolean): Said {
    const before = this.#before.get(node.name)?.value;
    const after = applyDataChange(before, changes);
    const now = this.#after.get(node.name);
    if (!gone && !(now && deepEqual(now.value, after)))
      this.edits.push({ start: node.start, end: node.end, text: flowText(after, this.#document.style) });
    return { before, after };
  }

  #list(node: SourceList, changes: ChangeTree | undefined, gone: boolean): Said {
    const before = node.entries.map((entry, at) => {
      const own = changes?.inside.get(at);
      this.#replacing(entry, own, gone);
      return this.visit(entry.value, own, gone || own?.removed).before;
    });
    if (changes && !gone)
      this.#structure(
        node,
        changes,
        node.entries.map((entry, at) => ({ entry, at, place: at })),
      );
    return { before, after: applyDataChange(before, changes) };
  }

  #map(node: SourceMap, changes: ChangeTree | undefined, gone: boolean): Said {
    const mark = this.edits.length;
    const anchors = new Map(this.#after);
    const [before, after]: [JsonObject, JsonObject] = [{}, {}];
    const members = node.entries.map((entry, at) => {
      return { entry, at, place: String(this.visit(entry.key, undefined, gone).before) };
    });
    const lastOf = new Map(members.map(({ place, entry }) => [place, entry]));
    for (const { entry, place: name } of members) {
      if (entry.merges) {
        const merged = this.visit(entry.value, undefined, gone);
        merge(before, merged.before);
        merge(after, merged.after);
        continue;
      }
      const change = changes?.inside.get(name);
      // if a name occurs twice, the last one applies
      const own = lastOf.get(name) === entry ? change : undefined;
      if (change?.renamed !== undefined && !gone && !change.removed) this.#rename(entry.key, change.renamed);
      this.#replacing(entry, own, gone);
      const value = this.visit(entry.value, own, gone || change?.removed);
      setMember(before, name, value.before);
      if (!change?.removed) setMember(after, change?.renamed ?? name, value.after);
    }
    const wanted = applyDataChange(before, changes);
    if (gone) return { before, after: wanted };
    if (changes) {
      this.#structure(node, changes, members);
      for (const { name, value } of changes.members) setMember(after, name, value);
    }
    if (node.entries.some(({ merges }) => merges) && !deepEqual(after, wanted)) {
      const last = members.findLast(({ place }) => !changes?.inside.get(place)?.removed);
      const names = members.map(({ place }) => place);
      const differing = isObject(wanted) ? ownInstead(after, wanted, names) : undefined;
      if (differing && last)
        // the last entry overrides what is merged before
        for (const [name, value] of differing) this.#addMember(node, last, name, value);
      else {
        this.edits.splice(mark);
        this.#after = anchors;
        this.#writeOut(node, wanted);
      }
    }
    return { before, after: wanted };
  }

  /** Expands a map or a list into one line, followed by its comments. */
  #writeOut({ start, end }: SourceMap, value: unknown): void {
    const comments = this.#document.commentsAlone(start, end);
    this.edits.push({ start, end, text: flowText(value, this.#document.style) + comments });
  }

  #rename(key: SourceNode, name: string): void {
    const { start, end } = key;
    const text = requoted(name, this.#document.text.slice(start, end), this.#document.style);
    this.edits.push({ start, end, text });
  }

  /** Writes an entry's new value, if it has one. */
  #replacing(entry: SourceEntry, changes: ChangeTree | undefined, gone: boolean): void {
    if (gone || !changes?.replaced || changes.removed) return;
    const { text, style } = this.#document;
    const { value, behindIndicator, end } = entry;
    const put = changes.replaced.value;
    if (!value) {
      const colon = behindIndicator === undefined ? ':' : '';
      this.edits.push({ start: end, end, text: `${colon} ${flowText(put, style)}` });
      return;
    }
    const isBlock = (value.kind === 'map' || value.kind === 'list') && !value.flow;
    if (!isBlock) {
      const before = text.slice(value.start, value.end);
      const plain = typeof put === 'string' ? requoted(put, before, style) : flowText(put, style);
      const written = plain + this.#document.commentsAlone(value.start, value.end);
      // a block scalar includes its line break
      const isBroken = before.endsWith('\n');
      this.edits.push({ start: value.start, end: value.end, text: isBroken ? written + style.eol : written });
      return;
    }
    const start = behindIndicator ?? value.start;
    const comments = this.#document
      .comments(start, end)
      .map((comment) => `${style.eol}${this.#document.indentOf(entry)}${comment.text}`);
    this.edits.push({ start, end, text: ` ${flowText(put, style)}${comments.join('')}` });
  }

  #structure(node: SourceMap | SourceList, changes: ChangeTree, placed: readonly Placed[]): void {
    const isRemoved = ({ place }: Placed) => Boolean(changes.inside.get(place)?.removed);
    const removed = new Set(placed.filter(isRemoved).map(({ entry }) => entry));
    if (removed.size > 0)
      this.edits.push(
        ...(node.flow
          ? withoutFlowEntries(this.#document, node, removed)
          : [...removed].map((entry) => withoutBlockEntry(this.#document, node, entry))),
      );
    const kept = placed.filter((one) => !isRemoved(one));
    for (const { name, value, after } of changes.members) {
      const anchor = placed.findLastIndex(({ place }) => place === after);
      const before = kept.findLast(({ at }) => anchor === -1 || at <= anchor) ?? kept[0];
      this.#addMember(node, before, name, value);
    }
    for (const { before, value } of changes.entries) this.#addEntry(node, before, kept, value);
    const { wrapped } = changes;
    const [first, ...others] = kept.filter(({ place }) => wrapped?.names.includes(String(place)));
    if (wrapped && node.kind === 'map' && first) this.#wrap(node, first, others, wrapped.as);
  }

  #addMember(node: SourceMap | SourceList, before: Placed | undefined, name: string, value: unknown): void {
    if (!before) return this.#writeOnly(node, { [name]: value });
    this.edits.push(
      node.flow
        ? afterFlowEntry(this.#document, node, before.entry, name, value)
        : afterBlockEntry(this.#document, before.entry, memberLines(name, value, this.#document.style)),
    );
  }

  /**
   * Puts entries of a map, with their comments, into a list at the place of the first one. Its neighbours stay in
   * place, indented further; others follow them.
   */
  #wrap(node: SourceMap, { entry: first, at: from }: Placed, others: readonly Placed[], as: string): void {
    const { text, style } = this.#document;
    const isBeside = ({ at }: Placed, index: number) => at === from + 1 + index;
    const last = others.findLast(isBeside)?.entry ?? first;
    const apart = others.filter((one, index) => !isBeside(one, index)).map(({ entry }) => entry);
    const insert = (at: number, put: string) => this.edits.push({ start: at, end: at, text: put });
    const name = scalarText(as, style);
    if (node.flow) {
      const further = apart.map(({ start, end }) => `, ${text.slice(start, end)}`);
      insert(first.start, `${name}: [{`);
      insert(last.end, `${further.join('')}}]`);
      this.edits.push(...withoutFlowEntries(this.#document, node, new Set(apart)));
      return;
    }
    const list = ' '.repeat(style.listIndent);
    insert(first.start, `${name}:${style.eol}${this.#document.indentOf(first)}${list}- `);
    const lines = /(?<=\n)(?=[^\r\n])/g;
    for (const { index } of text.slice(first.start, last.end).matchAll(lines))
      insert(first.start + index, `${list}  `);
    for (const { start, end } of apart) {
      const behind = this.#document.nextLine(end) ?? text.length;
      const own = text.slice(start, behind).trimEnd();
      const put = `${this.#document.indentOf(first)}${list}  ${own.replaceAll(lines, `${list}  `)}${style.eol}`;
      insert(this.#document.nextLine(last.end) ?? text.length, put);
      this.edits.push({ start: this.#document.lineStart(start), end: behind, text: '' });
    }
  }

  #addEntry(node: SourceMap | SourceList, before: number, kept: readonly Placed[], value: unknown): void {
    const next = kept.find(({ at }) => at >= before);
    const last = kept.at(-1);
    if (!last) return this.#writeOnly(node, [value]);
    const lines = entryLines(value, this.#document.style);
    if (!next)
      this.edits.push(
        node.flow
          ? afterFlowEntry(this.#document, node, last.entry, undefined, value)
          : afterBlockEntry(this.#document, last.entry, lines),
      );
    else
      this.edits.push(
        node.flow
          ? beforeFlowEntry(this.#document, node, next.entry, value)
          : beforeBlockEntry(this.#document, next.entry, lines),
      );
  }

  /** Writes a value into empty braces or brackets. */
  #writeOnly({ start, end }: SourceNode, value: unknown): void {
    this.edits.push({ start, end, text: flowText(value, this.#document.style) });
  }
}

/** An entry, its place, and its key in changes: its name in a map, its index in a list. */
interface Placed {
  entry: SourceEntry;
  at: number;
  place: string | number;
}

function complete(anchored: Anchored | undefined, node: SourceNode, value: unknown): void {
  if (anchored?.node === node) anchored.value = value;
}

/** The members to add to a map for its new value; undefined if merged ones would disappear, or written ones change. */
function ownInstead(
  says: JsonObject,
  wanted: JsonObject,
  written: readonly string[],
): [string, unknown][] | undefined {
  const differing = Object.entries(wanted).filter(([name, value]) => !deepEqual(says[name], value));
  const isMore = Object.keys(says).every((name) => Object.hasOwn(wanted, name));
  return isMore && differing.every(([name]) => !written.includes(name)) ? differing : undefined;
}

/** The members merged by "<<": the first entry of a list is merged last, so that it wins. */
function merge(into: JsonObject, from: unknown): void {
  for (const source of isList(from) ? from.toReversed() : [from])
    if (isObject(source)) for (const [name, value] of Object.entries(source)) setMember(into, name, value);
}

function neverFails(_: number, message: string): never {
  throw new Error(message);
}
