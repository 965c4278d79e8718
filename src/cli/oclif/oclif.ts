// What commands take from oclif. The package's index would load all of it.
export * as Args from '@oclif/core/args';
export { Command } from '@oclif/core/command';
export * as Flags from '@oclif/core/flags';

/** For arguments that may be left out: oclif would take them from stdin, which belongs to --state. */
export const optional = { ignoreStdin: true } as const;
