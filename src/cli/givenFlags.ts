import type { Interfaces } from '@oclif/core';

/** What a command gets of its flags: the values of those that were given. */
export type GivenFlags<Flags extends Interfaces.FlagInput> = Partial<
  Omit<Interfaces.InferredFlags<Flags>, 'json'>
>;
