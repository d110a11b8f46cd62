import type { LoaderFunctionArgs } from 'react-router';
import {
  recycleFloor,
  recycleInfo,
  recycleRecent,
  recycleTerms,
} from '#subjects/recycling/contract/account-recycling.ts';
import { crossList, gameList } from '#subjects/games/contract/games.ts';
import { evaluationForm, evaluationInfo } from '#subjects/valuation/contract/evaluation.ts';
import type { Data } from '#contract/endpoint.ts';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { loginPath } from '#web/lib/pages/paths.ts';

const ACCOUNT = '1';
const SN = /^[A-Za-z0-9]{1,32}$/;

/** A request of the visitor's own (`sn`), or the form: filled from a valuation (`valuation`) or an earlier request (`again`), or of a game (`gameId`). */
export async function loader(args: LoaderFunctionArgs) {
  const { call, user } = market(args);
  const query = args.url.searchParams;
  const [sn, valuation, gameIdParam] = [query.get('sn'), query.get('valuation'), query.get('gameId')];
  const again = query.get('again');
  if (
    [sn, valuation, again].some((v) => v !== null && !SN.test(v)) ||
    (gameIdParam !== null && !/^\d{1,9}$/.test(gameIdParam))
  )
    notFound();
  const request = sn === null ? null : await call(recycleInfo, { requestSn: sn });
  const valued =
    again !== null
      ? await optional(call(recycleInfo, { requestSn: again }))
      : valuation === null
        ? null
        : await optional(call(evaluationInfo, { evaluationSn: valuation }));
  const { list } = await call(gameList, {});
  const games = list
    .filter((g) => ACCOUNT in g.goodsTypeAndNameMap && (!g.isCollection || g.id === request?.gameId))
    .map(({ id, name, icon }) => ({ id, name, icon }));
  const wanted = request?.gameId ?? valued?.gameId ?? (gameIdParam === null ? null : Number(gameIdParam));
  const game = wanted === null ? games[0] : games.find((g) => g.id === wanted);
  if (!game) return notFound();
  const details = valued?.details ?? {};
  const areaId = valued?.areaId ?? null;
  const [form, cross, floor, recent, terms] = await Promise.all([
    call(evaluationForm, { gameId: game.id }),
    optional(call(crossList, { gameId: game.id })),
    request || Object.keys(details).length === 0
      ? null
      : call(recycleFloor, { gameId: game.id, details, ...(areaId !== null && { areaId }) }),
    optional(call(recycleRecent, {})),
    call(recycleTerms, {}),
  ]);
  return {
    request,
    game,
    games,
    fields: form.fields,
    areas: cross?.list ?? [],
    details,
    areaId,
    floor,
    recent: recent?.list ?? [],
    terms,
    isVerified: user?.authStatus === AuthStatus.Verified,
    login: user ? null : loginPath(args.url),
    now: new Date().toISOString(),
  };
}

export type RecycleData = Awaited<ReturnType<typeof loader>>;
export type Request = Data<typeof recycleInfo>;
export type FloorResult = Data<typeof recycleFloor>;
