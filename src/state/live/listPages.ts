import type { KubernetesObject } from '../../karmada/api/meta.ts';
import { isObject } from '../../kubernetes/json.ts';
import { LARGEST_OBJECT } from '../documents.ts';
import { firstProblem } from '../shape.ts';
import { ApiError } from './apiError.ts';
import type { ListOptions, ObjectList } from './apiServer.ts';
import type { Send } from './requests/call.ts';
import type { Status } from './requests/serverStatus.ts';
import { TOO_LARGE } from './requests/transport.ts';
import { cutManagedFields, withoutManagedFields } from './managedFields.ts';

/** As in kubectl. */
const PAGE_SIZE = 500;

/**
 * The most bytes of a page: while it is parsed, signals are not handled. No object is larger, so a page that exceeds
 * this is requested again with fewer objects.
 */
const LARGEST_PAGE = LARGEST_OBJECT;
const FEWER = 8;

/** How often a list's token may expire: more often means that reading is too slow, or the server hostile. */
const MAX_EXPIRED = 10;
/** Pages for at most 5 million objects. */
const MAX_PAGES = 10_000;

const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

interface Page {
  apiVersion: string;
  kind: string;
  metadata?: { resourceVersion?: string; continue?: string };
  items?: KubernetesObject[] | null;
}

/**
 * All objects of a collection, page by page. While one page is parsed, the server already prepares the next. After a
 * page that is too large, pages get smaller.
 *
 * If the continue token has expired (410), the list restarts as one page, which cannot expire. If pages have already
 * been passed on, the list instead continues after them, from the newest state, for which the server offers a token.
 * The version to watch from stays that of the first page, so nothing is missed.
 */
export async function listAll(
  send: Send,
  parse: <T>(text: string) => T,
  path: string,
  options: ListOptions,
): Promise<ObjectList> {
  const { onPage, onRestart, query, signal, most = Infinity, managedFields = false } = options;
  let { pageSize = PAGE_SIZE } = options;
  const accept = options.metadataOnly ? METADATA_ONLY : options.accept;
  let asked: { token: string | undefined; limit: number | undefined } = { token: undefined, limit: pageSize };
  const fetchPage = (token: string | undefined, limit: number | undefined) => {
    asked = { token, limit };
    const most = limit === undefined ? undefined : LARGEST_PAGE;
    const page = send(path, { signal, accept, most, query: { ...query, limit, continue: token } });
    // the next iteration handles a rejection, but never comes if processing the page before throws
    page.catch(() => undefined);
    return page;
  };
  let items: KubernetesObject[] = [];
  let resourceVersion = '';
  let next: Promise<string> | undefined = fetchPage(undefined, pageSize);
  const tokens = new Set<string>();
  let expired = 0;
  let count = 0;
  while (next !== undefined) {
    let text: string;
    try {
      text = await next;
    } catch (error) {
      if (asked.limit !== undefined && asked.limit > 1 && isTooLarge(error)) {
        pageSize = Math.ceil(asked.limit / FEWER);
        next = fetchPage(asked.token, pageSize);
        continue;
      }
      if (!isExpired(error) || ++expired > MAX_EXPIRED) throw error;
      const token: string | undefined = (error.cause as Status | undefined)?.metadata?.continue;
      if (onPage) {
        if (token === undefined) {
          if (!onRestart) throw error;
          onRestart();
          resourceVersion = '';
        }
        next = fetchPage(token, token === undefined ? undefined : pageSize);
      } else {
        [items, resourceVersion] = [[], ''];
        next = fetchPage(undefined, undefined);
      }
      continue;
    }
    const early = continueToken(text);
    const isLast = count + pageSize >= most;
    next = early && !isLast ? fetchPage(early, pageSize) : undefined;
    if (next) await new Promise(setImmediate);
    const page = parse<Page>(managedFields ? text : cutManagedFields(text));
    const token = page.metadata?.continue;
    if (token && (tokens.has(token) || tokens.size >= MAX_PAGES)) throw withoutEnd(path);
    if (token) tokens.add(token);
    if (next === undefined && token && !isLast) next = fetchPage(token, pageSize);
    if (resourceVersion === '') resourceVersion = page.metadata?.resourceVersion ?? '';
    const objects = objectsOf(page, managedFields);
    count += objects.length;
    if (onPage) onPage(objects);
    else items = items.length === 0 ? objects : append(items, objects);
  }
  return { items, resourceVersion };
}

function withoutEnd(path: string): ApiError {
  return new ApiError(`the list of ${path} does not end; is it an API server? See --server, --context`, {
    status: 0,
    reason: 'EndlessList',
  });
}

function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 410;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ApiError && error.reason === TOO_LARGE;
}

function append(items: KubernetesObject[], more: KubernetesObject[]): KubernetesObject[] {
  for (const item of more) items.push(item);
  return items;
}

/** Servers write a list's metadata first or, for custom resources, last. Items cannot match either pattern. */
const AT_THE_START = /^\{"kind":"\w+","apiVersion":"[\w./-]+","metadata":(\{[^{}]*\}),"items":\[/;
const AT_THE_END = /\],"kind":"\w+","metadata":(\{[^{}]*\})\}\s*$/;

/** The continue token of an unparsed page; undefined if it is not at either end. */
function continueToken(text: string): string | undefined {
  const found = AT_THE_START.exec(text.slice(0, 4096)) ?? AT_THE_END.exec(text.slice(-4096));
  if (found?.[1] === undefined) return undefined;
  try {
    const metadata: unknown = JSON.parse(found[1]);
    const token = isObject(metadata) ? metadata.continue : undefined;
    return typeof token === 'string' && token !== '' ? token : undefined;
  } catch {
    // the whole page will be parsed
    return undefined;
  }
}

/** The problem of a page; undefined if it is valid. */
export function pageViolation(page: unknown): string | undefined {
  if (!isObject(page)) return 'JSON that is not a list';
  const { kind, apiVersion, metadata = {}, items } = page;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !isText(apiVersion))
    return 'JSON that is not a list';
  if (!isObject(metadata) || !isText(metadata['continue']) || !isText(metadata['resourceVersion']))
    return 'a list without valid metadata';
  if (items === undefined || items === null) return undefined;
  if (!Array.isArray(items)) return 'a list without items';
  return firstProblem(items, itemViolation);
}

/** The problem of an object of a list or a watch, whatever its kind. */
export function itemViolation(item: unknown): string | undefined {
  const metadata = isObject(item) ? item['metadata'] : undefined;
  if (!isObject(metadata)) return 'something that is not an object';
  const { name, namespace, resourceVersion, uid } = metadata;
  const isNamed = typeof name === 'string' && name !== '';
  return isNamed && isText(namespace) && isText(resourceVersion) && isText(uid)
    ? undefined
    : 'an object without valid metadata';
}

/** Whether a field is absent or a string. */
export function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** The objects of a page, with apiVersion and kind: only items of custom resources have their own. */
function objectsOf({ apiVersion, kind = '', items }: Page, managedFields: boolean): KubernetesObject[] {
  const type = { apiVersion, kind: kind.replace(/List$/, '') };
  return (items ?? []).map((item) => {
    const object = item.kind && item.apiVersion ? item : { ...type, ...item };
    return managedFields ? object : withoutManagedFields(object);
  });
}
