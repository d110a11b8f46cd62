import { AuthStatus } from '#contract/rules/statuses.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { crossList, gameList } from '#subjects/games/contract/games.ts';
import { BOOSTING, COMPANION_PLAY, type ServiceType } from '#subjects/orders/rules/order-types.ts';
import { getScaleConf } from '#subjects/orders/contract/site-figures.ts';
import type { Data } from '#contract/endpoint.ts';
import { evaluationInfo } from '#subjects/valuation/contract/evaluation.ts';
import { getDraft, getGoodsUpperConf, selfGoods } from '#subjects/goods/contract/goods.ts';
import { reviewTime } from '#subjects/goods/contract/front-page.ts';
import { getWantGoodsList } from '#subjects/offers/contract/offers.ts';
import { editDraftKey, type OfferFees, sellDraftKey } from '../../rules/listing-states.ts';
import { saleHold } from '#subjects/seller-levels/contract/seller-level.ts';
import { userInfo } from '#subjects/accounts/contract/user.ts';
import { market, marketContext, optional } from '#web/lib/pages/context.ts';
import { durationText, fenOf } from '#web/lib/format/format.ts';
import { attempt } from '#web/lib/api/attempt.ts';

/** Goods types that require the role. */
const ROLE_TYPES: Readonly<Record<string, 'isBooster' | 'isAccompanyer'>> = {
  [BOOSTING]: 'isBooster',
  [COMPANION_PLAY]: 'isAccompanyer',
} satisfies Record<ServiceType, 'isBooster' | 'isAccompanyer'>;

export interface SellGame {
  id: number;
  name: string;
  icon: string;
  initial: string;
  gameType: number;
  hot: number;
  code: string;
  types: readonly { id: number; name: string }[];
}

const number = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);

/** The query: a new listing of a game and type, an edit, or the result after sending. */
export function parseSell(query: URLSearchParams) {
  const sn = (name: string): string | null => {
    const value = query.get(name);
    return value !== null && /^[A-Za-z0-9]{1,32}$/.test(value) ? value : null;
  };
  return {
    gameId: number(query.get('gameId')),
    typeId: number(query.get('gt')),
    goodsSn: sn('goodsSn'),
    doneSn: sn('done'),
    doneStatus: number(query.get('status')) ?? 1,
    valuation: sn('valuation'),
    price: /^\d{1,7}(\.\d{1,2})?$/.exec(query.get('price') ?? '')?.[0] ?? null,
  };
}

function gamesOf(list: Data<typeof gameList>['list'], user: Data<typeof userInfo>): SellGame[] {
  return list
    .map((g) => ({
      id: g.id,
      name: g.name,
      icon: g.icon,
      initial: g.initial,
      gameType: g.gameType,
      hot: g.hot,
      code: g.code,
      types: Object.entries(g.goodsTypeAndNameMap)
        .filter(([id]) => ROLE_TYPES[id] === undefined || user[ROLE_TYPES[id]] === 1)
        .map(([id, name]) => ({ id: Number(id), name })),
    }))
    .filter(({ types }) => types.length > 0);
}

/** The form of a game and goods type with its regions and the saved draft. */
async function openForm(
  args: LoaderFunctionArgs,
  gameId: number,
  typeId: number,
  draftKey: string,
  details: Record<string, unknown> = {},
) {
  const { call } = args.context.get(marketContext);
  const [form, places, draft, wants] = await Promise.all([
    attempt(call(getGoodsUpperConf, { gameId, goodsTypeId: typeId, details })),
    attempt(call(crossList, { gameId })),
    optional(call(getDraft, { draftKey })),
    optional(call(getWantGoodsList, { gameId, goodsTypeId: typeId, pageSize: 1 })),
  ]);
  if (!form.ok) return form;
  if (!places.ok) return places;
  return {
    ok: true as const,
    form: form.data,
    areas: places.data.list,
    draftKey,
    draft,
    demand: wants?.demand ?? null,
  };
}

async function openEdit(args: LoaderFunctionArgs, goodsSn: string) {
  const goods = await attempt(args.context.get(marketContext).call(selfGoods, { goodsSn }));
  if (!goods.ok) return goods;
  const { gameId, goodsTypeId, details } = goods.data;
  const opened = await openForm(args, gameId, goodsTypeId, editDraftKey(goodsSn), details);
  return opened.ok ? { ...opened, goods: goods.data } : opened;
}

/** A valuation whose account fills the form; absent when it no longer exists or is of another game. */
async function openValuation(args: LoaderFunctionArgs, { valuation, price, gameId }: ReturnType<typeof parseSell>) {
  if (valuation === null) return undefined;
  const found = await optional(args.context.get(marketContext).call(evaluationInfo, { evaluationSn: valuation }));
  if (found?.gameId !== gameId) return undefined;
  return { sn: valuation, areaId: found.areaId, details: found.details, price: price ?? found.typical };
}

/** The seller, the fees, and the form that the URL names. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const state = parseSell(args.url.searchParams);
  const [user, scale, games, hold, review] = await Promise.all([
    call(userInfo, {}),
    call(getScaleConf, {}),
    call(gameList, {}),
    call(saleHold, {}),
    optional(call(reviewTime, {})),
  ]);
  const { gameId, typeId, goodsSn } = state;
  const opened =
    state.doneSn !== null
      ? null
      : goodsSn !== null
        ? await openEdit(args, goodsSn)
        : gameId !== null && typeId !== null
          ? { ...(await openForm(args, gameId, typeId, sellDraftKey(gameId, typeId))), goods: undefined }
          : null;
  const valued = await openValuation(args, state);
  const fees: OfferFees = {
    sellerBp: scale.sellerCommissionBp,
    sellerMaxFen: fenOf(scale.sellerCommissionMax),
    buyerBp: scale.buyerServiceFeeBp,
  };
  return {
    state,
    games: gamesOf(games.list, user),
    opened,
    valued,
    fees,
    feeText: scale.sellerCommission,
    buyerFeeText: scale.buyerServiceFee,
    holdHours: hold.hours,
    /** Duration of the last week's reviews; empty when there were too few. */
    reviewText: review?.medianMinutes ? `近 7 天一半在 ${durationText(review.medianMinutes)}内审完` : '',
    userId: user.userId,
    isVerified: user.authStatus === AuthStatus.Verified,
    isMinor: user.authStatus === AuthStatus.Verified && !user.isAdult,
  };
}

export type SellData = Awaited<ReturnType<typeof loader>>;
export type Opened = Extract<NonNullable<SellData['opened']>, { ok: true }>;
