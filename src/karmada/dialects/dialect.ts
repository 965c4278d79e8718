import type { Configuration } from '../configuration.ts';
import type { Component } from '../flags.ts';

/**
 * What one Karmada version does differently from another, as data. Rules read these switches; nothing
 * outside this folder asks for a version.
 */
export interface Dialect {
  /** "v1.18" */
  version: string;
  /** gates and flags of components started without arguments */
  defaults: Configuration;
  /** all feature gates of the version, also those that decide nothing here */
  featureGates: Record<string, FeatureGate>;
}

export interface FeatureGate {
  default: boolean;
  /** what AllAlpha and AllBeta switch */
  stage: 'Alpha' | 'Beta';
  /** whose gate decides here; a gate is set per component, and may differ between them */
  decidedBy?: Component;
}
