import type { PolicyForm } from '../../../analysis/taintPolicy/conversion/forms.ts';
import type { Configuration } from '../../../karmada/configuration/configuration.ts';
import { PROPOSAL } from '../../../karmada/dialects/design.ts';
import { plainNames } from '../../../karmada/configuration/inputNames.ts';
import { configurationOf } from '../../state/configurationOf.ts';

/**
 * The configuration of a control plane that accepts policies of a form: the newest release, or the design. NoExecute is
 * allowed, because the form of a policy does not depend on what an administrator allows.
 */
export function configurationOfForm(form: PolicyForm): Configuration {
  return form === 'proposed'
    ? configurationOf({ version: PROPOSAL }, plainNames).configuration
    : configurationOf({ assume: ['allow-no-execute-taint-policy=true'] }, plainNames).configuration;
}
