import type { IncomingMessage } from 'node:http';
import type { KubernetesObject } from '../../../karmada/api/meta.ts';
import type { ApiError } from '../apiError.ts';
import type { WatchEvent } from '../apiServer.ts';
import { isObject } from '../../../kubernetes/json.ts';
import { parseJsonText } from '../../json/jsonProblem.ts';
import { BROKEN_OBJECT } from '../brokenObject.ts';
import { itemViolation, isText } from '../listPages.ts';
import { cutManagedFields, withoutManagedFields } from '../managedFields.ts';
import { TransportFailure } from '../requests/transport.ts';

/** Far more than an object in etcd (1.5 MiB). */
const MAX_MIB = 32;
const MAX_CHARACTERS = MAX_MIB * 1024 * 1024;

/**
 * The events in the answer to a watch, one JSON object per line. Ends when the server ends it; throws the result of
 * `explain` for an ERROR event, and a TransportFailure if the connection breaks or (code BrokenObject) an event is
 * unusable.
 */
export async function* watchEvents(
  response: IncomingMessage,
  explain: (object: unknown) => ApiError,
  managedFields = false,
): AsyncGenerator<WatchEvent> {
  for await (const line of lines(response)) {
    const { type, object } = eventIn(line, managedFields);
    if (type === 'ERROR') throw explain(object);
    if (!isStored(object, type)) throw broken('has no object with valid metadata');
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        yield { type, object: managedFields ? object : withoutManagedFields(object) };
        break;
      case 'BOOKMARK':
        yield { type, resourceVersion: object.metadata.resourceVersion ?? '' };
    }
  }
}

function eventIn(line: string, managedFields: boolean): { type?: unknown; object?: unknown } {
  const event = parseJsonText(managedFields ? line : cutManagedFields(line));
  if ('problem' in event) throw broken(`cannot be read as JSON (${event.problem})`);
  if (!isObject(event.value)) throw broken('is not a JSON object');
  return event.value;
}

/** An error for an event that the server would send again if the watch resumed. */
function broken(what: string): TransportFailure {
  const message = `a watch event ${what}; is it an API server? See --server, --context`;
  return new TransportFailure(Object.assign(new Error(message), { code: BROKEN_OBJECT }), true);
}

/** Whether an event has its required contents: a bookmark a version, others an object. */
function isStored(object: unknown, type: unknown): object is KubernetesObject {
  if (type !== 'BOOKMARK') return itemViolation(object) === undefined;
  return isObject(object) && isObject(object['metadata']) && isText(object['metadata']['resourceVersion']);
}

async function* lines(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let begun: string[] = [];
  let length = 0;
  try {
    for await (const piece of response) {
      const parts = (piece as string).split('\n');
      length += parts[0]!.length;
      if (length > MAX_CHARACTERS) throw broken(`has more than ${MAX_MIB} MiB`);
      if (parts.length === 1) {
        begun.push(parts[0]!);
        continue;
      }
      length = parts.at(-1)!.length;
      yield begun.join('') + parts[0]!;
      for (const whole of parts.slice(1, -1)) if (whole !== '') yield whole;
      begun = [parts.at(-1)!];
    }
  } catch (error) {
    throw new TransportFailure(error, true);
  }
}
