import {
  buyCounterofferPriceHandle,
  sellerAgreedBargain,
  sellerCounterofferPrice,
} from '#subjects/offers/contract/offers.ts';
import type { BargainAction } from '../../rules/bargain.ts';
import { type Belong, BUYS, SELLS } from '#contract/rules/parties.ts';
import { call } from '#web/lib/api/api.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import type { BargainItem } from './bargain-query.ts';

/** An action that asks for confirmation. */
export type ConfirmedAction = Exclude<BargainAction, 'order'>;

interface ActionText {
  label: string;
  title: string;
  question: string;
  done: string;
  danger?: true;
}

const seller: Readonly<Partial<Record<ConfirmedAction, ActionText>>> = {
  agree: {
    label: '同意',
    title: '同意出价',
    question: '同意后买家 24 小时内可以此价下单一次；在他下单前，商品仍按标价出售给其他人。',
    done: '已同意，等待买家下单',
  },
  counter: {
    label: '还价',
    title: '还价',
    question: '买家有 24 小时答复；同意后只有他能按您的还价下单。',
    done: '还价已发给买家',
  },
  refuse: {
    label: '拒绝',
    title: '拒绝出价',
    question: '拒绝后这次出价结束，买家还可以换个价再出。',
    done: '已拒绝这个出价',
    danger: true,
  },
};

const buyer: Readonly<Partial<Record<ConfirmedAction, ActionText>>> = {
  agree: {
    label: '同意还价',
    title: '同意还价',
    question: '同意后 24 小时内只有您能以此价下单；下单并付款前不收任何费用。',
    done: '已同意，请在 24 小时内下单',
  },
  refuse: {
    label: '拒绝',
    title: '拒绝还价',
    question: '拒绝后这次议价结束；出价次数未用完时可以换个价再出。',
    done: '已拒绝卖家的还价',
    danger: true,
  },
  withdraw: {
    label: '撤回',
    title: '撤回出价',
    question: '撤回后卖家不能再同意；撤回的出价也算一次。',
    done: '出价已撤回',
    danger: true,
  },
};

/** The texts of an action for a party; null for one that the party does not have. */
export function actionText(belong: Belong, action: ConfirmedAction): ActionText | null {
  return (belong === BUYS ? buyer : seller)[action] ?? null;
}

/** Sends an action to the endpoint that the specification has for it. Throws ApiFailure. */
export async function sendAction(
  item: BargainItem,
  action: ConfirmedAction,
  price: string,
  options: SendOptions,
): Promise<unknown> {
  const { bargainId } = item;
  if (action === 'counter') return await call(sellerCounterofferPrice, { bargainId, price }, options);
  if (item.belong === SELLS)
    return await call(sellerAgreedBargain, { bargainId, act: action === 'agree' ? 'agree' : 'refuse' }, options);
  return await call(buyCounterofferPriceHandle, { bargainId, act: action }, options);
}
