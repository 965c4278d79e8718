/**
 * Whether a message of status 403 is an authorizer's, which says who "cannot list resource" or "cannot get path" (apiserver,
 * responsewriters). Admission answers 403 as well, in any words: webhooks, admission policies, quotas, a namespace that is being deleted.
 */
export function isMissingRight(message: string): boolean {
  return /\bcannot \S+ (?:resource|path) /.test(message);
}
