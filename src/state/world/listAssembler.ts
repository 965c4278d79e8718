import { isObject, type JsonObject } from '../../kubernetes/json.ts';
import type { DocumentSink, PlaceOfField } from '../documents.ts';
import { ForeignTextError, StateError } from '../errors.ts';
import { typeOf } from '../schema/check.ts';

/**
 * Turns the documents of a file into single objects. It splits Lists; entries of a typed list, such as a
 * ResourceBindingList, may lack a kind and get it from the list.
 */
export class ListAssembler implements DocumentSink {
  readonly #file: string;
  readonly #add: (object: unknown, line: number, at?: PlaceOfField) => void;
  readonly #warn: (message: string) => void;
  readonly #snapshot: ((header: JsonObject, line: number) => void) | undefined;
  #inList = false;
  #index = 0;
  /** entries without a kind: the list's own kind may follow them */
  #untyped: { fields: JsonObject; line: number; index: number; at: PlaceOfField | undefined }[] = [];

  /** @param snapshot gets the contents of a snapshot besides its items */
  constructor(
    file: string,
    add: (object: unknown, line: number, at?: PlaceOfField) => void,
    warn: (message: string) => void,
    snapshot?: (header: JsonObject, line: number) => void,
  ) {
    this.#file = file;
    this.#add = add;
    this.#warn = warn;
    this.#snapshot = snapshot;
  }

  beginItems(): void {
    this.#inList = true;
    this.#index = 0;
    this.#untyped = [];
  }

  item(value: unknown, line: number, at?: PlaceOfField): void {
    const index = this.#index++;
    if (!isObject(value))
      throw this.#error(line, `items[${index}] is ${typeOf(value)}, expected a Kubernetes object`, index);
    if (value.kind === undefined || value.apiVersion === undefined) {
      // without a name it is no object, whatever the list's kind, so it need not wait for the kind
      if (!isObject(value.metadata) || typeof value.metadata.name !== 'string')
        throw this.#noObject(value, line, index);
      this.#untyped.push({ fields: value, line, index, at });
    } else this.#object(value, line, at);
  }

  document(value: unknown, line: number, at?: PlaceOfField): void {
    const inList = this.#inList;
    this.#inList = false;
    if (!isObject(value) && !inList)
      throw new ForeignTextError(
        `${this.#file}:${line}: is ${typeOf(value)}, expected a Kubernetes object; give the output of kubectl get -o json|yaml`,
      );
    const fields = isObject(value) ? value : {};
    if (!inList) {
      this.#object(fields, line, at);
      return;
    }
    const { apiVersion, kind } = fields;
    // kubectl prints a List's kind after its items
    if (kind === undefined && !Array.isArray(value))
      throw this.#error(
        line,
        'the list that begins here has no kind; if the file is truncated, write it again',
      );
    for (const { fields, line: first, index, at: place } of this.#untyped) {
      const entryKind =
        fields.kind ?? (typeof kind === 'string' && kind !== 'List' ? entryKindOf(kind) : undefined);
      const entryVersion = fields.apiVersion ?? apiVersion;
      if (typeof entryKind !== 'string' || typeof entryVersion !== 'string')
        throw this.#noObject(fields, first, index);
      this.#object({ apiVersion: entryVersion, kind: entryKind, ...fields }, first, place);
    }
    this.#untyped = [];
    if (kind === 'Snapshot' && apiVersion === undefined) this.#snapshot?.(fields, line);
  }

  warn(line: number, message: string): void {
    this.#warn(`${this.#file}:${line}: ${message}`);
  }

  #object(value: JsonObject, line: number, at?: PlaceOfField): void {
    const { kind, items } = value;
    if (kind === 'Status' && value.apiVersion === 'v1') {
      const message = typeof value.message === 'string' ? `: ${value.message}` : '';
      throw this.#error(line, `is an error of the API server${message}; run the command again`);
    }
    if (kind === 'Table' && Array.isArray(value.rows))
      throw this.#error(line, 'is a Table, which holds no whole objects; use kubectl get -o json or -o yaml');
    if (kind === undefined && typeof value.type === 'string' && isObject(value.object))
      throw this.#error(line, 'is a watch event, not a state; give the output of kubectl get -o json');
    const isList = typeof kind === 'string' && kind.endsWith('List') && (items === null || kind === 'List');
    if (!Array.isArray(items) && !isList) {
      this.#add(value, line, at);
      return;
    }
    if (items !== null && items !== undefined && !Array.isArray(items))
      throw this.#error(line, `${String(kind)}: items is ${typeOf(items)}, expected a list`);
    const inner = new ListAssembler(this.#file, this.#add, this.#warn);
    inner.beginItems();
    for (const [index, item] of ((items as unknown[] | null | undefined) ?? []).entries())
      inner.item(item, line, at && ((path) => at(['items', index, ...path])));
    inner.document({ ...value, items: [] }, line);
  }

  #noObject({ kind }: JsonObject, line: number, index: number): StateError {
    return this.#error(
      line,
      `items[${index}] has no ${kind === undefined ? 'kind' : 'apiVersion'}, so not a Kubernetes object; give the output of kubectl get -o json|yaml`,
      index,
    );
  }

  /** @param index of an entry: a list that begins with no object is foreign, and nothing of it was added */
  #error(line: number, message: string, index?: number): StateError {
    const Problem = index === 0 && this.#index === 1 ? ForeignTextError : StateError;
    return new Problem(`${this.#file}:${line}: ${message}`);
  }
}

function entryKindOf(listKind: string): string | undefined {
  return listKind.endsWith('List') ? listKind.slice(0, -'List'.length) : undefined;
}
