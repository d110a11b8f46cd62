import { useRef } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { recycleAccept, recycleAnswer, recycleWithdraw } from '#subjects/recycling/contract/account-recycling.ts';
import { call } from '#web/lib/api/api.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import type { Request } from './recycle-loader.ts';
import type { Sure } from './sure.ts';

/** The confirmation of an irreversible decision, with its cost. */
export default function SureDialog({ what, request, onClose }: { what: Sure; request: Request; onClose: () => void }) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  /** The order of an account that was sold at the floor, whose page has the next step. */
  const soldAs = useRef<string | null>(null);
  const { requestSn, price, bids, cut } = request;
  const platform = bids.find((b) => b.isPlatform)?.price ?? '0';
  const less = fenOf(price ?? '0') - fenOf(platform);
  const texts = {
    floor: {
      title: '按保底卖',
      action: `按保底 ¥${grouped(platform)} 卖`,
      question:
        less > 0
          ? `现在最高出价 ¥${grouped(price ?? '0')}，按保底卖少 ¥${grouped(yuanOf(less))}，竞价随之结束，不能恢复。`
          : '按保底价成交后竞价结束，不能恢复。',
    },
    withdraw: {
      title: '撤回申请',
      action: '撤回',
      question: '全部出价马上退回回收商，不收任何费用；想卖要重新竞价。',
    },
    agree: {
      title: '接受减价',
      action: '接受减价',
      question: `成交价 ¥${grouped(price ?? '0')} 减 ¥${grouped(cut)}，到手 ¥${grouped(yuanOf(fenOf(price ?? '0') - fenOf(cut)))}；接受后账号归回收商，不能恢复。`,
    },
    takeBack: {
      title: '取回账号',
      action: '免费取回',
      question: `不成交：货款 ¥${grouped(price ?? '0')} 全额退回回收商，不收您任何费用；取回后请修改一次密码。`,
    },
  } as const;
  return (
    <ConfirmDialog
      {...texts[what]}
      back="再想想"
      danger={what !== 'agree'}
      send={async (_, options) => {
        try {
          if (what === 'floor')
            soldAs.current = (await call(recycleAccept, { requestSn, price: platform, floor: 1 }, options)).orderSn;
          else if (what === 'withdraw') await call(recycleWithdraw, { requestSn }, options);
          else await call(recycleAnswer, { requestSn, agree: what === 'agree' ? 1 : 0 }, options);
        } catch (error) {
          // Usually rejected because the state has changed: reload the request, and keep the message if it has not.
          void revalidate();
          throw error;
        }
      }}
      intent={`recycle-${what}:${requestSn}`}
      onDone={() => {
        onClose();
        if (soldAs.current === null) void revalidate();
        else void navigate(orderPath(soldAs.current));
      }}
      onClose={onClose}
    />
  );
}
