import type { IncomingMessage } from 'node:http';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { ApiError } from './apiError.ts';
import type { WatchEvent } from './apiServer.ts';
import type { Status } from './explain.ts';
import { cutManagedFields, withoutManagedFields } from './managedFields.ts';
import { TransportFailure } from './transport.ts';

/**
 * The events of a watch's answer, one JSON object a line. Ends where the server ends it; throws what `explain` makes
 * of an ERROR event, and a TransportFailure where the connection is cut.
 */
export async function* watchEvents(
  response: IncomingMessage,
  explain: (status: Status) => ApiError,
): AsyncGenerator<WatchEvent> {
  for await (const line of lines(response)) {
    const { type, object } = JSON.parse(cutManagedFields(line)) as { type: string; object: KubernetesObject };
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        yield { type, object: withoutManagedFields(object) };
        break;
      case 'BOOKMARK':
        yield { type, resourceVersion: object.metadata.resourceVersion ?? '' };
        break;
      case 'ERROR':
        throw explain(object as unknown as Status);
    }
  }
}

async function* lines(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let begun: string[] = [];
  try {
    for await (const piece of response) {
      const parts = (piece as string).split('\n');
      if (parts.length === 1) {
        begun.push(parts[0]!);
        continue;
      }
      yield begun.join('') + parts[0]!;
      for (const whole of parts.slice(1, -1)) if (whole !== '') yield whole;
      begun = [parts.at(-1)!];
    }
  } catch (error) {
    throw new TransportFailure(error, true);
  }
}
