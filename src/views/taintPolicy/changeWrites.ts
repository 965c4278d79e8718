import type { Taint } from '../../karmada/api/meta.ts';
import type { Block, Words } from '../../presentation/model.ts';
import { bad, good } from '../../presentation/words.ts';
import { dryRunSuffix, type DryRun } from '../words/dryRunSuffix.ts';
import { taintDocument, taintText } from './taintWords.ts';

/** One write, made or to be made. */
export interface ToldWrite {
  kind: 'ClusterTaintPolicy' | 'Cluster';
  name: string;
  /** "configured", "pruned", "untainted" */
  action: string;
  /** it was not tried, because an earlier write was not done */
  skipped?: true;
  /** taints of an untainted cluster */
  taints?: readonly Taint[];
  message?: string | undefined;
  conflicts?: readonly { manager: string; field: string }[] | undefined;
}

/** Taints of a cluster that were awaited and are not there, or that should be gone and are there. */
export interface ToldMissing {
  cluster: string;
  missing: readonly object[];
  stillThere: readonly object[];
  event?: string;
}

/** A write as a document. */
export function writeDocument({ kind, name, action, taints, message, conflicts }: ToldWrite) {
  return {
    kind,
    name,
    action,
    ...(taints ? { taints: taints.map(taintDocument) } : {}),
    ...(message === undefined ? {} : { message }),
    ...(conflicts ? { conflicts } : {}),
  };
}

/** The writes, made or to be made, a row each; then what was awaited and has not happened. */
export function writeBlocks(
  writes: readonly ToldWrite[],
  missing: readonly ToldMissing[] | undefined,
  dryRun: DryRun,
): Block[] {
  return [
    {
      type: 'rows',
      rows: writes.map((write): Words[] => [resultText(write, dryRunSuffix[dryRun])]),
    },
    ...(missing ? missingBlocks(missing) : []),
  ];
}

function resultText(write: ToldWrite, suffix: string): Words {
  const { kind, name, action, skipped, taints, message, conflicts } = write;
  const resource =
    kind === 'Cluster'
      ? `cluster.cluster.karmada.io/${name}`
      : `clustertaintpolicy.policy.karmada.io/${name}`;
  const what = taints && taints.length > 0 ? `: ${taints.map((one) => taintText(one)).join(', ')}` : '';
  const why = message === undefined ? '' : `: ${message}`;
  const text = `${resource} ${action}${suffix}${what}${why}`;
  return conflicts || skipped || action === 'refused' || action === 'unknown' ? bad(text) : text;
}

function missingBlocks(missing: readonly ToldMissing[]): Block[] {
  if (missing.length === 0) return [{ type: 'paragraph', words: good('The taints are as planned above.') }];
  const rows = missing.map((one): Words[] => {
    const texts = (taints: readonly object[]) => taints.map((taint) => taintText(taint as Taint)).join(', ');
    const lacks = one.missing.length > 0 ? `does not have ${texts(one.missing)}` : '';
    const has = one.stillThere.length > 0 ? `still has ${texts(one.stillThere)}` : '';
    const why = one.event === undefined ? '' : `: ${one.event}`;
    return [one.cluster, bad(`${[lacks, has].filter((text) => text !== '').join(', ')}${why}`)];
  });
  const next: Block[] = missing.some(({ event }) => event === undefined)
    ? [
        {
          type: 'paragraph',
          words: 'Check that karmada-controller-manager runs; taint-policy explain says what it waits for.',
        },
      ]
    : [];
  return [{ type: 'section', title: 'Not done yet', blocks: [{ type: 'rows', rows }, ...next] }];
}
