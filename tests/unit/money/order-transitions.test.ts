/** Permitted roles of each order action, and the conditions that block it (domain.md 2). */
import { describe, expect, test } from 'vitest';
import type { OrderTerms } from '#subjects/orders/server/postings.ts';
import { openActions, type Role, transition, type TransitionName, transitions } from '#subjects/orders/server/rules.ts';

const NAMES = Object.keys(transitions) as TransitionName[];
const [BUYER, SELLER] = [1, 2];

const order = (change: Partial<OrderTerms> = {}): OrderTerms =>
  ({
    id: 77,
    distId: 1,
    buyerId: BUYER,
    sellerId: SELLER,
    status: 1,
    goodsFen: 10_000,
    serviceFeeFen: 100,
    ensureFen: 0,
    fixEnsureFen: 0,
    discountFen: 0,
    totalFen: 10_100,
    commissionFen: 500,
    distShareFen: 0,
    inviteRewardFen: 0,
    inviterId: null,
    touched: false,
    overdue: false,
    buyerOpened: false,
    delivered: false,
    disputed: false,
    cancelAsked: false,
    binding: false,
    advanceFen: 0,
    isService: false,
    isRecycledAccount: false,
    ...change,
  }) as OrderTerms;

/** Why a transition is closed for each of its roles. */
const reasons = (name: TransitionName, change: Partial<OrderTerms> = {}) =>
  transition(name).roles.map((role) => transition(name).closed?.(order(change), role) ?? null);

test('each transition has its states and its roles', () => {
  const table = NAMES.map((name) => [
    name,
    transition(name).from.join(),
    transition(name).to,
    transition(name).roles.join(),
  ]);
  expect(table).toEqual([
    ['payBalance', '0', 1, 'buyer'],
    ['payChannel', '0', 1, 'payment'],
    ['expire', '0', 6, 'timer'],
    ['cancelUnpaid', '0', 7, 'buyer'],
    ['cancelPaid', '1', 7, 'buyer'],
    ['cancelAgreed', '1', 7, 'seller'],
    ['sellerCancel', '1,2', 8, 'seller'],
    ['lateEnd', '1', 8, 'timer'],
    ['staffClose', '1,2', 9, 'staff'],
    ['ship', '1', 2, 'seller,staff,service,timer'],
    ['confirm', '2', 3, 'buyer'],
    ['autoConfirm', '2', 3, 'timer'],
    ['notAccepted', '1', 9, 'service,timer'],
    ['splitRefund', '1,2', 9, 'service'],
    ['splitPart', '1,2', 9, 'service'],
    ['ruleRefund', '1,2', 9, 'timer'],
    ['rulePart', '1,2', 9, 'timer'],
    ['ruleComplete', '2', 3, 'timer'],
    ['recycleSettle', '2', 3, 'timer'],
    ['recycleReturn', '1', 9, 'timer'],
  ]);
});

test('a dispute stops all but the payment and the ruling, inside the UPDATE as well', () => {
  const free = ['payBalance', 'payChannel', 'expire', 'cancelUnpaid', 'ruleRefund', 'rulePart', 'ruleComplete'];
  const change = { disputed: true, cancelAsked: true };
  for (const name of NAMES) {
    const isFree = free.includes(name);
    expect([name, reasons(name, change).every((reason) => reason !== null)]).toEqual([name, !isFree]);
    const guards = transition(name).roles.map((role) => transition(name).only?.(role).undisputed);
    expect([name, guards]).toEqual([name, guards.map(() => (isFree ? undefined : true))]);
  }
  expect(reasons('staffClose', change)).toEqual(['ORDER_DISPUTED']);
  expect(reasons('recycleReturn', change)).toEqual(['ORDER_DISPUTED']);
  expect(reasons('confirm', change)).toEqual(['ORDER_STATE']);
});

test('the UPDATE checks further conditions again', () => {
  const only = (name: TransitionName, role: Role) => transition(name).only?.(role);
  expect(only('cancelPaid', 'buyer')).toEqual({ untouched: true, undisputed: true });
  expect(only('notAccepted', 'timer')).toEqual({ untouched: true, undisputed: true });
  expect(only('lateEnd', 'timer')).toEqual({ undisputed: true, late: true });
  expect(only('autoConfirm', 'timer')).toEqual({ undisputed: true, due: true });
});

describe('the buyer', () => {
  const NEEDS_SELLER = ['ORDER_CANCEL_NEEDS_SELLER'];

  test('cancels a paid order alone until the seller has begun, or when it is late', () => {
    expect(reasons('cancelPaid')).toEqual([null]);
    expect(reasons('cancelPaid', { touched: true })).toEqual(NEEDS_SELLER);
    expect(reasons('cancelPaid', { binding: true })).toEqual(NEEDS_SELLER);
    expect(reasons('cancelPaid', { touched: true, overdue: true })).toEqual([null]);
    expect(reasons('cancelPaid', { binding: true, overdue: true })).toEqual([null]);
  });

  test('does not cancel alone once something was handed over, however late', () => {
    for (const overdue of [false, true])
      for (const handed of [{ buyerOpened: true }, { delivered: true }])
        expect(reasons('cancelPaid', { overdue, ...handed })).toEqual(NEEDS_SELLER);
  });

  test('cancels a service that began by the actions of the service', () => {
    expect(reasons('cancelPaid', { isService: true })).toEqual([null]);
    expect(reasons('cancelPaid', { isService: true, touched: true })).toEqual(['ORDER_SERVICE_ACT']);
  });
});

describe('the seller', () => {
  test('agrees to a cancellation that was requested', () => {
    expect(reasons('cancelAgreed')).toEqual(['ORDER_STATE']);
    expect(reasons('cancelAgreed', { cancelAsked: true })).toEqual([null]);
    expect(reasons('cancelAgreed', { cancelAsked: true, isService: true })).toEqual(['ORDER_SERVICE_ACT']);
  });

  test('cancels goods, not services', () => {
    expect(reasons('sellerCancel')).toEqual([null]);
    expect(reasons('sellerCancel', { isService: true })).toEqual(['ORDER_SERVICE_ACT']);
  });

  test('ships goods; services and recycled accounts have others who do', () => {
    const none = [null, null, null, null];
    expect(reasons('ship')).toEqual(none);
    const act = 'ORDER_SERVICE_ACT';
    expect(reasons('ship', { isService: true })).toEqual([act, act, null, act]);
    expect(reasons('ship', { isRecycledAccount: true })).toEqual(['ORDER_RECYCLED', null, null, null]);
  });
});

test('a late order ends by itself unless it has a separate process', () => {
  expect(reasons('lateEnd')).toEqual([null]);
  expect(reasons('lateEnd', { isService: true })).toEqual(['ORDER_SERVICE_ACT']);
  expect(reasons('lateEnd', { isRecycledAccount: true })).toEqual(['ORDER_RECYCLED']);
});

test('an order of which a part was paid is not refunded in full', () => {
  expect([0, 1].map((advanceFen) => reasons('staffClose', { advanceFen })[0])).toEqual([null, 'ORDER_SERVICE_ACT']);
  expect([0, 1].map((advanceFen) => reasons('splitRefund', { advanceFen })[0])).toEqual([null, 'ORDER_STATE']);
});

test('money moves where an order is paid, completed or refunded, and nowhere else', () => {
  const codes = (name: TransitionName) => [
    ...new Set(
      transition(name)
        .postings(order({ discountFen: 10 }))
        .map(({ code }) => code),
    ),
  ];
  const by = Map.groupBy(NAMES, (name) => codes(name).join());
  expect(Object.fromEntries(by)).toEqual({
    'order_pay,order_coupon': ['payBalance'],
    order_coupon: ['payChannel'],
    '': ['expire', 'cancelUnpaid', 'ship', 'splitPart', 'rulePart'],
    'order_refund,order_refund_coupon': [
      'cancelPaid',
      'cancelAgreed',
      'sellerCancel',
      'lateEnd',
      'staffClose',
      'notAccepted',
      'splitRefund',
      'ruleRefund',
      'recycleReturn',
    ],
    'sale_proceeds,sale_commission,service_fee': ['confirm', 'autoConfirm', 'ruleComplete', 'recycleSettle'],
  });
});

test('each transition has its effects on the listing, the coupon, the protection and the clocks', () => {
  const named = (has: (name: TransitionName) => boolean) => NAMES.filter(has);
  const completed = ['confirm', 'autoConfirm', 'ruleComplete', 'recycleSettle'];
  expect(named((name) => transition(name).goods === 'sold')).toEqual([
    'confirm',
    'autoConfirm',
    'rulePart',
    'ruleComplete',
    'recycleSettle',
  ]);
  expect(named((name) => transition(name).goods === undefined)).toEqual(['payBalance', 'payChannel', 'ship']);
  expect(named((name) => transition(name).goods === 'free' && transition(name).coupon === undefined)).toEqual([
    'splitPart',
  ]);
  expect(named((name) => transition(name).hold === true)).toEqual([
    'confirm',
    'autoConfirm',
    'splitPart',
    'rulePart',
    'ruleComplete',
    'recycleSettle',
  ]);
  expect(named((name) => transition(name).stamp === 'completed')).toEqual(completed);
  expect(
    named((name) => transition(name).timers.set.length > 0).map((name) => [name, transition(name).timers.set[0]]),
  ).toEqual([
    ['ship', 'order.autoConfirm'],
    ['confirm', 'hold.release'],
    ['autoConfirm', 'hold.release'],
    ['splitPart', 'hold.release'],
    ['rulePart', 'hold.release'],
    ['ruleComplete', 'hold.release'],
  ]);
  for (const name of NAMES) {
    const { clear } = transition(name).timers;
    const from = transition(name).from.includes(0)
      ? ['order.expire']
      : ['order.expire', 'order.autoConfirm', 'order.late'];
    expect([name, clear]).toEqual([name, name === 'ship' ? ['order.late'] : from]);
  }
  expect(named((name) => transition(name).events.includes('order.sellerCancelled'))).toEqual(['sellerCancel']);
});

test('buttons are those of the role and the state', () => {
  const names = (change: Partial<OrderTerms>, role: 'buyer' | 'seller' | 'staff') =>
    openActions(order(change), role).map(({ name }) => name);
  expect(names({ status: 0 }, 'buyer')).toEqual(['payBalance', 'cancelUnpaid']);
  expect(names({}, 'buyer')).toEqual(['cancelPaid']);
  expect(names({}, 'seller')).toEqual(['sellerCancel', 'ship']);
  expect(names({ cancelAsked: true }, 'seller')).toEqual(['cancelAgreed', 'sellerCancel', 'ship']);
  expect(names({ isRecycledAccount: true }, 'seller')).toEqual(['sellerCancel']);
  expect(names({}, 'staff')).toEqual(['staffClose', 'ship']);
  expect(names({ status: 2 }, 'buyer')).toEqual(['confirm']);
  expect(names({ status: 3 }, 'buyer')).toEqual([]);
  const [cancel] = openActions(order({ delivered: true }), 'buyer');
  expect([cancel?.name, cancel?.reason]).toEqual(['cancelPaid', 'ORDER_CANCEL_NEEDS_SELLER']);
});

test('the record names who shipped, or that an inspection did', () => {
  const explain = (role: Role, o?: OrderTerms) => transition('ship').explain(role, o);
  expect(explain('seller', order())).toBe('卖家已发货，请买家验收');
  expect(explain('staff')).toBe('平台客服已发货，请买家验收');
  expect(explain('service', order())).toBe('服务已完成，请买家验收');
  expect(explain('timer', order())).toBe('发货前的步骤都已完成，订单已发货');
  expect(explain('staff', order({ isRecycledAccount: true }))).toBe('验号通过，等待接管账号');
});
