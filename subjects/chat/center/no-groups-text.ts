import { OrderStatus, type chatTabs, FAILED_TAB } from '#subjects/orders/rules/order-status.ts';
import { type Belong, BUYS } from '#contract/rules/parties.ts';

/** Empty texts of the finished tabs and the shipped one; the paid tab also explains how a group is created. */
const NO_GROUPS: Readonly<Record<number, string>> = {
  [OrderStatus.Paid]: '没有等待发货的交易群',
  [OrderStatus.Shipped]: '没有等待确认的交易群',
  [OrderStatus.Completed]: '没有交易成功的交易群',
  [FAILED_TAB]: '没有交易失败的交易群',
} satisfies Record<(typeof chatTabs)[number]['status'], string>;

/** The text and the link of an empty tab of the order list. */
export function noGroups(status: number, party: Belong): { title: string; text: string; to: string; label: string } {
  const title = NO_GROUPS[status] ?? '没有交易群';
  return party === BUYS
    ? { title, text: '付款后，交易群会在这里自动打开。', to: '/wares', label: '去看看商品' }
    : { title, text: '买家付款后，交易群会在这里自动打开。', to: '/center/sell', label: '去发布商品' };
}
