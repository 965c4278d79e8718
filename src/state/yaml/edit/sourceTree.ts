import { isAlias, isMap, isScalar } from 'yaml';
import type { CST, ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml';

/** The text of a YAML document's node, and its range; offsets are relative to the parsed text. */
export type SourceNode = SourceScalar | SourceAlias | SourceMap | SourceList;

interface Written {
  /** its start, after its anchor and its tag */
  start: number;
  /** after its last character, without following comments */
  end: number;
  anchor?: string;
}

interface SourceScalar extends Written {
  kind: 'scalar';
  node: Scalar.Parsed;
}

export interface SourceAlias extends Written {
  kind: 'alias';
  /** of the anchor */
  name: string;
}

export interface SourceMap extends Written {
  kind: 'map';
  /** in braces */
  flow: boolean;
  entries: SourceMember[];
}

export interface SourceList extends Written {
  kind: 'list';
  /** in brackets */
  flow: boolean;
  entries: SourceEntry[];
}

/** An entry of a list, or a member of a map. */
export interface SourceEntry {
  /** where its own text begins: its "-" or "?", its anchor, its key */
  start: number;
  end: number;
  /** the comma before it, in braces and brackets */
  comma?: number;
  /** after the indicator, anchor and tag before its value, if any */
  behindIndicator?: number;
  /** null if it has no text */
  value: SourceNode | null;
}

interface SourceMember extends SourceEntry {
  key: SourceNode;
  /** whether its key is a plain "<<" */
  merges: boolean;
}

const BLANK = new Set(['space', 'newline', 'comment', 'comma']);
const BEFORE_VALUE = new Set(['map-value-ind', 'seq-item-ind', 'anchor', 'tag']);

/** The tree of a document composed with keepSourceTokens. */
export function sourceTree(node: ParsedNode): SourceNode {
  const { anchor } = node as { anchor?: string };
  const anchored = anchor === undefined ? {} : { anchor };
  const [start, end] = node.range;
  if (isAlias(node)) return { kind: 'alias', name: node.source, start, end };
  if (isScalar(node)) return { kind: 'scalar', node: node as Scalar.Parsed, start, end, ...anchored };
  const flow = node.srcToken?.type === 'flow-collection';
  if (isMap(node)) {
    const entries = (node as YAMLMap<ParsedNode, ParsedNode | null>).items.map(memberOf);
    return { kind: 'map', flow, entries, start, end: flow ? end : lastEnd(entries, end), ...anchored };
  }
  const list = node as YAMLSeq<ParsedNode>;
  const items = (
    (node.srcToken as CST.BlockSequence | CST.FlowCollection).items as CST.CollectionItem[]
  ).filter((item) => item.value || item.key || item.sep || item.start.some(({ type }) => !BLANK.has(type)));
  const entries = list.items.map((item, at) => entryOf(item, items[at]!));
  return { kind: 'list', flow, entries, start, end: flow ? end : lastEnd(entries, end), ...anchored };
}

/** All comments of a tree, in order. */
export function commentsIn(node: ParsedNode): CST.SourceToken[] {
  const comments: CST.SourceToken[] = [];
  const add = (tokens: readonly CST.Token[] | undefined) => {
    for (const token of tokens ?? []) if (token.type === 'comment') comments.push(token);
  };
  const walk = (token: CST.Token | null | undefined): void => {
    if (!token) return;
    if ('props' in token) add(token.props);
    if ('items' in token)
      for (const { start, key, sep, value } of token.items as CST.CollectionItem[]) {
        add(start);
        walk(key);
        add(sep);
        walk(value);
      }
    if ('end' in token) add(token.end);
  };
  walk(node.srcToken);
  return comments.sort((a, b) => a.offset - b.offset);
}

function lastEnd(entries: readonly SourceEntry[], end: number): number {
  return entries.at(-1)?.end ?? end;
}

interface ParsedPair {
  key: ParsedNode;
  value: ParsedNode | null;
  srcToken?: CST.CollectionItem;
}

function memberOf(pair: ParsedPair): SourceMember {
  const { start: before, sep = [] } = pair.srcToken!;
  const key = sourceTree(pair.key);
  const value = valueOf(pair.value);
  const behindIndicator = behind(sep);
  return {
    ...begun(before, key.start),
    key,
    merges: key.kind === 'scalar' && key.node.source === '<<' && key.node.type === 'PLAIN',
    value,
    end: Math.max(value?.end ?? 0, behindIndicator ?? 0, key.end),
    ...(behindIndicator !== undefined && { behindIndicator }),
  };
}

function entryOf(node: ParsedNode, { start: before, value: token }: CST.CollectionItem): SourceEntry {
  const value = valueOf(node);
  const behindIndicator = behind(before);
  return {
    ...begun(before, token?.offset ?? node.range[0]),
    value,
    end: value?.end ?? behindIndicator ?? node.range[0],
    ...(behindIndicator !== undefined && { behindIndicator }),
  };
}

function begun(before: readonly CST.SourceToken[], otherwise: number): { start: number; comma?: number } {
  const start = before.find(({ type }) => !BLANK.has(type))?.offset ?? otherwise;
  const comma = before.find(({ type }) => type === 'comma')?.offset;
  return { start, ...(comma !== undefined && { comma }) };
}

function behind(tokens: readonly CST.SourceToken[]): number | undefined {
  const last = tokens.findLast(({ type }) => BEFORE_VALUE.has(type));
  return last && last.offset + last.source.length;
}

/** A value that is only an anchor or a tag is kept, because an alias may refer to it. */
function valueOf(node: ParsedNode | null): SourceNode | null {
  if (node === null) return null;
  const tree = sourceTree(node);
  const isNothing = tree.kind === 'scalar' && tree.start === tree.end && tree.anchor === undefined;
  return isNothing && (tree.node as { srcToken?: unknown }).srcToken === undefined ? null : tree;
}
