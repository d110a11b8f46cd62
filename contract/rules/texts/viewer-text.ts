const NAMES = { buyer: '买家', seller: '卖家' } as const;
/** A possession of a party in these texts: it becomes 您的, not 您. */
const OWNED = /^(?:可用余额|余额|等级|号码|邮箱|账号|手机)/;

/** A text about both parties of an order as one of them reads it: the reader's own side is 您. */
export function textFor(viewer: keyof typeof NAMES, text: string): string {
  return text.split(NAMES[viewer]).reduce((before, after) => `${before}您${OWNED.test(after) ? '的' : ''}${after}`);
}
