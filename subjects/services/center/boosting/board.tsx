import { grouped } from '#web/lib/format/format.ts';
import { useState } from 'react';
import { Form, Link, type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router';
import { boostBoard, boostTake } from '#subjects/services/contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { isPrice } from '#contract/rules/amounts.ts';
import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ServiceOffer } from '../../web/parts/service/service-offer.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { NeedsDeposit } from '../needs-deposit.tsx';
import { BOOSTER, roleOnly } from '../role.ts';

type Board = Data<typeof boostBoard>;
type Request = Board['list'][number];

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '接单大厅', noindex: true });
}

const SORTS = [
  ['new', '最新'],
  ['price', '出价高'],
  ['ending', '快到期'],
] as const;
const MODES = [
  ['account', '上号代打'],
  ['together', '组队陪打'],
  ['online', '线上指导'],
] as const;

const chosen = <T extends string>(list: readonly (readonly [T, string])[], value: string | null): T | undefined =>
  list.find(([key]) => key === value)?.[0];

/** The filters of the URL; invalid ones are left out. */
function filterOf(query: URLSearchParams) {
  const gameId = query.get('gameId') ?? '';
  const minPrice = query.get('minPrice') ?? '';
  const mode = chosen(MODES, query.get('mode'));
  return {
    ...(/^\d{1,6}$/.test(gameId) && { gameId }),
    ...(isPrice(minPrice) && { minPrice }),
    ...(mode && { mode }),
    sort: chosen(SORTS, query.get('sort')) ?? 'new',
  };
}

export async function loader(args: LoaderFunctionArgs) {
  roleOnly(args, BOOSTER);
  const filter = filterOf(args.url.searchParams);
  const board = await market(args).call(boostBoard, { pageSize: 50, ...filter });
  return { board, filter: filter as Record<string, string>, now: new Date().toISOString() };
}

function Filters({ board, filter }: { board: Board; filter: Record<string, string> }) {
  return (
    <Form className="flex flex-wrap items-center gap-2 border-t border-line-soft px-4 py-3" aria-label="筛选">
      <Select small name="gameId" aria-label="游戏" className="w-auto!" defaultValue={filter.gameId ?? ''}>
        <option value="">全部游戏</option>
        {board.games.map((game) => (
          <option key={game.gameId} value={game.gameId}>
            {game.name}
          </option>
        ))}
      </Select>
      <Select small name="mode" aria-label="方式" className="w-auto!" defaultValue={filter.mode ?? ''}>
        <option value="">全部方式</option>
        {MODES.map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </Select>
      <Input
        small
        name="minPrice"
        aria-label="最低出价"
        placeholder="最低出价"
        inputMode="decimal"
        maxLength={8}
        className="w-28!"
        defaultValue={filter.minPrice}
      />
      <Select small name="sort" aria-label="排序" className="w-auto!" defaultValue={filter.sort}>
        {SORTS.map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </Select>
      <Button type="submit" size="sm">
        筛选
      </Button>
    </Form>
  );
}

/** The terms of the order, shown before the binding confirmation; until then other boosters see the order. */
function TakeDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const navigate = useNavigate();
  const { busy, error, send } = useMutation(boostTake, {
    revalidates: 'always',
    done: async ({ orderSn }) => {
      toast('已接单', 'ok');
      await navigate(`/center/buyOrderDetail?orderSn=${orderSn}`);
    },
  });
  return (
    <Dialog
      title="接单"
      onClose={onClose}
      footer={
        <>
          <BackButton>再看看</BackButton>
          <Button kind="primary" busy={busy} onClick={() => void send({ requestSn: request.requestSn })}>
            确认接单
          </Button>
        </>
      }
    >
      <ServiceOffer
        what={`${request.gameName} ${request.title}`}
        service={{
          typeId: BOOSTING,
          mode: request.mode,
          modeName: request.modeName,
          area: request.area,
          note: request.note,
          offer: { price: request.price, net: request.net, minutes: request.hours * 60, startTime: null },
          safetyDeposit: request.safetyDeposit,
          efficiencyDeposit: request.efficiencyDeposit,
        }}
      />
      <FormError>{error}</FormError>
    </Dialog>
  );
}

/** The booster's deposits that are frozen at the claim, by name. */
function depositText({ safetyDeposit, efficiencyDeposit }: Request): string {
  const parts = [
    ['安全保证金', safetyDeposit],
    ['效率保证金', efficiencyDeposit],
  ].filter(([, amount]) => Number(amount) > 0);
  if (parts.length === 0) return '不收保证金';
  return `接单冻结${parts.map(([name, amount]) => `${name} ${grouped(amount ?? '0')} 元`).join('、')}`;
}

function Row({ request, now }: { request: Request; now: string }) {
  const [isTaking, setTaking] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line-soft px-4 py-3.5">
      <div className="min-w-0 flex-1 max-md:basis-full">
        <p className="flex flex-wrap items-center gap-2 text-14 font-medium">
          {request.gameName} {request.title}
          {request.kindName && <Tag>{request.kindName}</Tag>}
        </p>
        <p className="mt-1 text-13 text-ink-2">
          {request.area}，{request.modeName}，{request.hours} 小时内，
          {request.milestones.map((m) => `${m.title} ${grouped(m.amount)} 元`).join('，')}
        </p>
        {request.note && <p className="mt-0.5 text-12 text-ink-3">要求：{request.note}</p>}
        <p className="mt-0.5 text-12 text-ink-3">
          {depositText(request)}，剩 <Countdown until={request.expireTime} now={now} />
        </p>
      </div>
      <p className="text-16 font-semibold md:text-right">
        <Amount yuan={request.price} />
        <span className="block text-12 font-normal text-ink-3">到手 {grouped(request.net)} 元</span>
      </p>
      <div className="grid min-w-24 gap-1 max-md:ml-auto">
        <Button kind="primary" size="sm" disabled={request.closed !== null} onClick={() => setTaking(true)}>
          接单
        </Button>
        {request.closed && <small className="max-w-36 text-12 text-ink-3">{request.closed}</small>}
      </div>
      {isTaking && <TakeDialog request={request} onClose={() => setTaking(false)} />}
    </li>
  );
}

/** Open orders that a booster may claim; the first booster to claim one gets it. */
export default function BoostBoard() {
  const { board, filter, now } = useLoaderData<typeof loader>();
  return (
    <section className="panel" aria-labelledby="board">
      <div className="panel-head">
        <h1 id="board" className="text-16 font-semibold">
          接单大厅
        </h1>
        <p className="max-md:hidden">货款已全部托管，先接先得</p>
        <p className="ml-auto text-12">
          进行中 {board.openOrders} / {board.maxOpenOrders}，可用余额 <Amount yuan={board.balance} />
        </p>
      </div>
      {board.maxOpenOrders === 0 && <NeedsDeposit role={BOOSTER} what="不能接单" className="mx-4 mb-3" />}
      <Filters board={board} filter={filter} />
      {board.list.length === 0 ? (
        <EmptyState title="现在没有可接的单" action={<ButtonLink to={BOOSTER.packages}>管理套餐</ButtonLink>}>
          只显示您资料里的游戏；想接更多，可以在
          <Link to={BOOSTER.join} className="link">
            代练资料
          </Link>
          里添加。
        </EmptyState>
      ) : (
        <ul aria-label="可接的单">
          {board.list.map((request) => (
            <Row key={request.requestSn} request={request} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}
