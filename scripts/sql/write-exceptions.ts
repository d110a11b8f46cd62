/** Who still writes a table of another slice, and why. The list may only become shorter. */

export interface WriteException {
  /** The slice, or a function of the database with `()`. */
  writer: string;
  table: string;
  /** How many statements write it; a function counts as one. */
  statements: number;
  reason: string;
}

export const WRITE_EXCEPTIONS_FILE = 'scripts/sql/write-exceptions.ts';

export const WRITE_EXCEPTIONS: readonly WriteException[] = [
  {
    writer: 'access',
    table: 'session',
    statements: 1,
    reason: 'access stands below the slices and renews what it reads',
  },
  {
    writer: 'accounts',
    table: 'outbox',
    statements: 2,
    reason: 'the fragment of the door (emitted) within the statement whose effect it follows',
  },
  {
    writer: 'back-office',
    table: 'advert',
    statements: 2,
    reason: 'entered in the back office; the owner has no call for it yet',
  },
  {
    writer: 'back-office',
    table: 'cooperation_request',
    statements: 1,
    reason: 'entered in the back office; the owner has no call for it yet',
  },
  {
    writer: 'back-office',
    table: 'coupon_campaign',
    statements: 3,
    reason: 'entered in the back office; the owner has no call for it yet',
  },
  {
    writer: 'back-office',
    table: 'event_case',
    statements: 3,
    reason: 'entered in the back office; the owner has no call for it yet',
  },
  {
    writer: 'back-office',
    table: 'news',
    statements: 3,
    reason: 'entered in the back office; the owner has no call for it yet',
  },
  {
    writer: 'back-office',
    table: 'reconcile_difference',
    statements: 1,
    reason: 'entered in the back office; the owner has no call for it yet',
  },
  {
    writer: 'chat',
    table: 'outbox',
    statements: 1,
    reason: 'the fragment of the door (emitted) within the statement whose effect it follows',
  },
  { writer: 'chat', table: 'staff', statements: 2, reason: 'the owner has no call for it yet' },
  {
    writer: 'chat',
    table: 'timer',
    statements: 1,
    reason: 'the fragment of the door (scheduled) within the statement whose effect it follows',
  },
  {
    writer: 'chat_store()',
    table: 'limit_counter',
    statements: 1,
    reason: 'one statement stores a batch within the limits of its senders',
  },
  { writer: 'debt_collect()', table: 'outbox', statements: 1, reason: 'a function writes its event beside its effect' },
  { writer: 'debt_record()', table: 'outbox', statements: 1, reason: 'a function writes its event beside its effect' },
  {
    writer: 'dispute_marks_order()',
    table: 'orders',
    statements: 1,
    reason: 'a trigger that keeps the order marked while a dispute is open',
  },
  { writer: 'erase_person()', table: 'payout_account', statements: 1, reason: 'erases a person in one statement' },
  { writer: 'erase_person()', table: 'push_subscription', statements: 1, reason: 'erases a person in one statement' },
  { writer: 'erase_person()', table: 'real_name', statements: 1, reason: 'erases a person in one statement' },
  { writer: 'erase_person()', table: 'role_card', statements: 1, reason: 'erases a person in one statement' },
  { writer: 'goods_settle()', table: 'outbox', statements: 1, reason: 'a function writes its event beside its effect' },
  { writer: 'guarantees', table: 'setting', statements: 1, reason: 'the owner has no call for it yet' },
  {
    writer: 'import',
    table: 'goods',
    statements: 1,
    reason: 'writes a thousand rows at once, which the owner does one by one',
  },
  {
    writer: 'import',
    table: 'goods_event',
    statements: 2,
    reason: 'writes a thousand rows at once, which the owner does one by one',
  },
  {
    writer: 'import',
    table: 'goods_stat',
    statements: 1,
    reason: 'writes a thousand rows at once, which the owner does one by one',
  },
  { writer: 'notices', table: 'third_party_binding', statements: 4, reason: 'the owner has no call for it yet' },
  {
    writer: 'order_place()',
    table: 'bargain',
    statements: 1,
    reason: 'one statement places an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_place()',
    table: 'coupon',
    statements: 1,
    reason: 'one statement places an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_place()',
    table: 'goods',
    statements: 1,
    reason: 'one statement places an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_place()',
    table: 'goods_search',
    statements: 1,
    reason: 'one statement places an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_place()',
    table: 'outbox',
    statements: 1,
    reason: 'one statement places an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_place()',
    table: 'timer',
    statements: 1,
    reason: 'one statement places an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_step()',
    table: 'app_user',
    statements: 1,
    reason: 'one statement moves an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_step()',
    table: 'coupon',
    statements: 1,
    reason: 'one statement moves an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_step()',
    table: 'goods',
    statements: 1,
    reason: 'one statement moves an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_step()',
    table: 'hold',
    statements: 1,
    reason: 'one statement moves an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_step()',
    table: 'hold_stage',
    statements: 1,
    reason: 'one statement moves an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_step()',
    table: 'outbox',
    statements: 1,
    reason: 'one statement moves an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'order_step()',
    table: 'timer',
    statements: 1,
    reason: 'one statement moves an order with all that belongs to it (bench: trade)',
  },
  {
    writer: 'provider_flags()',
    table: 'app_user',
    statements: 1,
    reason: 'a trigger that keeps the flags of a user equal to its roles',
  },
  {
    writer: 'quick_coin_follows_order()',
    table: 'provider',
    statements: 1,
    reason: 'a trigger that counts what a provider has sold',
  },
];
