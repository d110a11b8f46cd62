/** Recipes of docs/HOWTO.md without pages: an error code, a setting, a table, a subject, a type of goods. */

const SALES = 'subjects/time-sale/server/service.ts';

/** The first number of the group of a goods error that no code has. */
function freeCode(codes) {
  const used = new Set([...codes.matchAll(/\[(\d+), \d{3},/g)].map(([, number]) => Number(number)));
  for (let number = 2010; ; number += 1) if (!used.has(number)) return number;
}

export const errorCode = {
  name: 'error-code',
  title: 'An error code',
  tests: ['tests/unit/contract/openapi.test.ts', 'server/kernel'],
  async apply(edit, run) {
    const codes = 'contract/codes.ts';
    const number = freeCode(edit.read(codes));
    edit.after(codes, '  GOODS_STOCK: [', `  SALE_TOO_SHORT: [${number}, 422, '限时价至少持续两小时，请改长一些'],`);
    const check = "  if (input.hours < 2) throw new AppError('SALE_TOO_SHORT', { field: 'hours' });";
    edit.after(SALES, "if (closed !== null) throw new AppError('GOODS_STATE'", check, 'where the rule is checked');
    edit.after(
      'subjects/time-sale/db/time_sale_follows_order.sql',
      'begin',
      "  if new.id is null then raise exception using errcode = 'YS299'; end if;",
      "in the subject's `db`",
    );
    edit.after('server/kernel/errors.ts', "  YS217: 'SITE_SUSPENDED',", "  YS299: 'SALE_TOO_SHORT',");
    await run(['scripts/generate/db-function.ts', edit.migration('sale_too_short')]);
  },
};

export const setting = {
  name: 'setting',
  title: 'A setting of the platform',
  tests: ['subjects/settings/rules'],
  apply(edit) {
    const values = 'subjects/settings/contract/setting-values.ts';
    edit.replace(values, 'answerHours: z.int(),', 'answerHours: z.int(), remindHours: z.int(),');
    edit.after(
      'subjects/settings/rules/setting-groups.ts',
      "    { path: 'answerHours', label: '对方接受的时限'",
      "    { path: 'remindHours', label: '到期前提醒', type: 'hours', min: 1, max: 24, hint: '对方还没有接受时' },",
    );
    edit.migration(
      'remind_hours',
      "update setting set value = jsonb_set(value, '{remindHours}', '12') where key = 'middleman';\n",
    );
    edit.after(
      'subjects/middleman/server/service.ts',
      'const settingOf = (ctx: Context)',
      "\nexport const remindHoursOf = (ctx: Context): number => ctx.dir.setting('middleman').remindHours;",
      "`ctx.dir.setting('key')`",
    );
  },
};

export const table = {
  name: 'table',
  title: 'A table',
  tests: [],
  apply(edit) {
    edit.migration(
      'time_sale_note',
      `create table time_sale_note (
  id bigint generated always as identity primary key,
  sale_id bigint not null references time_sale (id),
  note text not null,
  created_at timestamptz not null default now()
);
create index time_sale_note_sale on time_sale_note (sale_id);
grant select, insert, update, delete on time_sale_note to youshi_app;
`,
    );
    edit.after(
      'subjects/table-owners.ts',
      "  time_sale: ['time-sale',",
      "  time_sale_note: ['time-sale', 'Notes about sales'],",
    );
    const statement =
      '  await sql`insert into time_sale_note (sale_id, note) values (${sale.id}, ${`order ${orderId}`})`.execute(trx);';
    edit.after(SALES, 'async function take(trx: Trx,', statement, 'the one subject that writes it');
  },
};

const GREETINGS = 'subjects/greetings';

export const subject = {
  name: 'subject',
  title: 'A subject',
  tests: ['tests/unit/contract/calls.test.ts', 'tests/unit/contract/openapi.test.ts'],
  tables: true,
  apply(edit) {
    const folder = 'The folder under `subjects`';
    edit.create(
      `${GREETINGS}/contract/greetings.ts`,
      `import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';

/** The greeting of the site. */
export const siteGreeting = endpoint({
  method: 'GET',
  path: '/api/greetings/site',
  auth: 'public',
  summary: '站点的问候',
  input: z.object({}),
  data: z.object({ title: z.string() }),
  limit: 'read',
});
`,
      folder,
    );
    edit.create(
      `${GREETINGS}/server/service.ts`,
      `import type { siteGreeting } from '#subjects/greetings/contract/greetings.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { Call } from '#server/access/call.ts';

/** The number of the site that was called. */
export async function loadGreeting(call: Call): Promise<HandlerResult<typeof siteGreeting>> {
  return await Promise.resolve({ title: String(call.dist.id) });
}
`,
      folder,
    );
    edit.create(
      `${GREETINGS}/server/routes.ts`,
      `import { siteGreeting } from '#subjects/greetings/contract/greetings.ts';
import type { Binding } from '#server/binding.ts';
import { loadGreeting } from './service.ts';

/** Greetings of sites. */
export function bindGreetings({ server }: Binding): void {
  server.serve(siteGreeting, loadGreeting);
}
`,
      folder,
    );
    edit.after('subjects/order.ts', "  'time-sale',", "  'greetings',");
    const contract = "import * as greetings from '#subjects/greetings/contract/greetings.ts';";
    edit.after('contract/registry.ts', 'import * as timeSale from', contract);
    edit.after('contract/registry.ts', "  group('time-sale', ", "  group('greetings', '问候', greetings),");
    const routes = "import { bindGreetings } from '#subjects/greetings/server/routes.ts';";
    edit.after('server/subjects.ts', 'import { bindTimeSale } from', routes);
    edit.after('server/subjects.ts', '  bindTimeSale,', '  bindGreetings,');
  },
};

export const goodsType = {
  name: 'goods-type',
  title: 'A type of goods',
  tests: [
    'subjects/orders/rules',
    'subjects/settings/rules',
    'subjects/disputes/rules',
    'db/catalogue',
    'contract/rules',
  ],
  apply(edit) {
    const types = 'subjects/orders/rules/order-types.ts';
    edit.after(types, '  Items: 27,', '  Skins: 28,');
    edit.after(types, "  27: '道具',", "  28: '皮肤',");
    edit.after(types, "  27: '道具交付',", "  28: '皮肤交付',");
    edit.replace('contract/rules/catalogue.ts', '[1, 2, 8, 22, 27, 50', '[1, 2, 8, 22, 27, 28, 50');
    edit.after('contract/rules/catalogue.test.ts', "    '道具',", "    '皮肤',");
    edit.migration(
      'skins',
      `update setting set value = jsonb_set(jsonb_set(value, '{shipSeconds,28}', '7200'), '{confirmSeconds,28}', '86400')
where key = 'order';
`,
    );
    edit.replace('subjects/disputes/rules/dispute-reasons.ts', '[1, 2, 8, 22, 27, 50', '[1, 2, 8, 22, 27, 28, 50');
    edit.after('subjects/orders/rules/order-text.ts', "  [OrderType.Items]: '道具',", "  [OrderType.Skins]: '皮肤',");
    edit.after('subjects/disputes/server/rules.ts', "  [OrderType.Items]: 'seller',", "  [OrderType.Skins]: 'seller',");
    edit.after('web/ui/tag.tsx', "  27: 'item',", "  28: 'item',");
    edit.after('db/catalogue/types.ts', "  27: '道具',", "  28: '皮肤',");
    edit.after('db/catalogue/aliases.ts', "  '27': 27,", "  皮肤: 28,\n  '28': 28,");
    edit.replace(
      'db/catalogue/handover.ts',
      '{ goodsTypes: [27], steps: item }',
      '{ goodsTypes: [27, 28], steps: item }',
    );
    edit.replace(
      'db/catalogue/common-fields.ts',
      'const on: GoodsTypeId[] = [27];',
      'const on: GoodsTypeId[] = [27, 28];',
    );
    edit.replace(
      'db/catalogue/games/yqlzy.ts',
      'types: [1, 50, 27],',
      'types: [1, 50, 27, 28],',
      'The games that offer it (`db/catalogue',
    );
  },
};
