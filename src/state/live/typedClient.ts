import {
  CoordinationV1Api,
  CoreV1Api,
  createConfiguration,
  PatchStrategy,
  ResponseContext,
  ServerConfiguration,
  setHeaderOptions,
  V1MicroTime,
  wrapHttpLibrary,
  type Configuration,
  type CoreV1Event,
  type V1Lease,
} from '@kubernetes/client-node';
import { ApiError } from './apiError.ts';
import type { Call, Send } from './requests/call.ts';
import type { ClusterEvent, Lease, LeaseRecord, TypedObjects } from './typedObjects.ts';

/** client-node's typed requests, sent by our requester with its credentials, proxies, errors and logs. */
export function typedObjects(send: Send): TypedObjects {
  const leaseApi = (signal?: AbortSignal) => new CoordinationV1Api(configuration(send, signal));
  const coreApi = (signal?: AbortSignal) => new CoreV1Api(configuration(send, signal));
  return {
    leases: (namespace) => ({
      async read(name, signal) {
        try {
          return leaseOf(await leaseApi(signal).readNamespacedLease({ namespace, name }));
        } catch (error) {
          if (error instanceof ApiError && error.status === 404) return undefined;
          throw error;
        }
      },
      async create(name, record, signal) {
        const body = {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { namespace, name },
          spec: specOf(record),
        };
        return leaseOf(await leaseApi(signal).createNamespacedLease({ namespace, body }));
      },
      async replace({ stored }, record, signal) {
        const before = stored as V1Lease;
        const body = { ...before, spec: { ...before.spec, ...specOf(record) } };
        const name = before.metadata?.name ?? '';
        return leaseOf(await leaseApi(signal).replaceNamespacedLease({ namespace, name, body }));
      },
    }),
    events: {
      async create(event, signal) {
        const { namespace } = event;
        await coreApi(signal).createNamespacedEvent({ namespace, body: eventOf(event) });
      },
      async patch(event, signal) {
        const { name, namespace, count, message, lastTimestamp } = event;
        const body = { count, message, lastTimestamp: seconds(lastTimestamp) };
        await coreApi(signal).patchNamespacedEvent(
          { name, namespace, body },
          setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
        );
      },
    },
  };
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

function configuration(send: Send, signal: AbortSignal | undefined): Configuration {
  return createConfiguration({
    // the requester knows the real address
    baseServer: new ServerConfiguration('http://server', {}),
    httpApi: wrapHttpLibrary({
      async send(request) {
        const { pathname, search } = new URL(request.getUrl());
        const method = request.getHttpMethod().toString();
        if (!METHODS.has(method)) throw new Error(`${method} is not sent`);
        const body = request.getBody();
        const text = await send(`${pathname}${search}`, {
          method: method as NonNullable<Call['method']>,
          write: method !== 'GET',
          signal,
          ...(typeof body === 'string' ? { body: JSON.parse(body) as unknown } : {}),
          contentType: request.getHeaders()['Content-Type'],
        });
        return new ResponseContext(
          200,
          { 'content-type': 'application/json' },
          { text: () => Promise.resolve(text), binary: () => Promise.resolve(Buffer.from(text)) },
        );
      },
    }),
  });
}

function leaseOf(stored: V1Lease): Lease {
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions } =
    stored.spec ?? {};
  return {
    record: {
      holderIdentity: holderIdentity ?? '',
      leaseDurationSeconds: leaseDurationSeconds ?? 0,
      acquireTime: milliseconds(acquireTime),
      renewTime: milliseconds(renewTime),
      leaseTransitions: leaseTransitions ?? 0,
    },
    stored,
  };
}

/** client-node's types say Date, but its parser leaves a MicroTime as a string. */
function milliseconds(time: Date | string | undefined): number {
  return time === undefined ? 0 : new Date(time).getTime();
}

function specOf({ acquireTime, renewTime, ...record }: LeaseRecord): V1Lease['spec'] {
  return { ...record, acquireTime: new V1MicroTime(acquireTime), renewTime: new V1MicroTime(renewTime) };
}

function eventOf({
  name,
  namespace,
  component,
  host,
  firstTimestamp,
  lastTimestamp,
  ...event
}: ClusterEvent): CoreV1Event {
  const { involvedObject } = event;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    ...event,
    // undefined fields are not sent
    involvedObject: involvedObject as CoreV1Event['involvedObject'],
    source: { component, host },
    // as in client-go since 1.27
    reportingComponent: component,
    reportingInstance: host,
    firstTimestamp: seconds(firstTimestamp),
    lastTimestamp: seconds(lastTimestamp),
  };
}

/** metav1.Time has no fractions of a second. */
function seconds(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1000) * 1000);
}
