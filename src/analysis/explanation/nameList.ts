/** Names in a sentence: all of them, or the first `most` and the number of the others: "east, west and 3 more". */
export function nameList(names: readonly string[], most: number): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
