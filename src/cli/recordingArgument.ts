import { Args } from './oclif/oclif.ts';

/** The argument of commands that read only a recording. */
export const recordingArgument = Args.string({
  description: 'a file written by record',
  required: true,
  ignoreStdin: true,
});
