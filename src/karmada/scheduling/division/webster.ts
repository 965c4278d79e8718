import { utf8Bytes } from '../../../kubernetes/utf8.ts';

/** Seat counts from here on overflow the 32-bit arithmetic of the quotients, so they are awarded one by one. */
const SEATS_COUNTED_AT_ONCE = 2 ** 30;

/**
 * Divides `replicas` by Webster's method: each one goes to the party with the greatest votes / (2·seats + 1) in
 * 64-bit floats; among equals to the one with fewer seats, then by name. Parties are positions in name order; the
 * result is their seats, on top of those they start from. Mirrors Karmada v1.16 and later, including that quotients of
 * negative or absent votes still take part.
 */
export function divideByWebster(
  replicas: number,
  votes: readonly number[],
  laterNamesFirst: boolean,
  start?: readonly number[],
): number[] {
  const parties = votes.length;
  const seats = start ? [...start] : new Array<number>(parties).fill(0);
  if (parties === 0 || replicas <= 0) return seats;
  const left = replicas > 4 * parties ? awardCertainSeats(replicas, votes, seats) : replicas;

  const quotients = votes.map((number, party) => quotient(number, seats[party]!));
  const goesFirst = (a: number, b: number): boolean => {
    if (quotients[a] !== quotients[b]) return quotients[a]! > quotients[b]!;
    if (seats[a] !== seats[b]) return seats[a]! < seats[b]!;
    return a < b !== laterNamesFirst;
  };

  const heap = votes.map((_, party) => party);
  const sink = (at: number): void => {
    const party = heap[at]!;
    for (let child = 2 * at + 1; child < parties; child = 2 * at + 1) {
      if (child + 1 < parties && goesFirst(heap[child + 1]!, heap[child]!)) child++;
      if (!goesFirst(heap[child]!, party)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = party;
  };
  for (let at = (parties >> 1) - 1; at >= 0; at--) sink(at);
  for (let seat = 0; seat < left; seat++) {
    const winner = heap[0]!;
    seats[winner]! += 1;
    quotients[winner] = quotient(votes[winner]!, seats[winner]!);
    sink(0);
  }
  return seats;
}

/** The denominator is a 32-bit integer in Karmada and wraps. */
function quotient(votes: number, seats: number): number {
  return votes / ((2 * seats + 1) | 0);
}

/**
 * Awards at once all seats whose quotient lies above a bound that fewer than `replicas` quotients exceed: they
 * are won in any case. Only from an empty start, when the bound is known. Returns how many are left.
 */
function awardCertainSeats(replicas: number, votes: readonly number[], seats: number[]): number {
  let total = 0;
  for (let party = 0; party < seats.length; party++) {
    if (seats[party] !== 0 || votes[party]! < 0) return replicas;
    total += votes[party]!;
  }
  if (total === 0) return replicas;
  // a party has at most votes/(2·bound) + 1/2 quotients above the bound
  const bound = total / (2 * (replicas - seats.length));
  let left = replicas;
  for (let party = 0; party < seats.length; party++) {
    let won = Math.max(0, Math.floor((votes[party]! / bound - 1) / 2) - 1);
    if (won >= SEATS_COUNTED_AT_ONCE) won = SEATS_COUNTED_AT_ONCE - 1;
    while (won < SEATS_COUNTED_AT_ONCE && quotient(votes[party]!, won) > bound) won++;
    seats[party] = won;
    left -= won;
  }
  return left;
}

/**
 * Which name wins a tie of quotients and seats: true for the greater one. Karmada takes the parity of the
 * 32-bit FNV-1a hash of the template's UID; the hash's multiplier is odd, so its parity is that of the bytes
 * and the (odd) starting value alone. Without a UID the smaller name wins.
 */
export function laterNamesFirst(uid: string | undefined): boolean {
  if (!uid) return false;
  let odd = 1;
  for (let i = 0; i < uid.length; i++) {
    if (uid.charCodeAt(i) > 0x7f) return utf8Bytes(uid).reduce((sum, byte) => sum ^ (byte & 1), 1) === 1;
    odd ^= uid.charCodeAt(i) & 1;
  }
  return odd === 1;
}
