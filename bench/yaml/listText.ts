/** Objects as one YAML List in kubectl's layout: sorted keys, list items no deeper than their key. */
export function yamlList(objects: Iterable<object>, leastBytes: number): string {
  let text = 'apiVersion: v1\nitems:\n';
  for (const object of objects) {
    text += `- ${mapping(object as Record<string, unknown>, '  ').slice(2)}`;
    if (text.length >= leastBytes) break;
  }
  return `${text}kind: List\nmetadata:\n  resourceVersion: ""\n`;
}

function mapping(object: Record<string, unknown>, indent: string): string {
  return Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${indent}${scalar(key)}:${value(object[key], indent)}`)
    .join('');
}

function value(item: unknown, indent: string): string {
  if (Array.isArray(item)) {
    if (item.length === 0) return ' []\n';
    return `\n${item.map((entry) => `${indent}-${listed(entry, `${indent}  `)}`).join('')}`;
  }
  if (item !== null && typeof item === 'object') {
    if (Object.keys(item).length === 0) return ' {}\n';
    return `\n${mapping(item as Record<string, unknown>, `${indent}  `)}`;
  }
  return ` ${scalar(item)}\n`;
}

function listed(item: unknown, indent: string): string {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return value(item, indent);
  const text = mapping(item as Record<string, unknown>, indent);
  return text === '' ? ' {}\n' : ` ${text.slice(indent.length)}`;
}

const MISREAD =
  /^(|[-+]?[\d.]+(e[-+]?\d+)?|0x[\da-f]+|y|n|yes|no|on|off|true|false|null|~|\d{4}-\d\d-\d\d.*)$/i;
const INDICATORS = /^[-?:,[\]{}#&*!|>'"%@`\s]|: |:$| #|\s$/;

function scalar(item: unknown): string {
  if (typeof item !== 'string') return String(item);
  if (MISREAD.test(item)) return `"${item}"`;
  return INDICATORS.test(item) ? `'${item.replaceAll("'", "''")}'` : item;
}
