// The parts of oclif that commands use. The package's index would load all of it.
export * as Args from '@oclif/core/args';
export { Command } from '@oclif/core/command';
export * as Flags from '@oclif/core/flags';

/** For optional arguments: oclif would read them from stdin, which belongs to --state. */
export const optional = { ignoreStdin: true } as const;
