import { shellWord } from '../../kubernetes/escaping.ts';
import type { Block } from '../../presentation/model.ts';
import type { Shown } from '../answer.ts';

/** The next command, for the same control plane; nothing where commands cannot be run. */
export function nextStep(words: readonly string[], { command }: Pick<Shown, 'command'>): Block[] {
  return command ? [{ type: 'command', text: command(words) }] : [];
}

/** A command of kubectl or karmadactl, for the same control plane if its connection is known. */
export function kubectlText(words: readonly string[], kubectl: Shown['kubectl']): string {
  return kubectl ? kubectl(words) : words.map(shellWord).join(' ');
}
