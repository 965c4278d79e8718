import type { Phase } from '../../simulator/timeline/span.ts';
import type { Tone } from '../../presentation/model.ts';

/** How a phase is shown: the mark identifies it without colours. */
interface PhaseLook {
  mark: string;
  tone?: Tone;
  /** one or two words, for legends */
  text: string;
}

/** In the order in which a workload that leaves a failing cluster passes through them. */
export const PHASES: Readonly<Record<Phase, PhaseLook>> = {
  ready: { mark: '━', tone: 'good', text: 'ready' },
  unreachable: { mark: '×', tone: 'bad', text: 'unreachable' },
  tolerating: { mark: '~', tone: 'warn', text: 'tolerating' },
  queued: { mark: ':', tone: 'warn', text: 'waits for its turn' },
  evicting: { mark: '▒', tone: 'warn', text: 'evicting' },
  leaving: { mark: '░', tone: 'faint', text: 'leaving' },
  starting: { mark: '▸', text: 'starting' },
  unhealthy: { mark: '!', tone: 'bad', text: 'unhealthy' },
  unmanaged: { mark: '?', tone: 'faint', text: 'no longer managed' },
  scheduling: { mark: '_', tone: 'bad', text: 'unschedulable' },
  gap: { mark: '█', tone: 'bad', text: 'replicas down' },
};
