import { Args } from './oclif/oclif.ts';

/** The argument of commands that read only a recording. */
export const recordingArgument = Args.string({
  description: 'a file that record has written',
  required: true,
  ignoreStdin: true,
});
