import { loadKubeconfig } from '../../state/live/connection/kubeconfig.ts';
import type { StateFlags } from '../stateRequest.ts';

/**
 * The flags with the kubeconfig's current context by its name, if they name no other: a screen is open for hours, and whoever switches
 * contexts meanwhile must change neither its actions nor what its commands do when they are copied. The flags as they are if the
 * kubeconfig cannot be read or has no such context: connecting says so.
 */
export async function withContext<F extends StateFlags>(flags: F): Promise<F> {
  if (flags.state?.length || (flags['karmada-context'] ?? flags.context ?? flags.server) !== undefined)
    return flags;
  const kubeconfig = await loadKubeconfig(flags.kubeconfig).catch(() => undefined);
  if (!kubeconfig?.contexts.has(kubeconfig.currentContext)) return flags;
  return { ...flags, 'karmada-context': kubeconfig.currentContext };
}
