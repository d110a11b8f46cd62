interface Attr {
  label: string;
  value: string;
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s,，]/g, '')
    .toLowerCase();

/** Whether a reading equals the listing's value, ignoring spaces, commas and the width of characters. */
export function readingState(said: string, found: string): 'none' | 'same' | 'other' {
  if (plain(found) === '') return 'none';
  return plain(said) === plain(found) ? 'same' : 'other';
}

/** The result of a check as a message to both parties. */
export function checkText(attrs: readonly Attr[], found: Readonly<Record<string, string>>): string {
  const read = attrs.map(({ label, value }) => ({ label, value, own: (found[label] ?? '').trim() }));
  const of = (state: 'none' | 'same' | 'other') => read.filter(({ value, own }) => readingState(value, own) === state);
  const [same, other, none] = [of('same'), of('other'), of('none')];
  const parts = [
    same.length > 0 && `已核对 ${same.length} 项，与商品页一致`,
    ...other.map(({ label, value, own }) => `${label}商品页写 ${value}，实际 ${own}`),
    none.length > 0 && `还差${none.map(({ label }) => label).join('、')}`,
  ].filter((part) => part !== false);
  return `${parts.join('；')}。`;
}
