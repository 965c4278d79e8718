/** The steps to a field: names in objects, indexes in lists. */
export type Path = readonly (string | number)[];

const STEP = /\.?([^.[\]]+)|\[(\d+)\]|\[("[^"\\]*(?:\\.[^"\\]*)*")\]|\[([^\]]*)\]/y;

/**
 * The steps of a path as messages show it: `spec.taints[0].key`, `metadata.labels[app.kubernetes.io/name]` (as the API server names a
 * key) or `labels["a.b"]`. Parts that cannot be read are left out.
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

/** A path as messages show it, of its steps. */
export function pathText(steps: Path): string {
  return steps
    .map((step) => (typeof step === 'number' || /[.[\]]/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}
