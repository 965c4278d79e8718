import { utf8Bytes } from '../../../kubernetes/utf8.ts';

/** Seat counts from here on overflow the 32-bit arithmetic of the quotients, which turn negative. */
const OVERFLOW = 2 ** 30;
/** An int32; one seat more is -2^31, and the quotients restart. */
const MOST_SEATS = 2 ** 31 - 1;
/** From so many seats a party on, a threshold is found faster than the seats are awarded one by one. */
const MANY = 1000;

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
  let left = replicas > 4 * parties ? awardCertainSeats(replicas, votes, seats) : replicas;
  while (left > 0) {
    const isMany = left > MANY * parties;
    if (isMany) left = awardByThreshold(left, votes, seats);
    left = awardInTurn(left, votes, seats, { laterNamesFirst, turns: isMany ? MANY : left });
  }
  return seats;
}

/** Awards seats one after the other, in so many turns at most. Returns how many are left. */
function awardInTurn(
  replicas: number,
  votes: readonly number[],
  seats: number[],
  { laterNamesFirst, turns }: { laterNamesFirst: boolean; turns: number },
): number {
  const parties = votes.length;
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
  let left = replicas;
  for (let turn = 0; turn < turns && left > 0; turn++) {
    const winner = heap[0]!;
    const from = seats[winner]!;
    // with each seat a quotient of negative votes grows: it wins all that follow
    const won = votes[winner]! < 0 ? Math.min(left, endOfHalf(from) + 1 - from) : 1;
    left -= won;
    seats[winner] = (from + won) | 0;
    quotients[winner] = quotient(votes[winner]!, seats[winner]!);
    sink(0);
  }
  return left;
}

/** The last number of seats before the quotients restart: each half of the int32 has all denominators once. */
function endOfHalf(seats: number): number {
  return seats < 0 ? -1 : MOST_SEATS;
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
    if (won >= OVERFLOW) won = OVERFLOW - 1;
    while (won < OVERFLOW && quotient(votes[party]!, won) > bound) won++;
    seats[party] = won;
    left -= won;
  }
  return left;
}

/**
 * Awards most of many seats at once, from any start: all whose quotient lies above the lowest threshold that leaves none
 * missing. Returns how many are left. With each seat the quotient of positive votes falls, of none it stays 0, and of
 * negative ones it grows.
 */
function awardByThreshold(replicas: number, votes: readonly number[], seats: number[]): number {
  const parties = votes.map((_, party) => party);
  const falling = parties.filter((party) => votes[party]! > 0);
  const constant = parties.filter((party) => votes[party] === 0);
  const growing = parties.filter((party) => votes[party]! < 0);
  const wonAbove = (threshold: number): number =>
    falling.reduce((sum, party) => sum + seatsAbove(threshold, votes[party]!, seats[party]!), 0);
  const award = (threshold: number): void => {
    for (const party of falling) seats[party]! += seatsAbove(threshold, votes[party]!, seats[party]!);
  };
  /** Awards what lies above a threshold; as many as there are if these are more. */
  const awardDownTo = (lowest: number, highest: number, left: number): number => {
    let [low, high] = [lowest, highest];
    if (wonAbove(low) <= left) high = low;
    else
      while (left - wonAbove(high) > parties.length) {
        const middle = (low + high) / 2;
        if (middle <= low || middle >= high) break;
        if (wonAbove(middle) > left) low = middle;
        else high = middle;
      }
    const won = wonAbove(high);
    award(high);
    return left - won;
  };

  const most = falling.reduce((greatest, party) => Math.max(greatest, votes[party]!), 0);
  let left = replicas;
  const least = falling.reduce((smallest, party) => Math.min(smallest, votes[party]!), Infinity);
  // a growing one that is in front wins all; the caller sees to that
  const best = growing.reduce(
    (top, party) => Math.max(top, quotient(votes[party]!, seats[party]!)),
    -Infinity,
  );
  left = awardDownTo(Math.max(0, best), most, left);
  if (left <= parties.length || best >= 0) return left;
  if (constant.length > 0) return fillUp(left, constant, seats);
  if (falling.length === 0) return left;
  // the last quotient of a half is that of minus its votes; behind it they restart
  return awardDownTo(Math.max(best, -least), 0, left);
}

/** How many seats a party with positive votes wins while its quotient lies above a threshold. */
function seatsAbove(threshold: number, votes: number, from: number): number {
  let [won, lost] = [from, endOfHalf(from) + 1];
  while (won < lost) {
    const middle = Math.floor((won + lost) / 2);
    if (quotient(votes, middle) > threshold) won = middle + 1;
    else lost = middle;
  }
  return won - from;
}

/** Gives seats to whoever has fewest, as long as each of these gets one. Returns how many are left. */
function fillUp(replicas: number, parties: readonly number[], seats: number[]): number {
  const missing = (level: number): number =>
    parties.reduce((sum, party) => sum + Math.max(0, level - seats[party]!), 0);
  let [low, high] = [Math.min(...parties.map((party) => seats[party]!)), MOST_SEATS + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (missing(middle) <= replicas) low = middle;
    else high = middle;
  }
  const left = replicas - missing(low);
  for (const party of parties) seats[party] = Math.max(seats[party]!, low);
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
