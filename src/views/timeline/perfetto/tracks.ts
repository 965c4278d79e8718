import { presentable } from '../../../presentation/presentable.ts';
import type { Track } from './traceItem.ts';

/** Makes tracks: numbers them, and gives each its place under its parent. With a unit, a track counts. */
export function trackMaker(): (under: Track | undefined, name: string, unit?: string) => Track {
  let last = 0;
  const children = new Map<number, number>();
  return (under, name, unit) => {
    const rank = children.get(under?.id ?? 0) ?? 0;
    children.set(under?.id ?? 0, rank + 1);
    return {
      type: 'track',
      id: ++last,
      ...(under && { parent: under.id }),
      name: presentable(name),
      rank,
      ...(unit !== undefined && { unit }),
    };
  };
}
