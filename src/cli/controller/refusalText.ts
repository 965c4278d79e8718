import { rfc3339 } from '../../kubernetes/time.ts';
import { objectText } from '../../views/words/names.ts';
import type { RunRefusal } from '../../useCases/controller/refusal.ts';

/** Why controllers must not run and how to fix it, in one line. */
export function refusalText(refusal: RunRefusal): string {
  switch (refusal.code) {
    case 'same-job':
      return `${refusal.controller}: Karmada's own controller does this already: ${refusal.karmadas}, ${refusal.found}; start karmada-controller-manager with ${refusal.off}, or leave ${refusal.controller} out with --controllers=*,-${refusal.controller}`;
    case 'same-job-seen': {
      const when = refusal.time === undefined ? '' : ` at ${refusal.time}`;
      return `${refusal.controller}: Karmada's own controller does this too: karmada-controller-manager wrote ${objectText(refusal.object)}${when}; start it with ${refusal.off}, and run this again`;
    }
    case 'unknown-flags':
      return `${refusal.controllers.join(', ')}: karmada-controller-manager is running (${refusal.holder} renewed the Lease ${refusal.lease} at ${rfc3339(refusal.renewed)}), but its flags are unknown; give --host-context to read them, or set them with --assume, such as --assume controllers=*,-gracefulEviction`;
    case 'unknown-manager':
      return `${refusal.controllers.join(', ')}: the flags of karmada-controller-manager are unknown (${refusal.why}); give --host-context to read them, or set them with --assume, such as --assume controllers=*,-gracefulEviction`;
    case 'not-kept': {
      const what = refusal.value === undefined ? refusal.field : `${refusal.field}: ${refusal.value}`;
      return `${refusal.controllers.join(', ')}: the API server would not keep ${what} of a ${refusal.kind}; ${installText(refusal.kind)}, or follow the rules of the version that runs, with --karmada-version`;
    }
    case 'unknown-fields':
      return `${refusal.controllers.join(', ')}: unknown whether the API server keeps their fields (${refusal.why}); let this user get /openapi/v3 and /openapi/v3/*, or try again when the server answers`;
    case 'unknown-effect':
      return `${refusal.controllers.join(', ')}: unknown whether the API server accepts a taint with the effect ${refusal.value} on a ${refusal.kind} (${refusal.why}); try again when the server answers`;
    case 'nothing-runs':
      return `no controller would do anything: ${refusal.controllers.map(idleControllerText).join('; ')}`;
  }
}

/** Karmada's aggregated API server serves clusters, so no CRD can change them. */
function installText(kind: string): string {
  return kind === 'Cluster'
    ? 'run a karmada-aggregated-apiserver that takes it'
    : 'install the CRDs that controller manifests --for karmada prints';
}

/** The missing prerequisite of an idle controller. */
export function idleControllerText({
  controller,
  needs,
}: Extract<RunRefusal, { code: 'nothing-runs' }>['controllers'][number]): string {
  if (needs.length === 0) return `${controller} does not exist in this version`;
  const flags = needs.map((one) => (/^[A-Z]/.test(one) ? `--feature-gates=${one}` : `--${one}`));
  return `${controller} needs ${flags.join(' ')}`;
}
