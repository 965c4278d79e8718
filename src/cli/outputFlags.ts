import * as Flags from '@oclif/core/flags';
import { UserError } from './errors.ts';
import { outputFormat } from './outputFormat.ts';
import { sayWarning } from '../terminal/messages.ts';

/** Forms that are no text, and how a file with one is usually called. */
const BINARY: Readonly<Record<string, string>> = { perfetto: 'trace.pftrace' };

/** -o with forms that only this command has, besides those of all. */
export const outputFlagWith = (...more: readonly string[]) =>
  Flags.string({
    char: 'o',
    summary: `${['json, yaml, wide, name', ...more].join(', ')}, jsonpath=..., custom-columns=...; default: for people`,
    // completion offers what stands behind FORMAT
    helpValue: ['FORMAT', ...more].join('|'),
    // a mistake is reported before any work is done
    parse: async (given) => {
      if (more.includes(given)) {
        const file = BINARY[given];
        if (file !== undefined && process.stdout.isTTY)
          throw new UserError(
            `-o ${given} is binary and nothing for a terminal; write it to a file: -o ${given} > ${file}`,
          );
        return given;
      }
      const format = await outputFormat(given, more);
      // kubectl prints it without a warning
      if (format.type === 'jsonpath' && format.template.nodes.every(({ type }) => type === 'text'))
        sayWarning(
          `-o ${given} has nothing in braces, so it is printed unchanged; write {.kind} for a field`,
        );
      return given;
    },
  });

/** How an answer is printed. */
export const outputFlags = {
  output: outputFlagWith(),
  'no-headers': Flags.boolean({ summary: 'print tables without headers' }),
};

/** How an answer that lists things is printed; the help names `example` as a field of its items. */
export const listOutputFlagsWith = (example: string) => ({
  ...outputFlags,
  'sort-by': Flags.string({
    summary: `order the list by a field of its items, such as ${example}`,
    helpValue: 'JSONPATH',
  }),
});

/** How an answer that lists workloads is printed. */
export const listOutputFlags = listOutputFlagsWith('.workload.name');
