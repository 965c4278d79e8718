/**
 * The next commands of a document that do not name the requested state, control plane or instant, or that are not a dry run although the state
 * is in files.
 */
export function withoutTarget(document: object): unknown {
  const target =
    / --(?:(?:state|at|(?:host-)?kubeconfig|(?:karmada-|host-)?context|server)=[^" ]+|dry-run(?=[" ]))(?=[^"]*")/g;
  return JSON.parse(JSON.stringify(document).replaceAll(target, ''));
}
