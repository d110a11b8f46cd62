import { grouped } from '#web/lib/format/format.ts';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { boostGames, boostRoutes, boostWithdraw, myBoostRequests } from '#subjects/services/contract/boosting.ts';
import { crossList } from '#subjects/games/contract/games.ts';
import type { Data } from '#contract/endpoint.ts';
import { payMethodShow } from '#subjects/payments/contract/pay.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { type Filled, filledFrom, readDraft } from './request-draft.ts';
import { RequestForm } from './request-form.tsx';
import type { GameChoices } from './request-scope.tsx';

type Request = Data<typeof myBoostRequests>['list'][number];

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '代练发单', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const query = args.url.searchParams;
  const isNew = query.get('new') === '1';
  const [own, form, methods] = await Promise.all([
    call(myBoostRequests, { pageSize: 50 }),
    call(boostGames, {}),
    call(payMethodShow, {}),
  ]);
  const gameId = form.games.find((game) => String(game.gameId) === query.get('gid'))?.gameId ?? form.games[0]?.gameId;
  const loaded = gameId === undefined ? null : await loadChoices(call, gameId);
  const rank = (name: string) => loaded?.ranks.find(({ value }) => String(value) === query.get(name))?.label ?? '';
  const filled: Filled = { gameId: String(gameId ?? ''), fromRank: rank('from'), toRank: rank('to') };
  return { own, form, methods, loaded, filled, now: new Date().toISOString(), isNew, isChosen: query.has('gid') };
}

/** The ranks and regions of a game, to choose from. */
async function loadChoices(call: ReturnType<typeof market>['call'], gameId: number): Promise<GameChoices> {
  const [routes, cross] = await Promise.all([
    optional(call(boostRoutes, { gameId })),
    optional(call(crossList, { gameId })),
  ]);
  return { gameId, ranks: routes?.ranks ?? [], areas: cross?.list ?? [] };
}

const TONES = { open: 'attn', taken: 'safe', withdrawn: undefined, expired: undefined } as const;

function Withdraw({ request }: { request: Request }) {
  const { busy, send } = useMutation(boostWithdraw, {
    toasts: true,
    revalidates: 'always',
    done: ({ back }) => toast(`已撤回，${grouped(back)} 元已退到余额`, 'ok'),
  });
  return (
    <Button size="sm" busy={busy} onClick={() => void send({ requestSn: request.requestSn })}>
      撤回
    </Button>
  );
}

function Row({ request, now, again }: { request: Request; now: string; again: () => void }) {
  const tone = TONES[request.status];
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line-soft px-4 py-3.5">
      <div className="min-w-0 flex-1 max-md:basis-full">
        <p className="flex flex-wrap items-center gap-2 text-14 font-medium">
          {request.gameName} {request.title}
          <Tag {...(tone && { tone })}>{request.statusName}</Tag>
        </p>
        <p className="mt-1 text-12 text-ink-3">
          {request.area}，{request.modeName}，{request.hours} 小时内，分 {request.milestones.length} 段
        </p>
        <p className="mt-0.5 text-12 text-ink-3">
          {request.requestSn}，<TimeLabel at={request.createTime} />
          {request.status === 'open' && (
            <>
              ，还剩 <Countdown until={request.expireTime} now={now} />
              ，到时没人接自动全额退回
            </>
          )}
        </p>
      </div>
      <p className="text-14 font-semibold md:text-right">
        <Amount yuan={request.total} />
        <span className="block text-12 font-normal text-ink-3">
          {request.status === 'open' ? '已托管' : request.status === 'taken' ? '已转入订单' : '已退回'}
        </span>
      </p>
      <div className="flex items-center justify-end gap-3 max-md:ml-auto md:w-36">
        {request.status === 'open' && <Withdraw request={request} />}
        {request.orderSn && (
          <Link to={`/center/buyOrderDetail?orderSn=${request.orderSn}`} className="link text-13">
            查看订单
          </Link>
        )}
        {request.status !== 'open' && (
          <Button size="sm" onClick={again}>
            再发一次
          </Button>
        )}
      </div>
    </li>
  );
}

/** One's open orders of boosting, and the form of a new one; a former one fills it. */
export default function BoostRequests() {
  const { own, form, methods, loaded, filled: linked, now, isNew, isChosen } = useLoaderData<typeof loader>();
  const isHydrated = useHydrated();
  // The input before a payment or an accidental navigation, unless the URL contains a route.
  const [draft] = useState(readDraft);
  const [picked, fill] = useState<Filled | null>();
  const first = (isHydrated && !isChosen && draft) || linked;
  const filled = picked === undefined ? (isNew ? first : null) : picked;
  return (
    <div className="grid gap-4">
      {filled !== null && (
        <RequestForm
          key={JSON.stringify(filled)}
          games={form.games}
          loaded={loaded}
          maxOpenHours={form.maxOpenHours}
          filled={filled}
          money={{ methods, now }}
          onClose={() => fill(null)}
        />
      )}
      <section className="panel" aria-labelledby="requests">
        <div className="panel-head">
          <h1 id="requests" className="text-16 font-semibold">
            代练发单
          </h1>
          <p className="max-md:hidden">货款先托管，第一位合格打手接走；没人接之前随时免费撤回</p>
          {filled === null && (
            <Button kind="primary" size="sm" className="ml-auto" onClick={() => fill(readDraft() ?? linked)}>
              发单
            </Button>
          )}
        </div>
        {own.list.length === 0 ? (
          <EmptyState
            title="还没有发过单"
            action={
              filled === null && (
                <Button kind="primary" onClick={() => fill(readDraft() ?? linked)}>
                  发第一单
                </Button>
              )
            }
          >
            选好从哪打到哪、出多少钱，打手看到就能接；也可以
            <Link to="/wares?gt=60" className="link">
              直接选打手的套餐
            </Link>
            。
          </EmptyState>
        ) : (
          <ul aria-label="代练发单">
            {own.list.map((request) => (
              <Row key={request.requestSn} request={request} now={now} again={() => fill(filledFrom(request))} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}
