import type { Data } from '#contract/endpoint.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { UNREAD_MAX } from '#contract/rules/limits.ts';
import type { nextSteps } from '#subjects/notices/contract/todo.ts';
import { durationText } from '#web/lib/format/format.ts';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';

type Step = Data<typeof nextSteps>['steps'][number];

/** Something to do next, as the start page shows it. */
export interface NextItem {
  key: string;
  title: string;
  text: string;
  to: string;
  action: string;
  /** Its deadline (ISO); null without one. */
  due: string | null;
  /** The deadline has passed. */
  isLate: boolean;
  /** Something missing in the account rather than something that others wait for. */
  isSetup: boolean;
  isDone?: boolean;
}

const IDENTITY = '/center/myself/identityAuthentication';
const PAY_PASSWORD = '/center/myself/changePayPassword';

const number = (count: number) => (count > UNREAD_MAX ? `${UNREAD_MAX}+` : String(count));

function otherItem({ kind, count, since }: Step, now: Date): Omit<NextItem, 'key' | 'due' | 'isLate' | 'isSetup'> {
  const n = number(count);
  switch (kind) {
    case 'questions': {
      const minutes = since === null ? 0 : Math.max(1, Math.floor((now.getTime() - Date.parse(since)) / 60_000));
      return {
        title: `回复 ${n} 个提问`,
        text: `最早的等了 ${durationText(minutes)}`,
        to: '/center/questions',
        action: '去回复',
      };
    }
    case 'bargainsReceived':
      return {
        title: `答复 ${n} 个议价`,
        text: '到期未答复自动失效',
        to: '/center/sellBargainGoods',
        action: '去答复',
      };
    case 'bargainsMade':
      return {
        title: `${n} 个议价等您决定`,
        text: '卖家已答复，到期失效',
        to: '/center/buyBargainGoods',
        action: '去看看',
      };
    case 'inspections':
      return {
        title: `${n} 件商品的验号快到期`,
        text: '到期后不再显示“已验号”',
        to: '/center/inspections',
        action: '去复验',
      };
    case 'identity':
      return { title: '实名认证', text: '下单、议价、求购、提现时要用', to: IDENTITY, action: '去实名' };
    case 'payPassword':
      return { title: '支付密码', text: '第一次付款时再设，已填的内容不会丢', to: PAY_PASSWORD, action: '去设置' };
    default:
      return {
        title: `领取 ${n} 张优惠券`,
        text: '下单时自动选最省的一张，可取消',
        to: '/lotterydraw/myCoupon',
        action: '去领取',
      };
  }
}

const SETUP: ReadonlySet<string> = new Set(['identity', 'payPassword', 'coupons']);

function itemOf(step: Step, now: Date): NextItem {
  const { kind, due, order } = step;
  const isLate = due !== null && Date.parse(due) < now.getTime();
  if (order)
    return {
      key: order.orderSn,
      title: order.title,
      text: order.goods,
      to: orderPath(order.orderSn),
      action: order.status === OrderStatus.Unpaid ? '去付款' : '去操作',
      due,
      isLate,
      isSetup: false,
    };
  return { ...otherItem(step, now), key: kind, due, isLate, isSetup: SETUP.has(kind) };
}

/** Number of items shown after the first. */
const OTHERS = 3;

/** The card 接下来: the most urgent item with its button, and the following ones. */
export interface NextCardData {
  first: NextItem | null;
  /** The following items; for a new account all of its steps, including completed ones. */
  others: NextItem[];
}

/** The titles of identity and pay password as the first item: what they make possible. */
const LEADS: Readonly<Record<string, Pick<NextItem, 'title' | 'text'>>> = {
  identity: { title: '完成实名，就能下单和议价', text: '约 1 分钟，姓名和证件号加密保存，只用于核验。' },
  payPassword: { title: '设置支付密码，用余额付款更快', text: '6 位数字，付款和提现时使用；也可以第一次付款时再设。' },
};

interface Account {
  phoneMask: string;
  isPayPassWord: boolean;
}

/** The steps of a new account in order, with the phone as the first completed one. */
function setupSteps(items: readonly NextItem[], account: Account): NextItem[] {
  const phone: NextItem = {
    key: 'phone',
    title: '绑定手机',
    text: `尾号 ${account.phoneMask.slice(-4)}`,
    to: '/center/myself/changePhone',
    action: '更换',
    due: null,
    isLate: false,
    isSetup: true,
    isDone: true,
  };
  return [phone, ...items.filter(({ key }) => key === 'identity' || key === 'payPassword')];
}

/** Turns the server's steps into the card's texts and addresses. `now`: the server's time. */
export function nextCard(steps: readonly Step[], account: Account, now: Date): NextCardData {
  const items = steps.map((step) => itemOf(step, now));
  const [first = null, ...rest] = items;
  if (first === null) return { first, others: [] };
  const lead = LEADS[first.key];
  if (lead)
    return {
      first: { ...first, ...lead },
      others: [...setupSteps(items, account), ...rest.filter(({ key }) => key === 'coupons')],
    };
  return { first, others: rest.slice(0, OTHERS) };
}
