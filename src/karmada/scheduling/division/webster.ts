import { utf8Bytes } from '../../../kubernetes/utf8.ts';

/** From this number of seats on, the 32-bit arithmetic of the quotients overflows, and they turn negative. */
const OVERFLOW = 2 ** 30;
/** The largest int32; one seat more is -2^31, and the quotients restart. */
const MAX_SEATS = 2 ** 31 - 1;
/** From this many seats per party on, searching a threshold is faster than awarding seats one by one. */
const MANY = 1000;

interface Party {
  readonly votes: number;
  /** by name */
  readonly position: number;
  seats: number;
  /** the quotient that decides the next seat, for its current seats */
  quotient: number;
}

/**
 * Divides `replicas` by Webster's method: each one is awarded to the party with the greatest votes / (2·seats + 1) in
 * 64-bit floats; among equals to the one with fewer seats, then by name. Parties are positions in name order; the
 * result is their seats, including their initial ones. Mirrors Karmada v1.16 and later, where parties with negative or
 * zero votes take part too.
 */
export function divideByWebster(
  replicas: number,
  votes: readonly number[],
  laterNamesFirst: boolean,
  start?: readonly number[],
): number[] {
  const parties = votes.map((own, position): Party => {
    const seats = start?.[position] ?? 0;
    return { votes: own, position, seats, quotient: quotient(own, seats) };
  });
  if (parties.length > 0 && replicas > 0) {
    let left = replicas > 4 * parties.length ? awardCertainSeats(replicas, parties) : replicas;
    while (left > 0) {
      const isMany = left > MANY * parties.length;
      if (isMany) left = awardByThreshold(left, parties);
      left = awardInTurn(left, parties, { laterNamesFirst, turns: isMany ? MANY : left });
    }
  }
  return parties.map(({ seats }) => seats);
}

/** Awards seats one by one, in a limited number of turns. Returns the number left. */
function awardInTurn(
  replicas: number,
  parties: readonly Party[],
  { laterNamesFirst, turns }: { laterNamesFirst: boolean; turns: number },
): number {
  for (const party of parties) party.quotient = quotient(party.votes, party.seats);
  const goesFirst = (a: Party, b: Party): boolean => {
    if (a.quotient !== b.quotient) return a.quotient > b.quotient;
    if (a.seats !== b.seats) return a.seats < b.seats;
    return a.position < b.position !== laterNamesFirst;
  };

  const heap = [...parties];
  const sink = (party: Party, from: number): void => {
    let at = from;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let child = heap[left];
      if (!child) break;
      let place = left;
      const other = heap[right];
      if (other && goesFirst(other, child)) [child, place] = [other, right];
      if (!goesFirst(child, party)) break;
      heap[at] = child;
      at = place;
    }
    heap[at] = party;
  };
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap[at]!, at);
  let left = replicas;
  for (let turn = 0; turn < turns && left > 0; turn++) {
    const winner = heap[0]!;
    const from = winner.seats;
    // each seat increases the quotient of negative votes, so this party wins all further seats
    const won = winner.votes < 0 ? Math.min(left, endOfHalf(from) + 1 - from) : 1;
    left -= won;
    winner.seats = (from + won) | 0;
    winner.quotient = quotient(winner.votes, winner.seats);
    sink(winner, 0);
  }
  return left;
}

/** The last number of seats before the quotients restart: each half of the int32 range has all denominators once. */
function endOfHalf(seats: number): number {
  return seats < 0 ? -1 : MAX_SEATS;
}

/** The denominator is a 32-bit integer in Karmada and wraps around. */
function quotient(votes: number, seats: number): number {
  return votes / ((2 * seats + 1) | 0);
}

/**
 * Awards at once all seats whose quotient is above a bound that fewer than `replicas` quotients exceed: these are
 * certain. Only without initial seats, when the bound is known. Returns the number left.
 */
function awardCertainSeats(replicas: number, parties: readonly Party[]): number {
  if (parties.some(({ seats, votes }) => seats !== 0 || votes < 0)) return replicas;
  const total = parties.reduce((sum, { votes }) => sum + votes, 0);
  if (total === 0) return replicas;
  // a party has at most votes/(2·bound) + 1/2 quotients above the bound
  const bound = total / (2 * (replicas - parties.length));
  let left = replicas;
  for (const party of parties) {
    let won = Math.max(0, Math.floor((party.votes / bound - 1) / 2) - 1);
    if (won >= OVERFLOW) won = OVERFLOW - 1;
    while (won < OVERFLOW && quotient(party.votes, won) > bound) won++;
    party.seats = won;
    left -= won;
  }
  return left;
}

/**
 * Awards most of many seats at once, with any initial seats: all whose quotient is above the lowest threshold that does
 * not award too many. Returns the number left. With each seat a quotient of positive votes falls, one of zero votes
 * stays 0, and one of negative votes grows.
 */
function awardByThreshold(replicas: number, parties: readonly Party[]): number {
  const falling = parties.filter(({ votes }) => votes > 0);
  const constant = parties.filter(({ votes }) => votes === 0);
  const growing = parties.filter(({ votes }) => votes < 0);
  const wonAbove = (threshold: number): number =>
    falling.reduce((sum, party) => sum + seatsAbove(threshold, party), 0);
  /** Awards the seats above a threshold, at most as many as are left. */
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
    for (const party of falling) party.seats += seatsAbove(high, party);
    return left - won;
  };

  const most = falling.reduce((greatest, { votes }) => Math.max(greatest, votes), 0);
  let left = replicas;
  const least = falling.reduce((smallest, { votes }) => Math.min(smallest, votes), Infinity);
  // a leading and growing quotient wins everything, which the caller handles
  const best = growing.reduce((top, { votes, seats }) => Math.max(top, quotient(votes, seats)), -Infinity);
  left = awardDownTo(Math.max(0, best), most, left);
  if (left <= parties.length || best >= 0) return left;
  if (constant.length > 0) return fillUp(left, constant);
  if (falling.length === 0) return left;
  // the last quotient of a half is minus the votes; after it the quotients restart
  return awardDownTo(Math.max(best, -least), 0, left);
}

/** How many more seats a party with positive votes wins while its quotient is above a threshold. */
function seatsAbove(threshold: number, { votes, seats }: Party): number {
  let [won, lost] = [seats, endOfHalf(seats) + 1];
  while (won < lost) {
    const middle = Math.floor((won + lost) / 2);
    if (quotient(votes, middle) > threshold) won = middle + 1;
    else lost = middle;
  }
  return won - seats;
}

/** Raises the parties with the fewest seats evenly, as long as each gets one. Returns the number left. */
function fillUp(replicas: number, parties: readonly Party[]): number {
  const missing = (level: number): number =>
    parties.reduce((sum, { seats }) => sum + Math.max(0, level - seats), 0);
  let [low, high] = [Math.min(...parties.map(({ seats }) => seats)), MAX_SEATS + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (missing(middle) <= replicas) low = middle;
    else high = middle;
  }
  const left = replicas - missing(low);
  for (const party of parties) party.seats = Math.max(party.seats, low);
  return left;
}

/**
 * Whether the greater name wins a tie of quotients and seats. Karmada takes the parity of the 32-bit FNV-1a hash of the
 * template's UID; the hash's multiplier is odd, so its parity depends only on the bytes and the (odd) starting value.
 * Without a UID the smaller name wins.
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
