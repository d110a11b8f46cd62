/** Private deals: what the coalition sells by a link, under the type of what it is or of something else. */
import { respondMiddleman, openMiddleman } from '#subjects/middleman/contract/middleman.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { SELLS } from '#contract/rules/parties.ts';
import { type Action, isFair, mine } from './actions-trade.ts';
import { hasServers, ITEM, placeOf } from '../worlds/market.ts';
import { type Account, canChange, names, type Who } from '../worlds/model.ts';
import { asWritten, canWrite, type Writing, written } from '../worlds/names.ts';
import type { Goods, World } from '../worlds/world.ts';

/** Listings that a private deal over the same account is refused for. */
const LISTED = [1, 2, 3, 4, 7];
const MAX_DEALS = 2;
const ACCOUNT = 1;
const SPELLINGS = ['plain', 'invisible', 'trailing dot', 'mail', 'confusable', 'server', 'false name'] as const;

/** The declared subject of a deal: the account, something of the game without a type, an item of the game, or something without a game. */
const SUBJECTS = ['account', 'no type', 'item', 'no game'] as const;
type Subject = (typeof SUBJECTS)[number];
const TITLES: Readonly<Record<Subject, string>> = {
  account: '私下谈好的账号',
  'no type': '王者荣耀 满级V10 全英雄全皮肤 出',
  item: '全套皮肤 一次性打包',
  'no game': '满级 V10 资料全交接',
};
/** How a story names a deal that is not about an account by its own text. */
const SUBJECT_TEXTS: Readonly<Record<Subject, string>> = {
  account: 'a private deal',
  'no type': 'a private deal of its game without a type',
  item: 'a private deal over an item of its game',
  'no game': 'a private deal without a game',
};

function subjectsOf(w: World, g: Goods, buyer: Who): (string | number)[][] {
  const isWritten = (writing: Writing): boolean =>
    canWrite(g.account.name, writing) && (writing !== 'server' || hasServers(w.gameOf(g.account)));
  const asAccount = SPELLINGS.filter(isWritten).map((writing) => ['account', writing]);
  const others = SUBJECTS.filter(
    // An honest buyer of an account does not take a deal that says it is an item.
    (subject) => subject !== 'account' && (subject !== 'item' || (mine(buyer) && !g.account.loose)),
  );
  return [...asAccount, ...others.map((subject) => [subject, 'plain'])];
}

function subjectInput(w: World, account: Account, subject: Subject, writing: Writing) {
  const game = w.gameOf(account);
  if (subject === 'no game') return { goodsTypeId: 0 };
  if (subject !== 'account') return { gameId: game, goodsTypeId: subject === 'item' ? ITEM : 0 };
  return {
    gameId: game,
    ...(placeOf(game).serverId !== undefined && { serverId: placeOf(game, writing === 'server').serverId }),
    goodsTypeId: ACCOUNT,
    accountNo: written(account.name, writing),
  };
}

/** Places the order of an accepted deal and pays it. */
async function accept(w: World, goods: Goods, who: Who, { path, dealSn }: { path: string; dealSn: string }) {
  const code = new URLSearchParams(path.split('?')[1]).get('code') ?? '';
  const accepted = await w.call(w.client(who), respondMiddleman, { dealSn, act: 'accept', code });
  await w.read();
  const o = w.state.orders.find((x) => x.sn === accepted?.orderSn);
  if (!o) return undefined;
  w.deals.set(o.id, goods);
  if (!(await w.call(w.client(who), balancePay, { orderId: o.id }, `pay-${o.id}`))) return undefined;
  w.paid.add(o.id);
  await w.assign(o.id);
  await w.settle();
  await w.read();
  return w.state.orders.find((x) => x.id === o.id);
}

/** Sells an account by a private deal. Everyone who takes part knows that it is about the account, whatever it says. */
async function sellByDeal(w: World, n: number, who: Who, subject: Subject, writing: Writing): Promise<boolean> {
  const goods = w.goods[n];
  if (!goods) return false;
  const created = await w.call(w.client(goods.owner), openMiddleman, {
    belong: SELLS,
    ...subjectInput(w, goods.account, subject, writing),
    title: TITLES[subject],
    price: (goods.fen / 100).toFixed(2),
    feeSide: 'seller',
  });
  if (!created) return false;
  const others = new Set(w.goods.filter((g) => g.account === goods.account).map((g) => g.id));
  const isPlain = subject === 'account' && writing === 'plain';
  const isListed = w.state.goods.some((g) => others.has(g.id) && LISTED.includes(g.status));
  const spelled = w.goods.some((g) => others.has(g.id) && g.writing !== 'plain');
  if (isPlain && !spelled && isListed) w.breakRule('an account stands in a listing and in a private deal at once');
  // No one can tell from an item, or from something without a game, which account it is about.
  const isNameless = subject === 'item' || subject === 'no game';
  const o = await accept(w, { ...goods, writing: isNameless ? 'false name' : writing }, who, created);
  if (!o) return false;
  if (subject === 'no type') w.untyped.add(o.id);
  if (subject === 'no type' && !o.steps.some((s) => s.secret))
    w.breakRule('an account of a game is sold by a private deal without the steps of its type');
  const what = SUBJECT_TEXTS[subject];
  w.log(
    `${names[goods.owner]} sells account ${n}${asWritten(writing)} to ${names[who]} by ${what} (order ${w.numberOf(o)}).`,
  );
  return true;
}

/** A private deal over an account between two who know each other, opened and accepted together. */
const deal: Action = {
  name: 'deal',
  weight: 1,
  theme: 'deals',
  also: ['identity'],
  options: (w) =>
    w.deals.size >= MAX_DEALS
      ? []
      : w.goods.flatMap((g, n) =>
          canChange(g.account, g.owner) && mine(g.owner) && !w.leftMarket.has(g.owner)
            ? w.setting.cast
                .filter((who) => who !== g.owner && who !== 'i' && who !== 'hs' && (who !== 'hb' || isFair(w, g)))
                .flatMap((who) => subjectsOf(w, g, who).map((subject) => [n, who, ...subject]))
            : [],
        ),
  run: (w, [n, who, subject, writing]) => sellByDeal(w, Number(n), who as Who, subject as Subject, writing as Writing),
};

export const dealActions: readonly Action[] = [deal];
