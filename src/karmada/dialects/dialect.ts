import type { Configuration } from '../configuration.ts';

/**
 * What one Karmada version does differently from another, as data. Rules read these switches; nothing
 * outside this folder asks for a version.
 */
export interface Dialect {
  /** "v1.18" */
  version: string;
  /** gates and flags of components started without arguments */
  defaults: Configuration;
}
