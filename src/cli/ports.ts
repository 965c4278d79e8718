import { noteOfAnswer, warnOfAnswer } from '../terminal/messages.ts';
import { startProgress } from '../terminal/progress.ts';
import type { Ports } from '../useCases/ports.ts';
import { flagNames } from './flagNames.ts';

/** The ports of the command line: warnings and progress on stderr, inputs named by their flags. */
export const ports: Ports = {
  warn: warnOfAnswer,
  note: noteOfAnswer,
  startProgress: () => startProgress(process.stderr),
  names: flagNames,
};
