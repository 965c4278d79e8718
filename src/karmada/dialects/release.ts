import type { Design } from './design.ts';

/** A release of Karmada; the major version is 1. */
export interface Release {
  minor: number;
  patch: number;
  /** the designs that it also follows, in order; absent: none */
  designs?: readonly Design[];
}

/** A Karmada version, parsed from text. */
interface ParsedVersion {
  major: number;
  minor: number;
  /** absent for a minor version, such as "v1.18" */
  patch?: number;
  /** "rc.1" of v1.18.0-rc.1 */
  preRelease?: string;
}

const VERSION = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/;

/** Parses "v1.17.3", "1.18", "v1.18.0-rc.1", "v1.18.2+build"; undefined if the text is not a version. */
export function parseVersion(text: string): ParsedVersion | undefined {
  const [match, major, minor, patch, preRelease] = VERSION.exec(text.trim()) ?? [];
  if (match === undefined) return undefined;
  return {
    major: Number(major),
    minor: Number(minor),
    ...(patch === undefined ? {} : { patch: Number(patch) }),
    ...(preRelease === undefined ? {} : { preRelease }),
  };
}

/** Parses "v1.17.3". Throws for any other text, since only the tables of this folder use it. */
export function releaseOf(text: string): Release {
  const [match, minor, patch] = /^v1\.(\d+)\.(\d+)$/.exec(text) ?? [];
  if (match === undefined) throw new Error(`"${text}" is not a release such as v1.17.3`);
  return { minor: Number(minor), patch: Number(patch) };
}
