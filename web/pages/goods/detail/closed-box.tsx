import { ButtonLink } from '#web/ui/button.tsx';
import type { DetailData } from './loader.ts';

const OWN_GOODS = '/center/sellOutGoods';

/** Text for visitors about a listing that cannot be bought, by status (goods.status). */
const WHY: Readonly<Record<number, string>> = {
  3: '卖家已下架。收藏后，重新上架会提醒您。',
  4: '已有人下单，对方 30 分钟内没有付款会重新开放。',
  5: '已经成交，价格和记录留作参考。',
  7: '卖家多日没有上线，商品暂时收起，上线后自动恢复。',
};

/** Text for the seller, with a link and its label. */
const OWN: Readonly<Record<number, readonly [string, string, string]>> = {
  0: ['草稿，还没有提交审核。', '/center/sell?goodsSn=', '继续填写'],
  1: ['正在审核，通过后自动上架；现在只有您看得到。', OWN_GOODS, '看我的商品'],
  2: ['这是您发布的商品，买家看到的就是这一页。', OWN_GOODS, '管理商品'],
  3: ['已下架，买家搜不到，可以随时重新上架。', OWN_GOODS, '管理商品'],
  4: ['已被下单，请留意订单。', '/center/sellOrder', '看订单'],
  5: ['已经售出。', '/center/sellOrder', '看订单'],
  6: ['未通过审核，修改后可以重新提交。', '/center/sell?goodsSn=', '去修改'],
  7: ['您多日没有上线，商品已收起，很快自动恢复。', OWN_GOODS, '看我的商品'],
};

/** Replaces the purchase box: why the listing cannot be bought, and where to go next. */
export function ClosedBox({ data: { goods, gameList } }: { data: DetailData }) {
  const [text, to, label] = (goods.isMine ? OWN[goods.status] : undefined) ?? [
    WHY[goods.status] ?? '现在不能购买。',
    gameList,
    '看在售的同类',
  ];
  return (
    <div className="closed-box">
      <p className="min-w-0 flex-1">
        {text}
        {goods.isMine && goods.rejectReason && (
          <span className="mt-1 block text-ink">
            <b className="font-semibold">原因：</b>
            {goods.rejectReason}
          </span>
        )}
      </p>
      <ButtonLink to={to.endsWith('=') ? to + goods.goodsSn : to} size="sm">
        {label}
      </ButtonLink>
    </div>
  );
}
