import * as Flags from '@oclif/core/flags';
import { outputFormat } from './outputFormat.ts';
import { sayWarning } from '../terminal/messages.ts';

/** How an answer is printed. */
export const outputFlags = {
  output: Flags.string({
    char: 'o',
    summary: 'json, yaml, wide, name, jsonpath=…, custom-columns=…; default: for people',
    helpValue: 'FORMAT',
    // report a mistake before any work is done
    parse: async (given) => {
      const format = await outputFormat(given);
      // kubectl prints it without a warning
      if (format.type === 'jsonpath' && format.template.nodes.every(({ type }) => type === 'text'))
        sayWarning(
          `-o ${given} has nothing in braces, so it is printed unchanged; write {.kind} for a field`,
        );
      return given;
    },
  }),
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
