import * as Flags from '@oclif/core/flags';
import { outputFormat } from './outputFormat.ts';
import { sayWarning } from '../terminal/messages.ts';

/** How an answer is printed. */
export const outputFlags = {
  output: Flags.string({
    char: 'o',
    summary: 'json, yaml, wide, name, jsonpath=…, custom-columns=…; default: for people',
    helpValue: 'FORMAT',
    // a mistake in it is worth saying before any work is done
    parse: async (given) => {
      const format = await outputFormat(given);
      // kubectl prints it silently
      if (format.type === 'jsonpath' && format.template.nodes.every(({ type }) => type === 'text'))
        sayWarning(`-o ${given} has nothing in braces, so it is printed as it is; {.kind} would be a field`);
      return given;
    },
  }),
  'no-headers': Flags.boolean({ summary: 'print tables without the line of column names' }),
};

/** How an answer that lists things is printed, with a field of its items that the help names as an example. */
export const listOutputFlagsWith = (example: string) => ({
  ...outputFlags,
  'sort-by': Flags.string({
    summary: `order the list by a field of its items, such as ${example}`,
    helpValue: 'JSONPATH',
  }),
});

/** How an answer that lists workloads is printed. */
export const listOutputFlags = listOutputFlagsWith('.workload.name');
