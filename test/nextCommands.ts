/** A document whose commands to run next do not name the state, or the control plane, that was asked. */
export function withoutTarget(document: object): unknown {
  const target = / --(?:state|kubeconfig|(?:karmada-|host-)?context|server)=[^" ]+(?=[^"]*")/g;
  return JSON.parse(JSON.stringify(document).replaceAll(target, ''));
}
