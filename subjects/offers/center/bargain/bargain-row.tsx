import { BargainStatus } from '../../rules/bargain.ts';
import { useRevalidator } from 'react-router';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import { fenOf } from '#web/lib/format/format.ts';
import { bargainOrderPath, percentOff } from '../../web/parts/bargain/order-path.ts';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Countdown } from '#web/ui/countdown.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { type BargainItem, isOpen } from './bargain-query.ts';
import { type ConfirmedAction, actionText } from './bargain-actions.ts';

const isAgreed = ({ status }: BargainItem): boolean =>
  status === BargainStatus.SellerAgreed || status === BargainStatus.BuyerAgreed;

/** The state with its dot: attention while the viewer must act, safe once agreed. */
function State({ item, now }: { item: BargainItem; now: string }) {
  const { revalidate } = useRevalidator();
  const tone =
    isAgreed(item) || item.status === BargainStatus.Ordered ? 'dot-on' : item.acts.includes('agree') ? 'dot-attn' : '';
  return (
    <div className="grid content-center gap-0.5 text-13">
      <span className="inline-flex items-center gap-2 font-medium whitespace-nowrap">
        <i className={cx('dot', tone)} aria-hidden="true" />
        {item.statusName}
      </span>
      {isOpen(item) && (
        <span className="text-12 text-ink-3">
          剩 <Countdown until={item.expireTime} now={now} onEnd={() => void revalidate()} />
        </span>
      )}
      <span className="text-12 text-ink-3">{item.statusText}</span>
    </div>
  );
}

/** The current offer compared with the asking price. */
function Figures({ item }: { item: BargainItem }) {
  const table = item.sellrCounterofferPrice ?? item.sellrBargaPrice;
  // An ordered price is compared with the asking price of that time; the listing's price may have changed since.
  const askingPrice = item.status === BargainStatus.Ordered ? item.priceThen : item.price;
  const off = percentOff(fenOf(table), fenOf(askingPrice));
  return (
    <div className="grid content-center gap-0.5 xl:justify-items-end">
      <span className="flex items-baseline gap-1.5 xl:justify-end">
        <small className="text-12 text-ink-3">{item.sellrCounterofferPrice ? '还价' : '出价'}</small>
        <Price yuan={table} />
      </span>
      <span className="text-12 text-ink-3">
        标价 <Amount yuan={askingPrice} />
        {off > 0 && `，低 ${off}%`}
      </span>
      {item.sellrCounterofferPrice && (
        <span className="text-12 text-ink-3">
          出价 <Amount yuan={item.sellrBargaPrice} />
        </span>
      )}
      <span className="text-12 text-ink-3">
        {item.net === null ? '全包价 ' : '到手 '}
        <Amount yuan={item.net ?? item.allInPrice} />
      </span>
    </div>
  );
}

function Actions({ item, onSelect }: { item: BargainItem; onSelect: (action: ConfirmedAction) => void }) {
  const primary = item.acts.includes('agree') ? 'agree' : null;
  return (
    <div className="flex flex-wrap items-center gap-2 max-md:col-span-2 max-md:empty:hidden md:justify-end">
      {item.acts.map((action) => {
        if (action === 'order')
          return (
            <ButtonLink key={action} size="sm" kind="primary" to={bargainOrderPath(item.goodsSn, item.bargainId)}>
              以此价下单
            </ButtonLink>
          );
        const text = actionText(item.belong === BUYS ? BUYS : SELLS, action);
        return (
          text && (
            <Button
              key={action}
              size="sm"
              {...(action === primary && { kind: 'primary' })}
              onClick={() => onSelect(action)}
            >
              {text.label}
            </Button>
          )
        );
      })}
      {item.status === BargainStatus.Ordered && item.orderSn && (
        <ButtonLink size="sm" to={`/center/buyOrderDetail?orderSn=${item.orderSn}`}>
          查看订单
        </ButtonLink>
      )}
      {item.belong === BUYS &&
        !isOpen(item) &&
        item.status !== BargainStatus.Ordered &&
        item.goodsStatus === GoodsStatus.OnSale && (
          <ButtonLink size="sm" to={item.pageUrl}>
            再看看
          </ButtonLink>
        )}
    </div>
  );
}

/** One bargain: the listing, both prices, its state and the viewer's actions. */
export function BargainRow({
  item,
  now,
  onSelect,
}: {
  item: BargainItem;
  now: string;
  onSelect: (action: ConfirmedAction) => void;
}) {
  const onSale = item.goodsStatus === GoodsStatus.OnSale;
  return (
    <li className="grid gap-x-5 gap-y-3 border-b border-line-soft px-4 py-3.5 last:border-b-0 max-md:grid-cols-2 md:grid-cols-[152px_minmax(0,1fr)_auto] md:items-center xl:grid-cols-[minmax(0,1fr)_140px_168px_168px]">
      <GoodsSummary
        title={item.bigTitle}
        gameName={item.gameName}
        typeId={item.goodsTypeId}
        thumbnail={item.thumbnail}
        seed={item.goodsSn}
        to={item.pageUrl}
        className="max-xl:col-span-full"
      >
        <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-12 text-ink-3">
          <span>
            {item.belong === BUYS ? '卖家' : '买家'} {item.partnerName}
          </span>
          <TimeLabel at={item.createTime} />
          {!onSale && isOpen(item) && <span className="text-attn">商品{offerStatusName(item.goodsStatus)}</span>}
        </p>
        {item.message && <p className="line-clamp-2 text-12 text-ink-2">“{item.message}”</p>}
      </GoodsSummary>
      <Figures item={item} />
      <State item={item} now={now} />
      <Actions item={item} onSelect={onSelect} />
    </li>
  );
}
