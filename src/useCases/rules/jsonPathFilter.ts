import type { JSONPath } from 'jsonpath-plus';
import { isObject } from '../../kubernetes/json.ts';

/** An expression that cannot be evaluated, by itself or on an object. */
export class JsonPathProblem extends Error {}

/** What jsonpath-plus makes of the text of a filter. */
interface Script {
  ast: Expression;
  runInNewContext(context: object): unknown;
}

/** A node of jsep's syntax tree. */
interface Expression {
  type: string;
  name?: string;
  computed?: boolean;
  callee?: Expression;
  property?: Expression;
}

type ScriptClass = new (code: string) => Script;

/** The methods of the values in a filter: strings, lists, numbers, regular expressions. */
const METHODS = new Set(
  [String.prototype, Array.prototype, Number.prototype, RegExp.prototype, Object.prototype].flatMap((type) =>
    Object.getOwnPropertyNames(type).filter((name) => {
      const { value } = Object.getOwnPropertyDescriptor(type, name) as { value?: unknown };
      return typeof value === 'function' && name !== 'constructor' && !name.startsWith('_');
    }),
  ),
);

/** The classes with which jsonpath-plus reads filters: `Filter` runs them, `Unrun` only reads them. */
export function filterClasses(library: typeof JSONPath) {
  const { Script } = (library as unknown as { prototype: { safeVm: { Script: ScriptClass } } }).prototype
    .safeVm;
  class Filter {
    private readonly script: Script;

    constructor(code: string) {
      this.script = new Script(code);
      checkExpression(this.script.ast);
    }

    runInNewContext(context: object): unknown {
      try {
        return this.script.runInNewContext(context);
      } catch (error) {
        // if a field is missing nothing matches; any other error is a mistake in the rule
        if (/^Cannot read properties of (undefined|null)\b/.test((error as Error).message)) return false;
        throw error;
      }
    }
  }
  // a class and not an option of Filter: jsonpath-plus caches filters by the source of the class
  class Unrun extends Filter {
    override runInNewContext(): unknown {
      return false;
    }
  }
  return { Filter, Unrun };
}

/** Throws a JsonPathProblem for what could only fail, or would be ignored, once it is evaluated. */
function checkExpression(node: Expression): void {
  switch (node.type) {
    case 'Compound':
      throw new JsonPathProblem('a filter has to be one expression');
    case 'AssignmentExpression':
      throw new JsonPathProblem('a filter cannot assign with =; compare with ==, or with @.match(/…/)');
    case 'Identifier':
      if (!node.name?.startsWith('_$_'))
        throw new JsonPathProblem(
          `a filter knows no ${node.name}; fields begin with @., and texts are in quotes`,
        );
      return;
    case 'CallExpression':
      checkMethod(node.callee);
  }
  for (const [field, value] of Object.entries(node)) {
    if (field === 'property' && !node.computed) continue;
    for (const inner of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isObject(inner) && typeof inner['type'] === 'string')
        checkExpression(inner as unknown as Expression);
  }
}

function checkMethod(callee: Expression | undefined): void {
  const name = callee?.type === 'MemberExpression' && !callee.computed ? callee.property?.name : callee?.name;
  if (callee?.type !== 'MemberExpression' || name === undefined || !METHODS.has(name))
    throw new JsonPathProblem(`a filter knows no method ${name ?? 'of this form'}`);
}
