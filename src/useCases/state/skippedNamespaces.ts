import { listOf, type CommandLine } from '../../karmada/configuration/commandLine.ts';
import { getOrAdd } from '../../karmada/objects/getOrAdd.ts';

/** Whether karmada-controller-manager skips a namespace. */
export type SkipsNamespace = (namespace: string) => boolean;

/** A name, or part of one: every engine reads it the same way, and matches it in linear time. */
const SIMPLE = /^[\w-]*(?:\.\*)?[\w-]*$/;

/**
 * The namespaces that --skipped-propagating-namespaces of a control plane skips. Its regular expressions are Go's:
 * their library is loaded if one needs it. With one that Go cannot parse, karmada-controller-manager does not start.
 */
export async function skippedNamespaces(commandLines: readonly CommandLine[]): Promise<SkipsNamespace> {
  const line = commandLines.find(({ component }) => component === 'controllerManager');
  const patterns = listOf(line, 'skipped-propagating-namespaces')?.split(',') ?? [];
  const simple = patterns.filter((one) => SIMPLE.test(one)).map((one) => new RegExp(`^${one}$`));
  const others = patterns.filter((one) => !SIMPLE.test(one));
  const goMatcher =
    others.length > 0 ? (await import('../../kubernetes/linearRegExp.ts')).goMatcher : undefined;
  const matchers = goMatcher ? others.flatMap((one) => goMatcher(`^${one}$`) ?? []) : [];
  // Many objects share a namespace.
  const known = new Map<string, boolean>();
  const skips = (namespace: string) =>
    simple.some((one) => one.test(namespace)) || matchers.some((matches) => matches(namespace));
  return (namespace) => getOrAdd(known, namespace, () => skips(namespace));
}
