import type { Interfaces } from '@oclif/core';

/** The flags that a command receives: the values of those that were given. */
export type GivenFlags<Flags extends Interfaces.FlagInput> = Partial<
  Omit<Interfaces.InferredFlags<Flags>, 'json'>
>;
