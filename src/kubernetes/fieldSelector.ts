/** One requirement of a field selector; all must hold. */
export interface FieldRequirement {
  field: string;
  equal: boolean;
  value: string;
}

/**
 * Parses a field selector in the syntax of kubectl --field-selector, by the rules of fields.ParseSelector:
 * comma-separated `metadata.name=a`, `==`, `!=`; in values `\,`, `\=` and `\\` escape these characters. The caller
 * checks the field names. The error names the invalid part.
 */
export function parseFieldSelector(text: string): { requirements: FieldRequirement[] } | { error: string } {
  const requirements: FieldRequirement[] = [];
  for (const term of text.match(/(?:\\[^]|[^\\,])+\\?/g) ?? []) {
    const parts = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
    if (!parts) return { error: `"${term}" is not FIELD=VALUE or FIELD!=VALUE` };
    const [, field, operator, escaped] = parts as unknown as [string, string, string, string];
    const value = unescaped(escaped);
    if (value === undefined)
      return { error: `"${escaped}" is not a value; write \\, for a comma, \\= for =, \\\\ for a backslash` };
    requirements.push({ field, equal: operator !== '!=', value });
  }
  return { requirements };
}

function unescaped(text: string): string | undefined {
  return /^(?:[^\\,=]|\\[\\,=])*$/.test(text) ? text.replaceAll(/\\(.)/g, '$1') : undefined;
}

/** Whether all requirements hold for an object; an absent field counts as empty. */
export function matchesFields(
  requirements: readonly FieldRequirement[],
  read: (field: string) => string | undefined,
): boolean {
  return requirements.every(({ field, equal, value }) => ((read(field) ?? '') === value) === equal);
}
