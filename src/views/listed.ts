/** Names in a sentence, the first few of many: "dublin, oregon and 3 more". */
export function listed(names: string[], most = 8): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}
