import { sayNote, sayWarning } from '../terminal/messages.ts';
import { startProgress } from '../terminal/progress.ts';
import type { Ports } from '../useCases/ports.ts';
import { flagNames } from './flagNames.ts';

/** What use cases say beside their results goes to stderr, and what may be given are flags. */
export const ports: Ports = {
  warn: sayWarning,
  note: sayNote,
  startProgress: () => startProgress(process.stderr),
  names: flagNames,
};
