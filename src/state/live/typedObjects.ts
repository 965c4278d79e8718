/** The holder of a Lease, and its expiry. Times are epoch milliseconds. */
export interface LeaseRecord {
  /** "" if it is free */
  holderIdentity: string;
  leaseDurationSeconds: number;
  acquireTime: number;
  renewTime: number;
  leaseTransitions: number;
}

export interface Lease {
  record: LeaseRecord;
  /** the object as stored on the server; its version is the precondition for the next write */
  readonly stored: unknown;
}

/** Leases of coordination.k8s.io/v1 in one namespace. All methods reject with ApiError. */
export interface Leases {
  /** undefined if it does not exist */
  read(name: string, signal?: AbortSignal): Promise<Lease | undefined>;
  create(name: string, record: LeaseRecord, signal?: AbortSignal): Promise<Lease>;
  /** Writes a Lease; refused with status 409 if another client has written it since `lease` was read. */
  replace(lease: Lease, record: LeaseRecord, signal?: AbortSignal): Promise<Lease>;
}

/** The object that an Event is about. */
export interface EventSubject {
  apiVersion: string;
  kind: string;
  namespace?: string | undefined;
  name: string;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  fieldPath?: string | undefined;
}

/** An Event of the core API. Times are epoch milliseconds. */
export interface ClusterEvent {
  name: string;
  namespace: string;
  involvedObject: EventSubject;
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  /** the source: "karmada-failover" */
  component: string;
  /** the machine */
  host: string;
  count: number;
  firstTimestamp: number;
  lastTimestamp: number;
}

/** Events of the core API. Both methods reject with ApiError. */
export interface ClusterEvents {
  create(event: ClusterEvent, signal?: AbortSignal): Promise<void>;
  /** Updates count, last time and message of an existing Event; 404 if it is gone. */
  patch(event: ClusterEvent, signal?: AbortSignal): Promise<void>;
}

/** Objects that are read and written with types. */
export interface TypedObjects {
  leases(namespace: string): Leases;
  events: ClusterEvents;
}
