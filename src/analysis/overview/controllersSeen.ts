/** What a Lease tells of who is at work. Times are epoch milliseconds. */
export type LeaseSeen =
  /** `since`: when the holder acquired it */
  | { state: 'held'; holder: string; since: number; renewed: number }
  /** its holder has not renewed it for long */
  | { state: 'expired'; holder: string; renewed: number }
  /** nobody holds it */
  | { state: 'free' }
  | { state: 'absent' }
  | { state: 'unknown'; why: string };

/** Which controllers work on a control plane, by the Leases of their default names. */
export interface ControllersSeen {
  /** karmada-controller-manager */
  karmadas: LeaseSeen;
  /** our controllers in its place */
  ours: LeaseSeen;
}
