// The parts of oclif that commands use; its index would load everything.
export * as Args from '@oclif/core/args';
export { Command } from '@oclif/core/command';
export * as Flags from '@oclif/core/flags';

/** For optional arguments: oclif would read them from stdin, which is for --state. */
export const optional = { ignoreStdin: true } as const;
