import type { ResourceList } from '../../../karmada/api/meta.ts';
import type { ResourceBindingSpec } from '../../../karmada/api/work.ts';
import { formatQuantity } from '../../../kubernetes/formatQuantity.ts';
import { parseQuantity } from '../../../kubernetes/parseQuantity.ts';
import {
  integerQuantity,
  milliQuantity,
  quantityMilliValue,
  quantityValue,
} from '../../../kubernetes/quantity.ts';
import type { ChangeStep } from './change.ts';

/**
 * The step that lowers some resource requests of each replica to so many percent, rounded down. There is no patch for
 * it: the requests are in the containers of the template, which the binding does not show.
 */
export function requestStep(
  spec: ResourceBindingSpec,
  names: readonly string[],
  percent: number,
): ChangeStep {
  const asked = spec.replicaRequirements?.resourceRequest ?? {};
  const smaller: ResourceList = { ...asked };
  for (const name of names) smaller[name] = scaled(name, asked[name]!, percent);
  const text = (list: ResourceList) => names.map((name) => `${name} ${list[name]}`).join(' and ');
  return {
    kind: 'smaller-requests',
    size: 4,
    text: `ask for ${text(smaller)} per replica instead of ${text(asked)}`,
    apply: (proposal) => {
      const { spec: before } = proposal.binding;
      const replicaRequirements = { ...before.replicaRequirements, resourceRequest: smaller };
      return { ...proposal, binding: { ...proposal.binding, spec: { ...before, replicaRequirements } } };
    },
  };
}

const MEBI = 1024n * 1024n;

function scaled(name: string, asked: string | number, percent: number): string {
  const quantity = parseQuantity(asked);
  if (name === 'cpu')
    return formatQuantity(
      milliQuantity((quantityMilliValue(quantity) * BigInt(percent)) / 100n, 'DecimalSI'),
    );
  const amount = (quantityValue(quantity) * BigInt(percent)) / 100n;
  if (amount < MEBI) return String(amount);
  return formatQuantity(integerQuantity((amount / MEBI) * MEBI, 'BinarySI'));
}
