import { grouped, yuanLabel } from '#web/lib/format/format.ts';

/** The terms that a buyer accepts by clicking the button. Amounts in yuan text. */
export interface Offer {
  bigTitle: string;
  price: string;
  totalPrice: string;
  stock: number;
  attrs: readonly { label: string; value: string }[];
}

/** The differences between the displayed offer and the current one, as sentences; empty when there are none. */
export function offerChanges(agreed: Offer, now: Offer): string[] {
  const sentences: string[] = [];
  if (agreed.price !== now.price) sentences.push(`单价由 ${yuanLabel(agreed.price)} 变为 ${yuanLabel(now.price)}`);
  if (agreed.bigTitle !== now.bigTitle) sentences.push(`标题改为「${now.bigTitle}」`);
  const before = new Map(agreed.attrs.map(({ label, value }) => [label, value]));
  for (const { label, value } of now.attrs) {
    const old = before.get(label);
    before.delete(label);
    if (old === undefined) sentences.push(`新增${label}：${value}`);
    else if (old !== value) sentences.push(`${label}由 ${old} 变为 ${value}`);
  }
  for (const [label] of before) sentences.push(`不再标明${label}`);
  if (now.stock < agreed.stock) sentences.push(`库存剩 ${grouped(now.stock)}`);
  if (agreed.totalPrice !== now.totalPrice)
    sentences.push(`合计由 ${yuanLabel(agreed.totalPrice)} 变为 ${yuanLabel(now.totalPrice)}`);
  return sentences;
}
