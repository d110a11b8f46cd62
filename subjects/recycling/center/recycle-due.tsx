import type { recycleInfo } from '#subjects/recycling/contract/account-recycling.ts';
import type { Data } from '#contract/endpoint.ts';
import { turnLabel } from '#subjects/orders/rules/order-text.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { DueHead } from '#subjects/orders/web/parts/handover/handover-turn.tsx';
import { TakeOverButton } from '../web/parts/take-over-button.tsx';
import { ButtonLink } from '#web/ui/button.tsx';

type RecycleRequest = Data<typeof recycleInfo>;

/** An inspection found less than was stated: the seller decides on the request's page, which lists every difference. */
export function CutDue({ request }: { request: RecycleRequest }) {
  const { requestSn, price, cut, dueTime } = request;
  return (
    <section className="panel overflow-clip border-attn-line" role="group" aria-label="这一步">
      <DueHead title="请确认减价" turn={turnLabel('seller', 'seller')} mine as="h1" clock={null}>
        <p className="text-13 text-ink-2">
          验号有差异，按公布的表减 ¥{grouped(cut)}，接受后到手 ¥{grouped(yuanOf(fenOf(price ?? '0') - fenOf(cut)))}
          ；不接受就免费取回账号，货款退回回收商。
        </p>
        {dueTime && <p className="text-12 text-ink-3">{fullAt(dueTime)} 前没有答复，按免费取回处理。</p>}
      </DueHead>
      <p className="px-4 py-3">
        <ButtonLink kind="primary" to={`/recycle?sn=${requestSn}`}>
          查看差异并决定
        </ButtonLink>
      </p>
    </section>
  );
}

/** The recycler has paid: once the account is taken over, the seller's money is released. */
export function TakeOverDue({ requestSn }: { requestSn: string }) {
  return (
    <section className="panel grid gap-2 px-4 py-3" aria-label="接管账号">
      <p className="text-13 text-ink-2">改好密码、换好绑定并能登录后再确认；确认后货款马上放给卖家，不能撤回。</p>
      <span>
        <TakeOverButton requestSn={requestSn} />
      </span>
    </section>
  );
}
