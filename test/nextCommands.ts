/**
 * A document whose commands to run next do not name the state, or the control plane, that was asked, nor the instant, nor say that they write
 * nothing, as those on files do.
 */
export function withoutTarget(document: object): unknown {
  const target =
    / --(?:(?:state|at|kubeconfig|(?:karmada-|host-)?context|server)=[^" ]+|dry-run(?=[" ]))(?=[^"]*")/g;
  return JSON.parse(JSON.stringify(document).replaceAll(target, ''));
}
