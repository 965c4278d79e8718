import { sayNote, sayWarning } from '../terminal/messages.ts';
import { startProgress } from '../terminal/progress.ts';
import type { Ports } from '../useCases/ports.ts';

/** What use cases say beside their results goes to stderr, and what may be given are flags. */
export const ports: Ports = {
  warn: sayWarning,
  note: sayNote,
  startProgress: () => startProgress(process.stderr),
  names: {
    at: '--at',
    assume: '--assume',
    version: '--karmada-version',
    host: '--host-context',
    readyAfter: '--ready-after',
  },
};
