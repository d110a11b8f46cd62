/**
 * A count as it is copied from a game or a list: without the label before its colon and without the unit behind it. Other text stays, so that
 * the field can say what is wrong with it.
 */
export function typedCount(text: string, unit = ''): string {
  const count = text.trim().replace(/^[^\d:：]*[:：]\s*(?=\d)/, '');
  return unit !== '' && count.endsWith(unit) && /^\d/.test(count) ? count.slice(0, -unit.length).trim() : count;
}
