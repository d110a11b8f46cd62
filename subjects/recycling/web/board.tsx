import { useState } from 'react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { recycleBid, recycleBoard, recycleTerms } from '#subjects/recycling/contract/account-recycling.ts';
import type { Data } from '#contract/endpoint.ts';
import { isPrice } from '#contract/rules/amounts.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { spanText } from '#contract/rules/time/span.ts';
import { market } from '#web/lib/pages/context.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { TakeOverButton } from '#subjects/recycling/web/parts/take-over-button.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

export const handle = { phone: { back: true } };

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: '商家回收',
    description: '认证回收商匿名竞价收号：别人看不到您的价，货款平台托管，平台逐项验号，对不上按公布的数减价',
  });

export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const isOwn = args.url.searchParams.get('own') === '1';
  const [board, terms] = await Promise.all([
    user === null ? null : call(recycleBoard, { pageSize: 50, ...(isOwn && { own: 1 }) }),
    call(recycleTerms, {}),
  ]);
  return { board, terms, isOwn, now: new Date().toISOString() };
}

type Board = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['board']>;
type Row = Data<typeof recycleBoard>['list'][number];

const BID_NAMES: Readonly<Record<string, string>> = { open: '出价中', returned: '已退回', paid: '已成交' };

function BidForm({ row, feeBp }: { row: Row; feeBp: number }) {
  const [price, setPrice] = useState('');
  const { form, busy, errors, error, submit } = useMutation(recycleBid, {
    fields: ['price'],
    intent: `bid:${row.requestSn}`,
    revalidates: true,
    check: ({ price: typed }) => ({ price: isPrice(String(typed)) ? undefined : '请填写出价，最多两位小数' }),
    done: () => {
      setPrice('');
      toast('已出价，货款由平台托管', 'ok');
    },
  });
  const fen = isPrice(price) ? fenOf(price) : 0;
  return (
    <form
      ref={form}
      className="grid gap-1"
      onSubmit={submit(() => ({ requestSn: row.requestSn, price: price.trim() }))}
    >
      <span className="flex items-start gap-2">
        <Field
          label={row.myBid === null ? '出价（元）' : `加价，高于 ¥${grouped(row.myBid)}`}
          required
          error={errors.price}
          className="min-w-0 flex-1"
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={price}
              maxLength={10}
              onChange={(event) => setPrice(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" className="btn-beside mt-6.5" busy={busy}>
          出价
        </Button>
      </span>
      <FormError>{error}</FormError>
      {fen > 0 && (
        <small className="text-12 text-ink-3">
          托管 ¥{grouped(yuanOf(fen + feeOf(fen, feeBp)))}，含服务费 ¥{grouped(yuanOf(feeOf(fen, feeBp)))}；没成交全退
        </small>
      )}
    </form>
  );
}

/** The recycler confirms having taken over the account; until then the seller's money is frozen. */
function TakenOver({ row, now }: { row: Row; now: string }) {
  return (
    <div className="grid gap-1">
      <TakeOverButton requestSn={row.requestSn} />
      <p className="text-12 text-ink-3">
        {row.heldUntil && <Countdown until={row.heldUntil} now={now} />} 后自动确认；有问题请先到订单里申诉
      </p>
    </div>
  );
}

function RequestRow({ row, board, now }: { row: Row; board: Board; now: string }) {
  const isOpen = row.status === 'bidding' && !row.isMine;
  return (
    <li className="rec-row">
      <div className="flex min-w-0 gap-3">
        <Picture
          src={`/cover/${row.requestSn}/136x90.svg`}
          alt=""
          width={136}
          height={90}
          className="w-34 flex-none self-start max-md:w-24"
        />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 text-14 font-semibold">
            {row.gameName} {row.areaName}
            {row.bidStatus !== '' && (
              <Tag {...(row.bidStatus === 'paid' && { tone: 'safe' as const })}>{BID_NAMES[row.bidStatus]}</Tag>
            )}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-13 text-ink-2">
            {row.facts.map((f) => (
              <span key={f.label}>
                {f.label} <b className="font-medium text-ink">{f.value}</b>
              </span>
            ))}
          </p>
          <p className="mt-1 text-12 text-ink-3">
            {row.requestSn}
            {row.myBid !== null && (
              <>
                ，我的出价 <Amount yuan={row.myBid} />
              </>
            )}
            {row.orderSn && (
              <>
                ，
                <Link className="link" to={orderPath(row.orderSn)}>
                  订单 {row.orderSn}
                </Link>
              </>
            )}
          </p>
        </div>
      </div>
      <div className="grid content-start gap-2">
        {isOpen && row.dueTime && (
          <p className="text-12 text-ink-3">
            剩余{' '}
            <b className="text-attn">
              <Countdown until={row.dueTime} now={now} />
            </b>
          </p>
        )}
        {isOpen && <BidForm row={row} feeBp={board.feeBp} />}
        {row.isMine && <p className="text-12 text-ink-3">这是您自己的账号</p>}
        {!isOpen && !row.isMine && <p className="text-13 text-ink-2">{row.statusName}</p>}
        {row.bidStatus === 'paid' && row.heldUntil && <TakenOver row={row} now={now} />}
      </div>
    </li>
  );
}

/** Recyclers bid blind on accounts: the open requests of their games, and what they have bid on. */
export default function BusinessRecycling() {
  const { board, terms, isOwn, now } = useLoaderData<typeof loader>();
  const rules = [
    '出价全款托管，没成交全退',
    '别人看不到您的价，您也看不到别人的',
    '验号逐项核验，对不上按公布的数减价',
    `最高价 ${spanText(terms.bindSeconds)}内不能撤回`,
  ];
  return (
    <>
      <section className="panel my-4">
        <div className="panel-head">
          <h1 className="text-16 font-semibold">商家回收</h1>
          <p className="max-md:hidden">认证回收商匿名竞价收号</p>
          {board?.isRecycler && (
            <p className="ml-auto text-right">
              可用 <Amount yuan={board.balance} className="text-ink" />
              ，今天还可出价 <Amount yuan={board.dayLeft} className="text-ink" />
            </p>
          )}
        </div>
        <ul className="grid gap-x-6 gap-y-1 px-4 py-3 text-13 text-ink-2 md:grid-cols-2">
          {rules.map((r) => (
            <li key={r}>· {r}</li>
          ))}
        </ul>
      </section>
      {board === null || !board.isRecycler ? (
        <section className="panel">
          <EmptyState
            title={board === null ? '登录后查看可出价的账号' : '通过回收商认证后可以出价'}
            action={
              <ButtonLink
                kind="primary"
                to={board === null ? '/login?returnUrl=%2FspecilPage%2FbusinessRecycling' : '/center/recycler'}
              >
                {board === null ? '登录' : '申请成为回收商'}
              </ButtonLink>
            }
          >
            账号与金币回收用同一份认证。
          </EmptyState>
        </section>
      ) : (
        <section className="panel">
          <LinkTabs
            label="回收申请"
            items={[
              { key: 'open', to: '/specilPage/businessRecycling', label: '可出价', isCurrent: !isOwn },
              { key: 'own', to: '/specilPage/businessRecycling?own=1', label: '我出过价的', isCurrent: isOwn },
            ]}
          />
          {board.list.length === 0 ? (
            <EmptyState
              title={isOwn ? '还没有出过价' : '现在没有可出价的账号'}
              action={isOwn && <ButtonLink to="/specilPage/businessRecycling">看看可出价的</ButtonLink>}
            >
              {isOwn ? '出过价的账号和结果会在这里。' : `有新账号时会通知您，竞价 ${spanText(terms.bidSeconds)}。`}
            </EmptyState>
          ) : (
            <ul>
              {board.list.map((row) => (
                <RequestRow key={row.requestSn} row={row} board={board} now={now} />
              ))}
            </ul>
          )}
        </section>
      )}
    </>
  );
}
