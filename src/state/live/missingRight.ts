/**
 * Whether a message with status 403 comes from an authorizer, whose texts are "cannot list resource" or "cannot get
 * path" (apiserver, responsewriters). Admission also answers 403, with any text: webhooks, admission policies, quotas,
 * a namespace that is being deleted.
 */
export function isMissingRight(message: string): boolean {
  return /\bcannot \S+ (?:resource|path) /.test(message);
}
