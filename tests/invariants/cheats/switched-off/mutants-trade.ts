/** Rules of the hand-over, of staff's hands on orders, of accounts and listings: each with what takes it away. */
import type { Mutant } from './mutant.ts';

const access = 'subjects/orders/server/handover/access.ts';
const gate = 'subjects/orders/server/handover/steps-gate.ts';
const staffOrders = 'subjects/back-office/server/trade/orders.ts';
const opensAnyTime = {
  file: access,
  search: "if (o.status === OrderStatus.Shipped) return o.unchecked ? 'checkedAgain' : 'shipped';",
  replace: "if (o.status !== OrderStatus.Unpaid) return 'shipped';",
};

export const tradeMutants: readonly Mutant[] = [
  {
    name: 'open-early',
    rule: 'the buyer opens credentials after the login check and after shipping only',
    theme: 'cancel',
    changes: [opensAnyTime],
  },
  {
    name: 'cancel-after-opening',
    rule: 'after the buyer opened credentials a cancel needs the seller or a ruling (with the rule before off)',
    theme: 'cancel',
    changes: [
      opensAnyTime,
      {
        file: 'subjects/orders/server/rules.ts',
        search: '((o.touched || o.binding) && !o.overdue) || o.buyerOpened || o.delivered',
        replace: '((o.touched || o.binding) && !o.overdue) || o.delivered',
      },
      {
        sql: 'order_step',
        search: 'and buyer_opened_at is null and delivered_at is null',
        replace: 'and delivered_at is null',
      },
    ],
  },
  {
    name: 'release-over-open-steps',
    rule: 'no money leaves escrow while a required step of the seller or of staff is open',
    theme: 'trade',
    changes: [
      {
        file: gate,
        search: "name === 'confirm' ? withoutReceipt(open) : name === 'ship' ? open : blockingRelease(open);",
        replace: "name === 'confirm' ? withoutReceipt(open) : name === 'ship' ? open : [];",
      },
      {
        sql: 'order_steps_done',
        search: 'else order_step_blocks(h.order_id, h.step, h.actor, h.exchange) end',
        replace: 'else false end',
      },
    ],
  },
  {
    name: 'ship-before-check',
    rule: 'shipping needs every step before it, the login check of staff among them',
    theme: 'trade',
    changes: [
      {
        file: gate,
        search: "if (first)\n    throw new AppError('ORDER_HANDOVER_OPEN'",
        replace: "if (first && name !== 'ship')\n    throw new AppError('ORDER_HANDOVER_OPEN'",
      },
      {
        sql: 'order_steps_done',
        search: 'case when p_to = 2 then h.before_ship',
        replace: 'case when p_to = 2 then false',
      },
      { ...opensAnyTime, replace: "if (o.status === OrderStatus.Shipped) return 'shipped';" },
    ],
  },
  {
    name: 'seen-goods-on-sale',
    rule: 'goods whose credentials were opened come back off sale',
    theme: 'dispute',
    changes: [{ sql: 'order_step', search: 'and o.credential_opened_at is not null then', replace: 'and false then' }],
  },
  {
    name: 'seen-goods-pushed',
    rule: 'they go on sale again once the seller says that the password was changed',
    theme: 'resale',
    changes: [
      {
        file: 'subjects/goods/server/selling/edit.ts',
        search: 'if (needsConfirmation && !passwordChanged)',
        replace: 'if (needsConfirmation && false)',
      },
    ],
  },
  {
    name: 'late-for-ever',
    rule: 'a paid order has a clock that ends it where nobody acts',
    theme: 'trade',
    changes: [
      {
        file: 'subjects/orders/server/handover/late.ts',
        search: 'if (!clock.isLate) await schedule(',
        replace: 'if (clock) return null;\n  if (!clock.isLate) await schedule(',
      },
    ],
  },
  {
    name: 'close-after-shipping',
    rule: 'staff close what may be handed over by two persons, whatever the sum',
    theme: 'staff',
    changes: [
      {
        file: staffOrders,
        search: "(action === 'staffClose' && mayBeDelivered(order))",
        replace: 'false',
      },
    ],
  },
  {
    name: 'close-large-alone',
    rule: 'two persons where more than the limit goes back to the buyer',
    theme: 'staff',
    changes: [
      { file: staffOrders, search: 'order.totalFen : sellerNetFen(order)', replace: '1 : sellerNetFen(order)' },
    ],
  },
  {
    name: 'ship-large-alone',
    rule: 'two persons where more than the limit goes to the seller',
    theme: 'staff',
    changes: [{ file: staffOrders, search: 'order.totalFen : sellerNetFen(order)', replace: 'order.totalFen : 1' }],
  },
  {
    name: 'rule-large-alone',
    rule: 'two persons where a ruling leaves more than the limit with the seller',
    theme: 'staff',
    changes: [
      {
        file: 'subjects/back-office/server/trade/disputes.ts',
        search: 'Math.max(buyerFen + deposits.buyerFen, sellerFen + deposits.boosterFen)',
        replace: 'buyerFen + deposits.buyerFen',
      },
    ],
  },
  {
    name: 'appeal-to-oneself',
    rule: 'who ruled does not rule on the appeal (in the application and in the database)',
    theme: 'staff',
    changes: [
      {
        file: 'subjects/disputes/server/ruling.ts',
        search: "return d.staffId === staffId ? 'DISPUTE_OTHER_PERSON' : null;",
        replace: 'return null;',
      },
      {
        file: 'subjects/disputes/server/ruling.ts',
        search: "if (d.staffId === staff.id) throw new AppError('DISPUTE_OTHER_PERSON');",
        replace: '',
      },
      { sql: 'dispute_ruling_person', search: 'and r.staff_id = new.staff_id', replace: 'and false' },
    ],
    drops: ['dispute dispute_check2'],
  },
  {
    name: 'not-assigned',
    rule: 'staff act on orders assigned to them',
    theme: 'staff',
    changes: [{ file: staffOrders, search: 'if (order.staffId !== call.staff.id)', replace: 'if (false)' }],
  },
  {
    name: 'open-large-alone',
    rule: 'above the limit staff open credentials with a second person’s word',
    theme: 'staff',
    changes: [
      {
        file: 'subjects/back-office/server/trade/credentials.ts',
        search: 'const needsSecond = order.totalFen > secondPersonFen(call);',
        replace: 'const needsSecond = false;',
      },
    ],
  },
  {
    name: 'account-barred',
    rule: 'an account under a claim can be neither published nor ordered',
    theme: 'claims',
    changes: [{ sql: 'account_barred', search: 'select exists (select', replace: 'select false and exists (select' }],
  },
  {
    name: 'claim-leaves-listings',
    rule: 'a claim takes the account’s listings off sale',
    theme: 'claims',
    changes: [
      {
        file: 'subjects/goods/server/selling/barred.ts',
        search: 'if (!OFFERED.some((status) => status === goods.status)) continue;',
        replace: 'if (goods.id > 0) continue;',
      },
    ],
  },
  {
    name: 'account-sold-twice',
    rule: 'an account stands in one listing or private deal at a time',
    theme: 'deals',
    changes: [
      {
        sql: 'account_once',
        search:
          "(1, 2, 3, 4, 7)) then\n    raise exception 'the account is in another listing or deal' using errcode = 'YS215';",
        replace: '(1, 2, 3, 4, 7)) then\n    null;',
      },
    ],
  },
  {
    name: 'friends-make-sellers',
    rule: 'the limits of new sellers count sales to people who are not linked',
    theme: 'resale',
    changes: [
      {
        sql: 'unrelated_sales',
        search: 'where cardinality(user_links(b.buyer_id, p_user)) > 0',
        replace: 'where false',
      },
    ],
  },
];
