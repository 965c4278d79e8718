import type { DatedBasis } from '../../../karmada/configuration/assumptions.ts';
import type { ProposedChange } from '../../explanation/changes/change.ts';
import type { FailoverSwitch } from '../../explanation/failoverSwitch.ts';
import type { ObjectIdentity } from '../../../karmada/api/meta.ts';
import { missingKind } from '../../../karmada/world.ts';
import { InvalidQuantity } from '../../../kubernetes/quantity.ts';
import type { Source } from '../check.ts';
import { severities } from '../finding.ts';
import { causesFirst } from './causes.ts';
import { examine, type Examination, type Examined } from './examined.ts';
import type { Diagnosed, StateCheck, StateFinding } from './stateCheck.ts';
import { isTemplate } from './unbound.ts';

/** A check that lacked an input, so that finding nothing proves nothing. */
export interface Unchecked {
  checks: readonly string[];
  /** the missing input, and how to provide it */
  why: string;
}

interface Diagnosis {
  /** the worst first */
  findings: readonly StateFinding[];
  /** ids of checks that had all of their inputs and found nothing */
  passed: readonly string[];
  unchecked: readonly Unchecked[];
}

/** A finding whose remedy may be printed: simulations have supported or refuted it, or it needs none. */
export interface CuredFinding extends StateFinding {
  /** the remedy is omitted, since it needs a simulation that was not run */
  unsimulated: boolean;
  /** changes that a simulation has shown to help */
  changes?: readonly ProposedChange[];
}

/** Tries the remedy of a finding before it is shown. */
export type Cure = (finding: StateFinding) => CuredFinding;

/** The problems of a control plane, and the basis of the diagnosis. */
export interface DiagnosedControlPlane extends Diagnosis, DatedBasis {
  /** the first workload that a finding names; absent: none */
  concerned?: ObjectIdentity;
  failover: FailoverSwitch;
  /** how many checks were run or could have been run */
  checks: number;
}

/**
 * Runs the checks of a control plane. A check that lacks an input never counts as passed; its findings still count.
 *
 * @param checks in the order in which findings of the same severity are ranked
 */
export function diagnose(examination: Examination, checks: readonly StateCheck[]): Diagnosis {
  const seen = examine(examination);
  const findings: StateFinding[] = [];
  const passed: string[] = [];
  const unchecked = new Map<string, string[]>();
  const skip = (why: string, id: string) => unchecked.set(why, [...(unchecked.get(why) ?? []), id]);
  for (const check of checks) {
    const missing = lackOf(check, seen);
    if (missing?.decides) {
      skip(missing.why, check.id);
      continue;
    }
    const found = foundBy(check, seen);
    if (!Array.isArray(found)) skip(found.problem, check.id);
    else if (found.length > 0)
      for (const one of found)
        findings.push({ severity: check.severity, ...one, check: check.id, theme: check.theme });
    else if (missing) skip(missing.why, check.id);
    else passed.push(check.id);
  }
  return {
    findings: worstFirst(causesFirst(findings, seen)),
    passed,
    unchecked: [...unchecked].map(([why, ids]) => ({ checks: ids, why })),
  };
}

/** Findings by severity; bugs of the release that are only notes come last: nothing shows that they occur. */
export function worstFirst(findings: readonly StateFinding[]): StateFinding[] {
  const rank = ({ severity, theme }: StateFinding) =>
    severity === 'note' && theme === 'releases' ? -1 : severities.indexOf(severity);
  return findings.toSorted((a, b) => rank(b) - rank(a));
}

function foundBy(check: StateCheck, seen: Examined): Diagnosed[] | { problem: string } {
  try {
    return [check.find(seen)].flat();
  } catch (error) {
    // An unreadable object must not hide the findings of other checks.
    if (error instanceof InvalidQuantity) return { problem: error.message };
    throw error;
  }
}

/** The inputs that a check lacks; `decides`: without them nothing can be found at all. */
function lackOf(check: StateCheck, seen: Examined): { why: string; decides: boolean } | undefined {
  const { unverified: unverified, proven, names } = seen;
  for (const source of check.needs) {
    const why = absence(source, seen);
    if (why !== undefined) return { why, decides: true };
  }
  const lack = check.lacks?.(seen);
  if (lack !== undefined) return { why: lack, decides: true };
  const guessed = (check.flags ?? []).filter((name) => unverified.has(name) && !proven.has(name));
  if (guessed.length === 0) return undefined;
  return {
    why: `gates and flags are unknown: give ${names.host}, add the Deployments of Karmada's components to the state, or give ${names.assume} NAME=VALUE`,
    decides: false,
  };
}

/** Why a source is empty; undefined if it is not. */
function absence(source: Source, seen: Examined): string | undefined {
  const { world, commandLines } = seen;
  const unread = (...kinds: string[]) => {
    const missing = missingKind(world, ...kinds);
    return missing === undefined ? undefined : `${kinds[0]} could not be read; this needs ${missing}`;
  };
  const none = (isThere: boolean, what: string) => (isThere ? undefined : `the state has no ${what}`);
  switch (source) {
    case 'Cluster':
      return unread('Cluster') ?? none(world.clusters.length > 0, 'Cluster');
    case 'ResourceBinding':
      return (
        unread('ResourceBinding', 'ClusterResourceBinding') ??
        none(world.bindings.length > 0, 'ResourceBinding')
      );
    case 'Work':
      return unread('Work') ?? none(world.works.length > 0, 'Work');
    case 'PropagationPolicy':
      return (
        unread('PropagationPolicy', 'ClusterPropagationPolicy') ??
        none(world.policies.length > 0, 'PropagationPolicy')
      );
    case 'ClusterTaintPolicy':
      return seen.configuration.rules.taints.clusterTaintPolicies ? unread('ClusterTaintPolicy') : undefined;
    case 'Configuration':
      return undefined;
    // Most control planes have none of them.
    case 'OverridePolicy':
      return unread('OverridePolicy', 'ClusterOverridePolicy');
    // A control plane may have no Warning Events; files without any Events lack them.
    case 'Event':
      return unread(source) ?? none(world.unread !== undefined || seen.ofKind(source).length > 0, source);
    case 'FederatedHPA':
    case 'CronFederatedHPA':
      return unread(source);
    case 'Deployment':
      return none(commandLines.length > 0, "Deployment of Karmada's components");
    case 'Template':
      return none(
        world.others.some((one) => 'spec' in one && isTemplate(one.kind)),
        'resource templates',
      );
    default:
      return unread(source) ?? none(seen.ofKind(source).length > 0, source);
  }
}
