import { isQualifiedName } from './labelSelector.ts';

const NATIVE = 'kubernetes.io/';
const QUOTA = 'requests.';

/**
 * Whether the scheduler counts a resource besides CPU, memory, ephemeral storage and pods: extended resources
 * ("nvidia.com/gpu"), huge pages, attachable volumes and names within kubernetes.io. Mirrors
 * IsScalarResourceName of the Kubernetes scheduler.
 */
export function isScalarResourceName(name: string): boolean {
  return (
    name.includes(NATIVE) ||
    name.startsWith('hugepages-') ||
    name.startsWith('attachable-volumes-') ||
    isExtendedResourceName(name)
  );
}

/** A vendor's resource, "vendor/resource", that a quota can name. */
function isExtendedResourceName(name: string): boolean {
  return (
    name.includes('/') && !name.includes(NATIVE) && !name.startsWith(QUOTA) && isQualifiedName(QUOTA + name)
  );
}
