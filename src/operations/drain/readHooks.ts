import { declaredHooks } from '../../karmada/status/healthInterpreter.ts';
import type { DeclaredHooks } from '../../karmada/controllers/view.ts';
import type { KubernetesObject } from '../../karmada/api/meta.ts';
import type { Rules } from '../../karmada/dialects/rules.ts';
import { ApiError } from '../../state/live/apiError.ts';
import type { ApiServer } from '../../state/live/apiServer.ts';
import { apiPath, type ApiResource } from '../../state/live/resources.ts';

const CONFIG = { group: 'config.karmada.io', version: 'v1alpha1', namespaced: false };
const INTERPRETERS: readonly ApiResource[] = [
  { ...CONFIG, kind: 'ResourceInterpreterCustomization', resource: 'resourceinterpretercustomizations' },
  {
    ...CONFIG,
    kind: 'ResourceInterpreterWebhookConfiguration',
    resource: 'resourceinterpreterwebhookconfigurations',
  },
];

/**
 * Treats all kinds as interpreted: Karmada always reports the same health for a kind without an interpreter, so waiting
 * for it does no harm.
 */
const allInterpreted = ({ status }: Rules): DeclaredHooks => ({
  rules: status,
  enabled: (_resource, operation) => operation === 'InterpretHealth',
});

/** The interpreters that a control plane declares; if the user may not read them, assumes one for every kind. */
export async function readHooks(server: ApiServer, rules: Rules): Promise<DeclaredHooks> {
  const objects: KubernetesObject[] = [];
  for (const resource of INTERPRETERS)
    try {
      objects.push(...(await server.list(apiPath(resource))).items);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 403) return allInterpreted(rules);
      if (error.status !== 404) throw error;
    }
  return declaredHooks(objects, rules);
}
