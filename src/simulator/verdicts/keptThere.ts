import type { ResourceBinding } from '../../karmada/api/work.ts';
import type { Note } from '../../karmada/controllers/controller.ts';
import { appliedPlacement } from '../../karmada/objects/appliedPlacement.ts';
import type { StartingWorld } from '../store/startingWorld.ts';
import { evictingTaints } from '../../karmada/taints/evictingTaints.ts';
import { stayText, termsOf } from '../../karmada/taints/evictionTerms.ts';
import { evictionDue } from '../../karmada/taints/taintManager.ts';
import type { VirtualTime } from '../virtualTime/virtualTime.ts';
import type { OutcomeFacts } from './judge.ts';

/** Why taints do not evict a binding, in a sentence: it tolerates them, or they do not move it. */
export type KeptThere = Pick<OutcomeFacts, 'tolerated' | 'notMoved'>;

/** Why bindings stay on tainted clusters: as the taint manager says, or as it had found before the start. */
export interface StayingBindings {
  /** to call at the end, with a binding as it was at the start */
  of(key: string, initial: ResourceBinding): KeptThere;
  /** those of which the taint manager has said so since the start */
  told(): Iterable<string>;
}

/** Follows why bindings stay on tainted clusters. */
export function followKeptThere(start: StartingWorld, time: VirtualTime): StayingBindings {
  const kept = new Map<string, KeptThere>();
  const startedAt = time.now();
  const { rules } = start.configuration;

  function noted(note: Note): void {
    if (note.type === 'NotMoved') kept.set(note.binding, { notMoved: notMovedText(note) });
    if (note.type !== 'Tolerated') return;
    const tolerated = toleratedText(note.taints, note.cluster, note.until === undefined);
    kept.set(note.binding, { tolerated });
  }

  /** By the taints at the start: in a saved simulation the taint manager decided before. */
  function atStart(binding: ResourceBinding): KeptThere {
    const terms = termsOf(binding, appliedPlacement(binding.metadata));
    for (const { name } of binding.spec.clusters ?? []) {
      const taints = evictingTaints(start.clusters.get(name)?.spec?.taints, rules);
      if (taints.length === 0) continue;
      const due = evictionDue(taints, binding, terms, startedAt);
      if (due.kind === 'immediate') continue;
      const reason = due.kind === 'skip' ? stayText(taints, terms) : undefined;
      if (reason !== undefined) return { notMoved: notMovedText({ cluster: name, reason }) };
      const keys = taints.map(({ key }) => key);
      return { tolerated: toleratedText(keys, name, due.kind === 'skip') };
    }
    return {};
  }

  time.follow(({ step }) => step?.notes?.forEach(noted));
  return { of: (key, initial) => kept.get(key) ?? atStart(initial), told: () => kept.keys() };
}

function toleratedText(taints: readonly string[], cluster: string, forEver: boolean): string {
  return `tolerates ${taints.join(', ')} on ${cluster} ${forEver ? 'forever' : 'for a time'}`;
}

function notMovedText({ cluster, reason }: { cluster: string; reason: string }): string {
  return `stays on ${cluster}: ${reason}`;
}
