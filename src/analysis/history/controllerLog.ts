import type { ObjectIdentity, Taint } from '../../karmada/api/meta.ts';
import type { Evidence } from '../../karmada/evidence.ts';

/** A line of what `controller run` prints as JSON: something that a controller decided, or that became of the controllers. */
export interface LoggedDecision {
  /** the line of the file, from 1 */
  line: number;
  /** epoch milliseconds by the server's clock */
  time: number;
  type: string;
  /** empty for what concerns the whole process */
  controller: string;
  object?: ObjectIdentity | undefined;
  cluster?: string | undefined;
  /** what the binding is for, in words: "shop/deployment/web" */
  workload?: string | undefined;
  /** false: it was only decided */
  written?: boolean | undefined;
  added: readonly Taint[];
  removed: readonly Taint[];
  purgeMode?: string | undefined;
  bindings: number;
  reason: string;
  message: string;
  /** epoch milliseconds: until when a taint is tolerated */
  until?: number | undefined;
  pace?: { mode: string; rate: number; reason: string } | undefined;
  evidence: readonly Evidence[];
}

/** A log of controllers: its decisions in the order of time, and what is missing of it. */
export interface ControllerLog {
  decisions: readonly LoggedDecision[];
  /** lines that are no decisions, such as those of a log on stderr */
  skipped: number;
  /** whether the last line is not whole: the process was killed, or still runs */
  isCut: boolean;
}
