/** Who holds a Lease, and until when. Times are epoch milliseconds. */
export interface LeaseRecord {
  /** "": nobody */
  holderIdentity: string;
  leaseDurationSeconds: number;
  acquireTime: number;
  renewTime: number;
  leaseTransitions: number;
}

export interface Lease {
  record: LeaseRecord;
  /** the object as the server has it; its version is the precondition for writing it again */
  readonly stored: unknown;
}

/** Leases of coordination.k8s.io/v1 in one namespace. All reject with ApiError. */
export interface Leases {
  /** undefined if there is none */
  read(name: string, signal?: AbortSignal): Promise<Lease | undefined>;
  create(name: string, record: LeaseRecord, signal?: AbortSignal): Promise<Lease>;
  /** Writes a Lease; refused with status 409 if somebody has written it since `lease` was read. */
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
  /** who says it: "karmada-failover" */
  component: string;
  /** on which machine */
  host: string;
  count: number;
  firstTimestamp: number;
  lastTimestamp: number;
}

/** Events of the core API. Both reject with ApiError. */
export interface ClusterEvents {
  create(event: ClusterEvent, signal?: AbortSignal): Promise<void>;
  /** Updates count, last time and message of an Event that was created; 404 if it is no longer there. */
  patch(event: ClusterEvent, signal?: AbortSignal): Promise<void>;
}

/** Objects that are read and written by their types. */
export interface TypedObjects {
  leases(namespace: string): Leases;
  events: ClusterEvents;
}
