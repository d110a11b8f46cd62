import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { updateWantGoodsStatus } from '#subjects/offers/contract/offers.ts';
import { WantStatus } from '../../rules/want.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Cover } from '#subjects/goods/web/parts/cover/cover.tsx';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { TypeTag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { OwnWant } from './want-loader.ts';
import { wantFormPath } from './want-query.ts';

const DOTS: Readonly<Record<number, string>> = {
  [WantStatus.Open]: 'dot-attn',
  [WantStatus.Met]: 'dot-on',
} satisfies Partial<Record<WantStatus, string>>;

/** Matching listings, newest first, each with its all-in price; none once the buyer has bought one. */
export function Matches({ want }: { want: Pick<OwnWant, 'status' | 'matches' | 'matched' | 'matchUrl'> }) {
  if (want.status === WantStatus.Met) return null;
  if (want.matches === 0)
    return want.status === WantStatus.Open ? (
      <p className="text-13 text-ink-3">还没有符合的商品，有了会第一时间告诉您；也可以放宽条件或提高预算。</p>
    ) : null;
  return (
    <div className="grid gap-2">
      <ul className="grid gap-2 md:grid-cols-3">
        {want.matched.map((goods) => (
          <li key={goods.goodsSn}>
            <Link
              to={goods.pageUrl}
              className="flex gap-2.5 rounded-control border border-line-soft p-2 hover:bg-hover"
            >
              <Picture
                src={goods.thumbnail}
                alt=""
                width={72}
                height={48}
                className="w-18 flex-none self-start"
                fallback={<Cover seed={goods.goodsSn} />}
              />
              <span className="grid min-w-0 content-center gap-0.5">
                <span className="truncate text-13">{goods.bigTitle}</span>
                <span className="flex items-baseline gap-2">
                  <Price yuan={goods.allInPrice} size="sm" />
                  <small className="text-12 text-ink-3">
                    <TimeLabel at={goods.matchTime} />
                  </small>
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p>
        <Link to={want.matchUrl} className="link text-13">
          查看全部符合的 {want.matches} 件
        </Link>
      </p>
    </div>
  );
}

function CloseDialog({ want, onClose, onDone }: { want: OwnWant; onClose: () => void; onDone: () => void }) {
  return (
    <ConfirmDialog
      title="关闭求购"
      action="关闭求购"
      back="再想想"
      danger
      question={
        <>
          关闭后不再提醒，也不再公开显示，可以随时重新开启。
          {want.deposit && (
            <>
              定金 <Amount yuan={want.deposit} /> 全额退回余额，重新开启不会再收。
            </>
          )}
        </>
      }
      send={(_, options) => call(updateWantGoodsStatus, { wantSn: want.wantSn, status: WantStatus.Closed }, options)}
      onDone={() => {
        toast('求购已关闭', 'ok');
        onDone();
      }}
      onClose={onClose}
    />
  );
}

function Actions({ want }: { want: OwnWant }) {
  const { revalidate } = useRevalidator();
  const [closing, setClosing] = useState(false);
  const reopen = useMutation(updateWantGoodsStatus, {
    toasts: true,
    revalidates: 'always',
    done: () => toast('求购已重新开启', 'ok'),
  });
  return (
    <div className="flex flex-wrap items-center gap-2 md:min-w-30 md:justify-end">
      {want.status === WantStatus.Open && (
        <>
          <ButtonLink size="sm" to={wantFormPath(want.filterUrl, want.wantSn)}>
            修改
          </ButtonLink>
          <Button size="sm" onClick={() => setClosing(true)}>
            关闭
          </Button>
        </>
      )}
      {want.status === WantStatus.Closed && (
        <Button
          size="sm"
          busy={reopen.busy}
          onClick={() => void reopen.send({ wantSn: want.wantSn, status: WantStatus.Open })}
        >
          重新开启
        </Button>
      )}
      {want.orderSn && (
        <ButtonLink size="sm" to={`/center/buyOrderDetail?orderSn=${want.orderSn}`}>
          查看订单
        </ButtonLink>
      )}
      {closing && (
        <CloseDialog
          want={want}
          onClose={() => setClosing(false)}
          onDone={() => {
            setClosing(false);
            void revalidate();
          }}
        />
      )}
    </div>
  );
}

/** One want: what, the budget, and the matches. */
export function WantRow({ want }: { want: OwnWant }) {
  return (
    <li className="grid gap-3 border-b border-line-soft px-4 py-4 last:border-b-0">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2 max-md:items-center max-md:justify-between">
        <div className="grid min-w-0 flex-1 gap-1 max-md:basis-full">
          <p className="text-14">
            <TypeTag typeId={want.goodsTypeId} name={want.goodsTypeStr} className="mr-1.5 align-[1px]" />
            <b className="mr-1.5 font-semibold">{want.gameName}</b>
            {want.bigTitle}
          </p>
          <p className="flex flex-wrap gap-1">
            {want.areaText && <span className="chip">{want.areaText}</span>}
            {want.chips.map(({ label, value }) => (
              <span key={label} className="chip">
                {label}
                <b>{value}</b>
              </span>
            ))}
          </p>
          <p className="flex flex-wrap items-center gap-x-3 text-12 text-ink-3">
            <span className="inline-flex items-center gap-1.5 text-ink-2">
              <i className={cx('dot', DOTS[want.status])} aria-hidden="true" />
              {want.statusName}
            </span>
            <TimeLabel at={want.createTime} />
            {want.deposit && (
              <span>
                定金 <Amount yuan={want.deposit} />
              </span>
            )}
            {!want.alert && <span>不提醒</span>}
          </p>
        </div>
        <span className="grid justify-items-end max-md:flex max-md:items-baseline max-md:gap-1.5">
          <small className="text-12 text-ink-3">预算</small>
          <Price yuan={want.budget} />
        </span>
        <Actions want={want} />
      </div>
      <Matches want={want} />
    </li>
  );
}
