import type { PolicyEffect } from '../../analysis/taintPolicy/effect.ts';
import type { LeftTaint } from '../../analysis/taintPolicy/leftBehind.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { faint, warn } from '../../presentation/words.ts';
import type { Shown } from '../answer.ts';
import { ownershipDocument, taintDocument, taintText } from './taintWords.ts';

/** The taints that a change leaves behind, and whether each can be removed, as documents. */
export function leftDocuments({ leftBehind, removal }: PolicyEffect) {
  return leftBehind.map((left) => {
    const { cluster, taint, why, policies, wanted, ownership, stillListedBy } = left;
    const stays = removal.kept.find((one) => one.left === left);
    return {
      cluster,
      taint: taintDocument(taint),
      since: taint.timeAdded ?? null,
      why,
      policies,
      ...(wanted === undefined ? {} : { wanted }),
      ownership: ownershipDocument(ownership),
      stillListedBy,
      removable: !stays,
      ...(stays ? { keptBecause: stays.why } : {}),
    };
  });
}

const WHY_LEFT: Record<LeftTaint['why'], string> = {
  deleted: 'its policy is deleted',
  'taint dropped': 'its policy no longer lists it',
  'cluster dropped': 'its policy is no longer for the cluster',
  'other value': 'its policy wants another value, which it does not get',
};

/** The taints that a change leaves behind, a row each with what becomes of it. */
export function leftBlocks(
  { leftBehind, removal }: PolicyEffect,
  withTaints: boolean,
  { names }: Shown,
): Block[] {
  if (leftBehind.length === 0) return [];
  const rows = leftBehind.map((left): Words[] => {
    const stays = removal.kept.find((one) => one.left === left);
    const fate = stays
      ? faint(`stays: ${stays.why}`)
      : withTaints
        ? warn(`removed (${names.withTaints})`)
        : `stays; ${names.withTaints} would remove it`;
    return [left.cluster, taintText(left.taint), WHY_LEFT[left.why], fate];
  });
  return [
    {
      type: 'section',
      title: 'Left behind: Karmada itself removes none of these',
      blocks: [{ type: 'rows', rows }],
    },
  ];
}
