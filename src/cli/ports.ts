import { sayNote, sayWarning } from '../terminal/messages.ts';
import { startProgress } from '../terminal/progress.ts';
import type { Ports } from '../useCases/ports.ts';
import { flagNames } from './flagNames.ts';

/** Use cases warn and report progress on stderr, and call inputs by the names of flags. */
export const ports: Ports = {
  warn: sayWarning,
  note: sayNote,
  startProgress: () => startProgress(process.stderr),
  names: flagNames,
};
