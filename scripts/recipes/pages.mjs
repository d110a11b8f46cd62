/** Recipes of docs/HOWTO.md for pages: one of the storefront, and a list of the back office. */

export const storefrontPage = {
  name: 'storefront-page',
  title: 'A page of the storefront',
  tests: [],
  tables: true,
  apply(edit) {
    edit.after(
      'web/lib/pages/url-map.ts',
      "  page('/black/blackList', ",
      "  page('/black/counts', '黑号统计', 'public', 'black', 'black', 'verification/web/black-counts.tsx'),",
    );
    edit.create(
      'subjects/verification/web/black-counts.tsx',
      `import { type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { blackList } from '#subjects/verification/contract/verification.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: '黑号统计', description: '已核实公示的黑号有多少条' });

export async function loader(args: LoaderFunctionArgs) {
  return await market(args).call(blackList, {});
}

/** How many entries are listed. */
export default function BlackCountsPage() {
  const { total, totalCapped } = useLoaderData<typeof loader>();
  return (
    <section className="panel mt-4" aria-labelledby="black-counts">
      <div className="panel-head">
        <h1 id="black-counts" className="text-16 font-semibold">
          黑号统计
        </h1>
        <p>{countText(total, totalCapped)} 条</p>
      </div>
    </section>
  );
}
`,
      'The page in the folder `web` of its subject',
    );
  },
};

const CONTRACT = 'subjects/time-sale/contract';

const DECLARATION = `import { z } from 'zod';
import { declareList, period } from '#contract/lists/kit.ts';
import { money, time } from '#contract/wire.ts';

const sale = z.object({
  saleId: z.number().int(),
  goodsSn: z.string(),
  title: z.string(),
  price: money,
  leftNum: z.number().int(),
  startTime: time,
});
export type StaffTimeSale = z.output<typeof sale>;

/** Limited-time prices. */
export const timeSaleList = declareList({
  name: 'timeSales',
  title: '限时价',
  unit: '个',
  item: sale,
  idOf: ({ saleId }) => String(saleId),
  filters: { startTime: period('开始时间') },
  sorts: ['startTime'],
  initialSort: '-startTime',
  columns: [
    { key: 'goodsSn', name: '商品', group: '商品', kind: 'text' },
    { key: 'title', name: '标题', group: '商品', kind: 'text' },
    { key: 'price', name: '限时价', group: '限时价', kind: 'money' },
    { key: 'leftNum', name: '剩余', group: '限时价', kind: 'number' },
    { key: 'startTime', name: '开始', group: '限时价', kind: 'time', sort: 'startTime' },
  ],
});
`;

const CALLS = `import { staffRead } from '#contract/endpoint.ts';
import { timeSaleList } from './list-time-sales.ts';

/** Limited-time prices by their filters, newest first. */
export const staffTimeSales = staffRead('/api/backstage/timeSales', '限时价列表', {
  input: timeSaleList.input,
  data: timeSaleList.data,
  limit: 'search',
});
`;

const STATEMENT = `import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { StaffRead } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import type { staffTimeSales } from '#subjects/time-sale/contract/staff-time-sales.ts';
import { type Batch, during, pageBy, loadTotals } from '#server/staff/list-kit.ts';

interface Row {
  id: number;
  sort_key: string;
  sn: string;
  title: string;
  price_fen: number;
  left_num: number;
  starts_at: Date;
}

const SORTS = { startTime: { by: sql\`s.starts_at\`, kind: 'time' } } as const;

/** Limited-time prices of all sellers. Throws FORBIDDEN. */
export async function listTimeSales(
  call: StaffRead,
  input: Parsed<typeof staffTimeSales>,
  batch?: Batch,
): Promise<HandlerResult<typeof staffTimeSales>> {
  requirePlatform(call.staff, 'goods.read');
  const { db } = call.ctx;
  const parts = [sql\`true\`];
  if (input.startTime !== undefined) parts.push(sql\`\${during(sql\`s.starts_at\`, input.startTime)}\`);
  if (input.newerThan !== undefined) parts.push(sql\`s.starts_at > \${input.newerThan}\`);
  const filter = sql.join(parts, sql\` and \`);
  const page = pageBy(input, SORTS, sql\`s.id\`, batch);
  const { rows } = await sql<Row>\`
    select s.id, \${page.key} as sort_key, g.sn, g.title, s.price_fen, s.left_num, s.starts_at
    from time_sale s join goods g on g.id = s.goods_id where \${filter} \${page.behind} \${page.tail}\`.execute(db);
  const result = page.cut(rows);
  return {
    list: result.rows.map((s) => ({
      saleId: s.id,
      goodsSn: s.sn,
      title: s.title,
      price: s.price_fen,
      leftNum: s.left_num,
      startTime: s.starts_at,
    })),
    ...(await loadTotals(db, sql\`time_sale s where \${filter}\`, { batch })),
    next: result.next,
    now: new Date(),
  };
}
`;

const PAGE = `import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { loadList, rowsOf } from '#subjects/back-office/staff/list/list-loader.ts';
import { ListPage } from '#subjects/back-office/staff/list/list-page.tsx';
import { timeSaleList } from '#subjects/time-sale/contract/list-time-sales.ts';
import { staffTimeSales } from '#subjects/time-sale/contract/staff-time-sales.ts';
import { pageMeta } from '#web/lib/pages/site.ts';

export { shouldRevalidate } from '#subjects/back-office/staff/list/list-loader.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '限时价', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await loadList(args, timeSaleList, staffTimeSales);
}

const read = rowsOf(staffTimeSales);

/** Limited-time prices of all sellers. */
export default function TimeSalesPage() {
  const data = useLoaderData<typeof loader>();
  return (
    <ListPage
      list={timeSaleList}
      data={data}
      load={read}
      builtIn={[{ name: '今天', query: 'startTime=today' }]}
      views={{}}
      card={(sale) => <b className="font-medium">{sale.title}</b>}
      empty="卖家设置的限时价会在这里列出。"
    />
  );
}
`;

export const staffList = {
  name: 'staff-list',
  title: 'A list of staff',
  tests: ['tests/unit/contract/calls.test.ts', 'tests/unit/contract/openapi.test.ts'],
  tables: true,
  apply(edit) {
    const server = 'subjects/time-sale/server';
    edit.after('contract/lists/names.ts', "  'services',", "  'timeSales',");
    edit.create(`${CONTRACT}/list-time-sales.ts`, DECLARATION, 'a declaration `list-*.ts`');
    edit.create(`${CONTRACT}/staff-time-sales.ts`, CALLS, 'A file of calls `staff-*.ts`');
    const calls = "import * as backstageTimeSales from '#subjects/time-sale/contract/staff-time-sales.ts';";
    edit.after('contract/registry.ts', 'import * as backstageTopups from', calls);
    edit.after('contract/registry.ts', '    backstageTopups,', '    backstageTimeSales,');
    edit.create(`${server}/staff/time-sales.ts`, STATEMENT, "The statement in the subject's `server/staff`");
    edit.after('subjects/order.ts', "  recycling: ['accounts', 'staff'],", "  'time-sale': ['staff'],");
    const call = "import { staffTimeSales } from '#subjects/time-sale/contract/staff-time-sales.ts';";
    const list = "import { listTimeSales } from './staff/time-sales.ts';";
    const bound = "bound in the subject's `routes.ts`";
    edit.after(
      `${server}/routes.ts`,
      "import { buyInTime, saleInfo, saveSale } from './service.ts';",
      `${call}\n${list}`,
      bound,
    );
    const binding = '  server.serve(staffTimeSales, (call, input) => listTimeSales(call, input));';
    edit.after(`${server}/routes.ts`, '  server.serve(timeSaleInfo, saleInfo);', binding, bound);
    const exported = "export { listTimeSales } from './staff/time-sales.ts';";
    edit.after(
      `${server}/service.ts`,
      "} from '#subjects/orders/server/service.ts';",
      exported,
      'exported by its `service.ts`',
    );
    const sources = 'subjects/back-office/server/lists/sources.ts';
    const imports = `${call}
import { timeSaleList } from '#subjects/time-sale/contract/list-time-sales.ts';
import { listTimeSales } from '#subjects/time-sale/server/service.ts';`;
    edit.after(sources, "import { listServices } from '#subjects/services/server/service.ts';", imports);
    const source = '  timeSales: source(timeSaleList, staffTimeSales, listTimeSales),';
    edit.after(sources, '  settlements: source(', source);
    edit.create('subjects/time-sale/staff/time-sales.tsx', PAGE, "The page in the subject's `staff`");
    const page = "  staffPage('/backstage/timeSales', '限时价', 'time-sale/staff/time-sales.tsx'),";
    edit.after('web/lib/pages/url-map.ts', "  staffPage('/backstage/listings', ", page);
    const entry = "      ['/backstage/timeSales', 'goods.read'],";
    edit.after('web/layouts/shell/admin-menu.ts', "      ['/backstage/listings', ", entry);
    edit.after('web/layouts/shell/menu-icons.ts', "  '/backstage/listings': Tag,", "  '/backstage/timeSales': Tag,");
    const wanted = "  timeSales: 'platform:goods.read',";
    edit.after('tests/http/back-office/staff-roles.test.ts', '  counters: null,', wanted);
  },
};
