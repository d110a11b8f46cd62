import type { LoaderFunctionArgs } from 'react-router';
import { recycleTerms } from '#subjects/recycling/contract/account-recycling.ts';
import { crossList, gameList } from '#subjects/games/contract/games.ts';
import { evaluation, evaluationForm, evaluationInfo } from '#subjects/valuation/contract/evaluation.ts';
import type { Data } from '#contract/endpoint.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { notFound } from '#web/lib/pages/not-found.ts';

/** The default game when the URL names none: Peacekeeper Elite on its two URLs, otherwise Honor of Kings. */
const DEFAULT_CODE = { hpjy: 'hpjy', wzry: 'wzry' } as const;
const ACCOUNT = '1';

const isNumber = (text: string | null): text is string => text !== null && /^\d{1,9}$/.test(text);

/** The valuation of the page: a stored one by its number (`sn`), otherwise that of an average account of the game. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const query = args.url.searchParams;
  const sn = query.get('sn');
  const gameIdParam = query.get('gameId');
  if (gameIdParam !== null && !isNumber(gameIdParam)) notFound();
  if (sn !== null && !/^[A-Za-z0-9]{1,32}$/.test(sn)) notFound();
  const kept = sn === null ? null : await call(evaluationInfo, { evaluationSn: sn });
  const { list } = await call(gameList, {});
  const games = list
    .filter((g) => ACCOUNT in g.goodsTypeAndNameMap && (!g.isCollection || g.id === kept?.gameId))
    .map(({ id, name, code, icon }) => ({ id, name, code, icon }));
  const code = args.url.pathname.includes('hpjyEvaluator') ? DEFAULT_CODE.hpjy : DEFAULT_CODE.wzry;
  const game =
    games.find(({ id }) => id === (kept?.gameId ?? Number(gameIdParam))) ??
    (gameIdParam === null && kept === null ? (games.find((g) => g.code === code) ?? games[0]) : undefined);
  if (!game) return notFound();
  const [form, cross, first, terms] = await Promise.all([
    call(evaluationForm, { gameId: game.id }),
    optional(call(crossList, { gameId: game.id })),
    kept ?? call(evaluation, { gameId: game.id, details: {}, preview: 1 }),
    optional(call(recycleTerms, {})),
  ]);
  const areas = (cross?.list ?? []).map((a) => ({ id: a.specialId, name: a.specialName }));
  return {
    game,
    games,
    areas,
    fields: form.fields,
    first,
    path: args.url.pathname,
    isKept: kept !== null,
    /** How long recyclers bid. */
    bidSeconds: terms?.bidSeconds ?? 0,
  };
}

export type ValuationData = Awaited<ReturnType<typeof loader>>;
export type Result = Data<typeof evaluation>;
