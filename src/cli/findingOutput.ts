import { Flags } from '@oclif/core';
import { outputFormat } from './outputFormat.ts';

const REPORTS = ['sarif', 'junit'];

/** The flag --output of commands that print findings: the formats of all commands, and reports for code hosts and pipelines. */
export const findingOutput = Flags.string({
  char: 'o',
  summary: 'json, yaml, wide, name, sarif, junit, jsonpath=..., custom-columns=...; default: text',
  helpValue: ['FORMAT', ...REPORTS].join('|'),
  parse: async (given) => {
    if (!REPORTS.includes(given)) await outputFormat(given, REPORTS);
    return given;
  },
});
