import { inProcess } from '../inProcess.ts';
import { problemOf } from '../judge.ts';
import type { Json } from '../world.ts';
import { textOf, type Workplace } from '../workplace.ts';
import type { FuzzCase } from './fuzzCase.ts';

export interface CommandLine {
  kind: string;
  argv: readonly string[];
  isTerminal: boolean;
  place: Workplace;
  /** the file made from the input, and others that are always the same */
  file: string;
  input: Json;
  beside?: Readonly<Record<string, Json>>;
}

/** A command line that reads a file made from the input. */
export function commandLine({
  kind,
  argv,
  isTerminal,
  place,
  file,
  input,
  beside = {},
}: CommandLine): FuzzCase {
  return {
    kind,
    command: nameOf(argv),
    input,
    given: `${isTerminal ? 'on a terminal: ' : ''}${argv.join(' ')}`,
    async run(changed) {
      const files = { ...beside, [file]: changed };
      for (const [name, content] of Object.entries(files)) place.file(name, content);
      const before = process.cpuUsage();
      const output = await inProcess(argv, { isTerminal });
      const { user, system } = process.cpuUsage(before);
      const seconds = (user + system) / 1e6;
      if (seconds > MAX_SECONDS) return `${Math.round(seconds)} s of the processor`;
      const given = [...Object.values(files).map(textOf), ...argv].join(' ');
      const written = place.written();
      const raw = isRaw(argv, isTerminal);
      const edited = editedBy(argv, isTerminal);
      return problemOf(output, { given, isTerminal, isRaw: raw, ...(edited && { edited }), written });
    },
  };
}

/** Processor time; a normal case takes a tenth of it. `growth.long.test.ts` measures the growth. */
const MAX_SECONDS = 10;

/** Templates and binary forms give programs the raw data; on a terminal people read it. */
export function isRaw(argv: readonly string[], isTerminal: boolean): boolean {
  return !isTerminal && argv.some((word) => word.startsWith('jsonpath=') || word === 'perfetto');
}

/** Where a conversion writes the manifests: a terminal shows them as any other text. */
function editedBy(argv: readonly string[], isTerminal: boolean): 'stdout' | 'written' | undefined {
  if (nameOf(argv) !== 'taint-policy convert') return undefined;
  if (argv.includes('--out')) return 'written';
  return isTerminal || argv.includes('-o') ? undefined : 'stdout';
}

const TOPICS = ['failover', 'eviction', 'taint-policy', 'snapshot', 'controller'];

/** "drain", "eviction hold" */
export function nameOf([first = '', second = '']: readonly string[]): string {
  return TOPICS.includes(first) ? `${first} ${second}` : first;
}
