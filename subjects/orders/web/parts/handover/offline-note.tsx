import type { OrderListItem } from '#subjects/orders/contract/order.ts';
import { OFFLINE_MEANING } from '../../../rules/offline.ts';
import { Tag } from '#web/ui/tag.tsx';

type Offline = OrderListItem['offline'];

/** The tag of an order that was handed over outside the site, or that its seller marked as such. */
export function OfflineTag({ offline }: { offline: Offline }) {
  if (offline.state === 'agreed') return <Tag>线下交易</Tag>;
  if (offline.state !== 'pending') return null;
  return <Tag tone="attn">线下交付待核对</Tag>;
}

/** The state of the mark, for its reader. */
function stateText({ state }: Offline, viewer: 'buyer' | 'seller'): string {
  const buys = viewer === 'buyer';
  if (state === 'pending') return buys ? '请核对是否属实；没有收到请不要确认收货。' : '等买家核对。';
  if (state === 'agreed') return buys ? '您已确认属实。' : '买家已确认属实。';
  if (state === 'denied') return buys ? '您已表示不属实，按平台内的交付处理。' : '买家表示不属实，按平台内的交付处理。';
  return '买家没有核对，按平台内的交付处理。';
}

/** The seller's mark of an offline transaction and its meaning; renders nothing for an order without one. */
export function OfflineNote({ offline, viewer }: { offline: Offline; viewer: 'buyer' | 'seller' }) {
  if (offline.state === 'none') return null;
  const isCurrent = offline.state === 'pending' || offline.state === 'agreed';
  return (
    <section className="panel grid gap-1 px-4 py-3" aria-label="线下交付">
      <p className="text-14">
        <b className="font-semibold">卖家标明：{offline.name}</b>
        <span className="ml-2 text-13 text-ink-2">{stateText(offline, viewer)}</span>
      </p>
      {isCurrent && <p className="text-13 text-ink-3">{OFFLINE_MEANING}</p>}
    </section>
  );
}
