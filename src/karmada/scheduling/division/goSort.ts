// Karmada orders clusters by free capacity with Go's sort.Sort, which is not stable: with equal capacities and more
// than twelve clusters, its pattern-defeating quicksort happens to decide which clusters an Aggregated workload uses.
// This repeats its steps on two parallel arrays.

const INSERTION_LIMIT = 12;
const NINTHER_FROM = 50;
const SHIFT_FROM = 50;
const SHIFTS = 5;
const SWAPS_OF_REVERSED = 12;

/** Two parallel arrays, sorted by key in descending order; the items move with their keys. */
interface Pairs {
  keys: number[];
  items: number[];
}

/**
 * Sorts keys in descending order, with their items, into exactly the order that Go's sort.Sort produces for a "greater
 * replicas first" comparison, equal keys included.
 */
export function sortDescendingLikeGo(keys: number[], items: number[]): void {
  if (isDescending(keys)) return; // sort.Sort does not touch a sorted slice
  sortRange({ keys, items }, 0, keys.length, 32 - Math.clz32(keys.length));
}

function isDescending(keys: readonly number[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i]! > keys[i - 1]!) return false;
  return true;
}

function before({ keys }: Pairs, i: number, j: number): boolean {
  return keys[i]! > keys[j]!;
}

function swap({ keys, items }: Pairs, i: number, j: number): void {
  const key = keys[i]!;
  keys[i] = keys[j]!;
  keys[j] = key;
  const item = items[i]!;
  items[i] = items[j]!;
  items[j] = item;
}

function sortRange(pairs: Pairs, from: number, to: number, badPivotsLeft: number): void {
  let balanced = true;
  let wasPartitioned = true;
  for (let length = to - from; length > INSERTION_LIMIT; length = to - from) {
    if (badPivotsLeft === 0) return heapSort(pairs, from, to);
    if (!balanced) {
      scatter(pairs, from, length);
      badPivotsLeft--;
    }
    const choice = choosePivot(pairs, from, length);
    let pivot = choice.pivot;
    let looksSorted = choice.swaps === 0;
    if (choice.swaps === SWAPS_OF_REVERSED) {
      reverse(pairs, from, to);
      pivot = to - 1 - (pivot - from);
      looksSorted = true;
    }
    if (balanced && wasPartitioned && looksSorted && finishByShifting(pairs, from, to)) return;
    if (from > 0 && !before(pairs, from - 1, pivot)) {
      from = skipEqual(pairs, from, to, pivot);
      continue;
    }
    const split = partition(pairs, from, to, pivot);
    wasPartitioned = split.nothingMoved;
    const left = split.at - from;
    const right = to - split.at;
    balanced = Math.min(left, right) >= length >> 3;
    if (left < right) {
      sortRange(pairs, from, split.at, badPivotsLeft);
      from = split.at + 1;
    } else {
      sortRange(pairs, split.at + 1, to, badPivotsLeft);
      to = split.at;
    }
  }
  for (let i = from + 1; i < to; i++) sinkLeft(pairs, i, from);
}

/** Moves the pair at `i` to the left while it sorts before its neighbour, up to `first`. */
function sinkLeft(pairs: Pairs, i: number, first: number): void {
  for (; i > first && before(pairs, i, i - 1); i--) swap(pairs, i, i - 1);
}

/** Tries to finish an almost sorted range with a few shifts; false if that is not enough. */
function finishByShifting(pairs: Pairs, from: number, to: number): boolean {
  let i = from + 1;
  for (let shifts = 0; shifts < SHIFTS; shifts++) {
    while (i < to && !before(pairs, i, i - 1)) i++;
    if (i === to) return true;
    if (to - from < SHIFT_FROM) return false;
    swap(pairs, i, i - 1);
    if (i - from >= 2) sinkLeft(pairs, i - 1, 0);
    if (to - i >= 2) for (let j = i + 1; j < to && before(pairs, j, j - 1); j++) swap(pairs, j, j - 1);
  }
  return false;
}

/** Hoare partition around the pivot, which is parked at `from` meanwhile. */
function partition(
  pairs: Pairs,
  from: number,
  to: number,
  pivot: number,
): { at: number; nothingMoved: boolean } {
  swap(pairs, from, pivot);
  let i = from + 1;
  let j = to - 1;
  for (let nothingMoved = true; ; nothingMoved = false) {
    while (i <= j && before(pairs, i, from)) i++;
    while (i <= j && !before(pairs, j, from)) j--;
    if (i > j) {
      swap(pairs, j, from);
      return { at: j, nothingMoved };
    }
    swap(pairs, i++, j--);
  }
}

/** For a range without items smaller than the pivot: moves equal ones to the front, returns the start of the rest. */
function skipEqual(pairs: Pairs, from: number, to: number, pivot: number): number {
  swap(pairs, from, pivot);
  let i = from + 1;
  let j = to - 1;
  for (;;) {
    while (i <= j && !before(pairs, from, i)) i++;
    while (i <= j && before(pairs, from, j)) j--;
    if (i > j) return i;
    swap(pairs, i++, j--);
  }
}

/** The median of three positions, or of three such medians; counts comparisons that were out of order. */
function choosePivot(pairs: Pairs, from: number, length: number): { pivot: number; swaps: number } {
  let swaps = 0;
  const inOrder = (a: number, b: number): [number, number] => {
    if (!before(pairs, b, a)) return [a, b];
    swaps++;
    return [b, a];
  };
  const median = (a: number, b: number, c: number): number => {
    const [low, high] = inOrder(a, b);
    return inOrder(low, inOrder(high, c)[0])[1];
  };
  const quarter = length >> 2;
  let spots = [from + quarter, from + 2 * quarter, from + 3 * quarter];
  if (length >= NINTHER_FROM) spots = spots.map((spot) => median(spot - 1, spot, spot + 1));
  const pivot = median(spots[0]!, spots[1]!, spots[2]!);
  return { pivot, swaps };
}

/** Breaks up patterns that caused a bad pivot: swaps three pairs in the middle with pseudo-random ones. */
function scatter(pairs: Pairs, from: number, length: number): void {
  let random = BigInt(length); // xorshift, seeded with the length
  const mask = BigInt(2 ** (32 - Math.clz32(length)) - 1);
  const middle = from + (length >> 2) * 2;
  for (let spot = middle - 1; spot <= middle + 1; spot++) {
    random ^= BigInt.asUintN(64, random << 13n);
    random ^= random >> 7n;
    random ^= BigInt.asUintN(64, random << 17n);
    const other = Number(random & mask);
    swap(pairs, spot, from + (other >= length ? other - length : other));
  }
}

function reverse(pairs: Pairs, from: number, to: number): void {
  for (let i = from, j = to - 1; i < j; i++, j--) swap(pairs, i, j);
}

function heapSort(pairs: Pairs, from: number, to: number): void {
  const size = to - from;
  for (let root = (size - 1) >> 1; root >= 0; root--) siftDown(pairs, from, root, size);
  for (let last = size - 1; last >= 0; last--) {
    swap(pairs, from, from + last);
    siftDown(pairs, from, 0, last);
  }
}

function siftDown(pairs: Pairs, from: number, root: number, size: number): void {
  for (let child = 2 * root + 1; child < size; child = 2 * root + 1) {
    if (child + 1 < size && before(pairs, from + child, from + child + 1)) child++;
    if (!before(pairs, from + root, from + child)) return;
    swap(pairs, from + root, from + child);
    root = child;
  }
}
