import type { View } from '../../karmada/controllers/view.ts';
import { scheduleBinding } from '../../karmada/scheduling/scheduler.ts';
import type { ScheduleTrace } from '../../karmada/scheduling/trace.ts';
import type { ReadyReplicas } from '../verdicts/readyReplicas.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import type { ReadinessChange, TracedAttempt } from './simulation.ts';

/** Records each look of the scheduler at the binding, with all that it sees. */
export function traceAttempts(traced: string, attempts: TracedAttempt[]) {
  return (controller: string, key: string, view: View, now: number): void => {
    const binding = controller === 'scheduler' && key === traced ? view.get('Binding', key) : undefined;
    if (!binding) return;
    const trace: ScheduleTrace = { attempts: [] };
    const outcome = scheduleBinding({ snapshot: view.fleet, binding, now, trace });
    if (outcome.trigger) attempts.push({ time: now, binding, snapshot: view.fleet, outcome, trace });
  };
}

/** Notes how many replicas of a binding are ready, whenever that changes. */
export function traceReadiness(traced: string, ready: ReadyReplicas, time: VirtualTime): ReadinessChange[] {
  const changes: ReadinessChange[] = [{ time: time.now(), ready: ready.of(traced) }];
  ready.onChange((key) => {
    if (key !== traced) return;
    const now = ready.of(traced);
    if (now !== changes.at(-1)!.ready) changes.push({ time: time.now(), ready: now });
  });
  return changes;
}
