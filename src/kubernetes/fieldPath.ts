/** The steps to a field: names in objects, indexes in lists. */
export type Path = readonly (string | number)[];

const STEP = /\.?([^.[\]]+)|\[(\d+)\]|\[("[^"\\]*(?:\\.[^"\\]*)*")\]|\[([^\]]*)\]/y;

/**
 * The steps of a path as printed in messages: `spec.taints[0].key`, `metadata.labels[app.kubernetes.io/name]` (the API
 * server's form of a key) or `labels["a.b"]`. Skips parts that it cannot parse.
 */
export function stepsOf(path: string): Path {
  const steps: (string | number)[] = [];
  STEP.lastIndex = 0;
  for (;;) {
    const found = STEP.exec(path);
    if (!found) return steps;
    const [, name, index, quoted, key] = found;
    if (index !== undefined) steps.push(Number(index));
    else if (quoted !== undefined) steps.push(unquoted(quoted));
    else steps.push(name ?? key!);
  }
}

/** The printed form of a path, from its steps. */
export function pathText(steps: Path): string {
  return steps
    .map((step) => (typeof step === 'number' || /[.[\]]/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** Go quotes like JSON, except for characters that are rare in names. */
export function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}
