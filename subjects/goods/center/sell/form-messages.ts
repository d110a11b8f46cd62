import { accountTypes } from '#contract/rules/catalogue.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';

/** Texts of the form that depend on the goods type. */
export interface FormMessage {
  /** Label of the price. */
  price: string;
  /** Label and explanation of the quantity; null for types sold once. */
  stock: { label: string; help: string } | null;
  /** Label of what the seller receives, per piece where there are several. */
  net: string;
  /** Placeholder of the title. */
  titleHint: string;
  /** Hint for the description. */
  descriptionHelp: string;
}

const account: FormMessage = {
  price: '标价（元）',
  stock: null,
  net: '到手',
  titleHint: '区服、段位、稀有物品，让买家一眼看懂',
  descriptionHelp: '写清楚绑定情况、能否改实名、有无处罚',
};

const items: FormMessage = {
  price: '单价（元）',
  stock: { label: '库存（件）', help: '买家可以一次买多件' },
  net: '每件到手',
  titleHint: '区服、数量、交货速度，让买家一眼看懂',
  descriptionHelp: '写清楚交货方式和在线时间',
};

const service: FormMessage = {
  price: '每单价格（元）',
  stock: { label: '可接单数', help: '一共接多少单；买家可以一次买多单' },
  net: '每单到手',
  titleHint: '项目、时长、擅长的位置，让买家一眼看懂',
  descriptionHelp: '写清楚一单做什么、要多久、什么时段在线',
};

/** The texts for a goods type: an account, coin or items by the piece, or a service by the order. */
export function formMessage(goodsTypeId: number): FormMessage {
  if (accountTypes.includes(goodsTypeId)) return account;
  return isService(goodsTypeId) ? service : items;
}
