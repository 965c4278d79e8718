import type { Examination } from '../../analysis/findings/state/examined.ts';
import type { ResourceBinding } from '../../karmada/api/work.ts';
import { unverified } from '../../karmada/configuration/assumptions.ts';
import type { InputNames } from '../../karmada/configuration/inputNames.ts';
import { unknownFlags } from '../../karmada/configuration/resolveConfiguration.ts';
import { dialectOf } from '../../karmada/dialects/dialects.ts';
import type { OpenedState } from '../state/openState.ts';

/** The input of checks for a state that has been read, limited to these bindings. */
export function examinationOf(
  { world, now, configuration, karmadaVersion, assumptions, proven, loaded, skipsNamespace }: OpenedState,
  bindings: readonly ResourceBinding[],
  names: InputNames,
): Examination {
  const { dialect } = dialectOf(karmadaVersion);
  const { commandLines, versions } = loaded.components;
  return {
    world,
    bindings,
    now,
    configuration,
    karmadaVersion,
    commandLines,
    versions,
    names,
    proven: proven ?? new Map<string, string>(),
    unverified: unverified(assumptions),
    release: dialect.release,
    unknownFlags: unknownFlags(dialect, commandLines),
    skipsNamespace,
  };
}
