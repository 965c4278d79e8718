import { marshal } from '../goJson.ts';
import { decodeRawBytes } from '../utf8.ts';
import { evaluate } from './evaluate.ts';
import { parseTemplate, TemplateError, type ListNode } from './template.ts';
import { formatValue, isObject } from './values.ts';

export type Rendered = { text: string } | { error: string };

/** Parses a JSONPath template of Kubernetes; the error is client-go's. */
export function parseJsonPath(template: string): { template: ListNode } | { error: string } {
  try {
    return { template: parseTemplate(template) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

/**
 * Renders JSON data with a template as client-go does with missing keys not allowed. Members of objects,
 * which Go visits in no fixed order, are visited sorted by name.
 */
export function renderJsonPath(template: ListNode, data: unknown): Rendered {
  const evaluated = evaluate(template, data);
  if ('error' in evaluated) return { error: decodeRawBytes(evaluated.error) };
  const text = evaluated.results.map((values) => values.map(printed).join(' ')).join('');
  return { text: decodeRawBytes(text) };
}

// Objects and arrays print as JSON, scalars as Go's fmt prints them.
function printed(value: unknown): string {
  if (value === undefined) return '<no value>';
  if (value === null) return 'null';
  return Array.isArray(value) || isObject(value) ? marshal(value) : formatValue(value);
}
