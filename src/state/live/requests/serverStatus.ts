import { isObject, type JsonObject } from '../../../kubernetes/json.ts';

/** The fields of metav1.Status that are read. */
export interface Status {
  kind?: string;
  message?: string;
  reason?: string;
  code?: number;
  metadata?: { continue?: string };
  details?: { retryAfterSeconds?: number; kind?: string; name?: string; causes?: StatusCause[] };
}

/** metav1.StatusCause */
interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** Far more causes than a Status has. */
const MAX_CAUSES = 1000;

/**
 * A server's Status, without fields of the wrong type: any server or proxy may have written it. Its texts may repeat
 * the request; `redact` removes secrets. Undefined if the value is not a Status.
 */
export function readStatus(value: unknown, redact: (text: string) => string): Status | undefined {
  if (!isObject(value) || value['kind'] !== 'Status') return undefined;
  const { metadata, details } = value;
  const status: Status = {
    kind: 'Status',
    ...texts(value, ['message', 'reason'], redact),
    ...number(value, 'code'),
  };
  if (isObject(metadata)) status.metadata = texts(metadata, ['continue'], (text) => text);
  if (isObject(details)) {
    const { causes } = details;
    status.details = { ...number(details, 'retryAfterSeconds'), ...texts(details, ['kind', 'name'], redact) };
    if (Array.isArray(causes))
      status.details.causes = causes
        .filter(isObject)
        .slice(0, MAX_CAUSES)
        .map((cause) => texts(cause, ['reason', 'message', 'field'], redact));
  }
  return status;
}

/** The Status in the body of an answer, if any. */
export function statusIn(text: string, redact: (text: string) => string): Status | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return readStatus(JSON.parse(text), redact);
  } catch {
    return undefined;
  }
}

function texts<Name extends string>(
  from: JsonObject,
  names: readonly Name[],
  redact: (text: string) => string,
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = from[name];
    if (typeof text === 'string') found[name] = redact(text);
  }
  return found;
}

function number<Name extends string>(from: JsonObject, name: Name): Partial<Record<Name, number>> {
  const value = from[name];
  return typeof value === 'number' ? ({ [name]: value } as Record<Name, number>) : {};
}
