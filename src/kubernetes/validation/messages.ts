// Wording shared by Kubernetes' validation of names and labels.

export const EMPTY = 'must be non-empty';

/** Up to v1.34 Kubernetes called bytes characters. */
export function maxLengthError(length: number, unit: 'bytes' | 'characters' = 'bytes'): string {
  return `must be no more than ${length} ${unit}`;
}

/** The rule, examples that follow it, and the regular expression. */
export function regexError(rule: string, pattern: string, ...examples: string[]): string {
  const like = examples.map((example) => `'${example}'`).join(',  or ');
  return `${rule} (e.g. ${like}, regex used for validation is '${pattern}')`;
}
