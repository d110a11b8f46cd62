import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { recycleAccept } from '#subjects/recycling/contract/account-recycling.ts';
import { spanText } from '#contract/rules/time/span.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { CutTable, FloorCard, Recent, SellSelf, Steps } from './recycle-parts.tsx';
import { whileVisible } from '#web/lib/api/while-visible.ts';
import type { RecycleData, Request } from './recycle-loader.ts';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { isOpenIn, type Sure } from './sure.ts';

/** Loaded with the first confirmation. */
const SureDialog = lazyWithRetry(() => import('./sure-dialog.lazy.tsx'));

const POLL_MS = 5000;
/** Ended without a sale. */
const LOST = ['expired', 'withdrawn', 'closed', 'declined'];
const LIVE = ['bidding', 'quoted', 'accepted', 'reconfirm'];

/** Reloads the data, because bids arrive while the page is open. */
function useLiveRequest(status: string): void {
  const { revalidate } = useRevalidator();
  const read = useEffectEvent(() => void revalidate());
  useEffect(() => {
    if (!LIVE.includes(status)) return undefined;
    return whileVisible(() => read(), status === 'bidding' ? POLL_MS : POLL_MS * 4);
  }, [status]);
}

const SENTENCES: Readonly<Record<string, string>> = {
  bidding: '他们看不到彼此的价，只有您能看到。',
  quoted: '最高价已锁定，货款在平台托管，回收商不能反悔。',
  accepted: '请到订单里用密封信息提交账号；验号员读完，对得上就付款。',
  sealed: '账号已密封提交，等验号员逐项核验，对得上就付款。',
  reconfirm: '验号有差异，按公布的表减价；不接受就免费取回账号。',
  paid: '验号通过，货款已到您的可用余额。',
  held: '验号通过，货款已付；回收商改好密码就到可用余额，到点没有改也自动到账；平台收下的须由平台接管，到点没有接管转客服处理。',
  declined: '账号仍是您的，请修改一次密码。',
  expired: '没有成交，不收任何费用。',
  withdrawn: '已撤回，出价都退回了回收商。',
  closed: '订单没有完成，账号仍是您的。',
};

/** The seller's current actions; fixed to the bottom edge on a phone. */
function Actions({ request, now }: { request: Request; now: string }) {
  const { requestSn, status, price, floorPrice } = request;
  const navigate = useNavigate();
  const accept = useMutation(recycleAccept, {
    intent: `recycle-accept:${requestSn}`,
    revalidates: 'always',
    // The account is sealed at the order's page, which is the next step.
    done: ({ orderSn }) => {
      void navigate(orderPath(orderSn));
      return true;
    },
  });
  const [sure, setSure] = useState<Sure | null>(null);
  const { busy } = accept;
  const platform = request.bids.find((b) => b.isPlatform);
  const net = yuanOf(fenOf(price ?? '0') - fenOf(request.cut));
  return (
    <div className="rec-acts px-4 pb-4 max-md:py-2">
      <FormError>{accept.error}</FormError>
      {status === 'bidding' && (
        <>
          <Button disabled className="max-md:hidden">
            竞价结束后可以接受
          </Button>
          {platform && (
            <Button className="rec-main" disabled={busy} onClick={() => setSure('floor')}>
              立即按保底价 ¥{grouped(platform.price)} 出售
            </Button>
          )}
        </>
      )}
      {status === 'quoted' && price !== null && (
        <Button
          kind="primary"
          className="rec-main"
          disabled={busy}
          onClick={() => void accept.send({ requestSn, price })}
        >
          <span>
            接受 ¥{grouped(price)}
            {request.dueTime && (
              <small className="md:hidden">
                <Countdown until={request.dueTime} now={now} /> 内有效
              </small>
            )}
          </span>
        </Button>
      )}
      {(status === 'bidding' || status === 'quoted') && (
        <Button kind="ghost" disabled={busy} onClick={() => setSure('withdraw')}>
          撤回申请
        </Button>
      )}
      {status === 'reconfirm' && (
        <>
          <Button kind="primary" className="rec-main" disabled={busy} onClick={() => setSure('agree')}>
            接受减价，到手 ¥{grouped(net)}
          </Button>
          <Button disabled={busy} onClick={() => setSure('takeBack')}>
            免费取回账号
          </Button>
        </>
      )}
      {sure && isOpenIn(sure, status) && <SureDialog what={sure} request={request} onClose={() => setSure(null)} />}
      {status === 'accepted' && (
        <ButtonLink kind="primary" to={orderPath(request.orderSn ?? '')}>
          {request.isSealed ? '查看订单' : '去订单提交账号'}
        </ButtonLink>
      )}
      {LOST.includes(status) && (
        <ButtonLink kind="primary" to={`/recycle?again=${requestSn}`}>
          再竞价一次
        </ButtonLink>
      )}
      {floorPrice === null && status === 'bidding' && (
        <p className="text-12 text-ink-3 max-md:hidden">这份申请没有平台保底，没有人出价就不成交。</p>
      )}
    </div>
  );
}

const BEST: Readonly<Record<string, string>> = {
  bidding: '目前最高',
  accepted: '成交价',
  reconfirm: '成交价',
  paid: '成交价',
};

function Bids({ request, now, inspectSeconds }: { request: Request; now: string; inspectSeconds: number }) {
  const { bids, status, dueTime } = request;
  const others = bids.filter((b) => !b.isPlatform).length;
  const best = bids.find((b) => b.isBest);
  const isRunning = LIVE.includes(status);
  const isWaiting = status === 'accepted' && request.isSealed;
  const clock = isWaiting ? null : isRunning ? dueTime : request.heldUntil;
  return (
    <section className="panel overflow-hidden" aria-labelledby="bids">
      <div className={cx('flex items-start gap-3 p-4', isRunning && 'bg-attn-bg')} role="status">
        <div className="min-w-0">
          <h2 id="bids" className="text-16 font-semibold">
            {request.statusName}
          </h2>
          <p className="min-h-10 text-13 text-ink-2">
            {status === 'bidding' && `${others} 家已出价${best ? `，目前最高 ¥${grouped(best.price)}` : ''}。`}
            {SENTENCES[request.heldUntil ? 'held' : isWaiting ? 'sealed' : status]}
            {isWaiting && `通常 ${spanText(inspectSeconds)}内验完。`}
          </p>
          {request.closedReason && <p className="text-12 text-ink-3">{request.closedReason}</p>}
        </div>
        {clock && (
          <b className="rec-clock">
            <Countdown until={clock} now={now} />
          </b>
        )}
      </div>
      {/* Keyed by rank: a new bid changes the text of the rows without moving them. The sentence above announces it. */}
      <ul className={cx(status === 'bidding' && 'rec-open')}>
        {bids.map((b, i) => (
          <li key={i} className={cx('rec-bid', b.isBest && 'rec-best')}>
            <i>{b.isPlatform ? '平' : i + 1}</i>
            <span>
              {b.name}
              {b.isBest && <em>{BEST[status] ?? '最高价'}</em>}
              <small>
                {b.isPlatform
                  ? '没人出更高的价，就按这个价收'
                  : `收号 ${grouped(b.wonNum)}，减价 ${grouped(b.loweredNum)} 单${b.hours === null ? '' : `，到账平均 ${b.hours} 小时`}`}
              </small>
            </span>
            <span className="text-right">
              <Amount yuan={b.price} className="font-semibold" />
              <small>
                <TimeLabel at={b.bidTime} />
              </small>
            </span>
          </li>
        ))}
        {bids.length === 0 && <li className="px-4 py-6 text-13 text-ink-3">还没有人出价，出价会在这里一条条出现。</li>}
      </ul>
    </section>
  );
}

/** The basis of the price, until the seller has decided. */
function Terms({ request }: { request: Request }) {
  const { status, price, floorPrice, dueTime, bindHours } = request;
  const lasts =
    status === 'bidding' ? `竞价结束后 ${bindHours} 小时` : dueTime === null ? null : `${shortAt(dueTime)} 前`;
  if (status !== 'bidding' && status !== 'quoted') return null;
  const more = floorPrice === null || price === null ? 0 : fenOf(price) - fenOf(floorPrice);
  const terms: [string, ReactNode][] = [
    // The space is reserved until the first bid.
    ...(floorPrice === null
      ? []
      : [['比保底多', more > 0 ? <Amount key="more" yuan={yuanOf(more)} /> : '—'] satisfies [string, ReactNode]]),
    [
      '货款',
      <span key="held" className="text-safe">
        出价时已由平台托管
      </span>,
    ],
    ...(lasts === null ? [] : [['有效', `${lasts}，由您决定`] satisfies [string, ReactNode]]),
  ];
  return (
    <>
      <dl className="mt-3 grid gap-1.5 border-t border-line-soft pt-3 text-13">
        {terms.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3">
            <dt className="text-ink-3">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-12 text-ink-3">接受后到订单里用密封信息提交账号，验号通过就付款。</p>
    </>
  );
}

/** A request on its way: bids, what is due, the floor, the table of differences and what was read. */
export function RequestPage({ data, request }: { data: RecycleData; request: Request }) {
  useLiveRequest(request.status);
  const isLost = LOST.includes(request.status);
  const net = request.price === null || isLost ? null : yuanOf(fenOf(request.price) - fenOf(request.cut));
  return (
    <>
      <section className="panel mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <Picture src={data.game.icon} alt="" width={36} height={36} className="w-9 flex-none" />
        <div className="min-w-0">
          <h1 className="text-16 font-semibold">
            {request.gameName} {request.areaName}
          </h1>
          <p className="text-12 text-ink-3">
            <CopyButton text={request.requestSn} label="回收单号" />
          </p>
        </div>
        <div className="ml-auto max-md:ml-0">
          <Steps status={request.status} />
        </div>
      </section>
      <div className="rec-columns">
        <div className="grid content-start gap-4">
          <FloorCard floor={request.floor} none="这份申请没有平台保底：同类成交太少，或超出保底范围，只开竞价。" />
          <section className="panel" aria-labelledby="facts">
            <div className="panel-head">
              <h2 id="facts">账号信息</h2>
              <p>竞价开始后锁定，各家看到的都一样</p>
            </div>
            <dl className="rec-facts">
              {request.facts.map((f) => (
                <div key={f.label}>
                  <dt>{f.label}</dt>
                  <dd>{f.value}</dd>
                </div>
              ))}
            </dl>
          </section>
          <CutTable cuts={request.cuts} readings={request.readings} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 rec-side">
          <Bids request={request} now={data.now} inspectSeconds={data.terms.inspectSeconds} />
          <section className="panel" aria-labelledby="net">
            <div className="panel-head">
              <h2 id="net">您到手</h2>
              <p>不收手续费</p>
            </div>
            <div className="p-4">
              {net === null ? (
                <p className="flex min-h-8.5 items-center text-13 text-ink-3">
                  {isLost ? '没有成交，没有收付款' : '等出价'}
                </p>
              ) : (
                <Price yuan={net} size="xl" />
              )}
              {fenOf(request.cut) > 0 && !isLost && (
                <p className="text-12 text-ink-3">
                  报价 <Amount yuan={request.price ?? '0'} />
                  ，验号减价 <Amount yuan={request.cut} />
                </p>
              )}
              <Terms request={request} />
            </div>
            <Actions request={request} now={data.now} />
          </section>
          <SellSelf
            sellNet={request.sellNet}
            price={isLost ? null : (net ?? request.price)}
            gameId={request.gameId}
            none={isLost ? '没有成交' : '等出价'}
          />
          <div className="max-md:hidden">
            <Recent list={data.recent} />
          </div>
          <p className="text-12 text-ink-3">
            <Link to="/center/buyback" className="link">
              我的全部回收申请
            </Link>
          </p>
        </div>
      </div>
    </>
  );
}
