import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { gameList } from '#subjects/games/contract/games.ts';
import {
  listingImportDetail,
  listingImportList,
  listingImportRows,
  rowStates,
} from '#subjects/listing-import/contract/listing-import.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { ImportHistory } from './history.tsx';
import { MapColumns } from './map-columns.tsx';
import { ImportRows } from './rows.tsx';
import { StartImport } from './start.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '表格导入', noindex: true });
}

function stateOf(requested: string | null, counts: Readonly<Record<string, number>>) {
  const known = rowStates.find((one) => one === requested);
  if (known) return known;
  return (['refused', 'ready', 'done', 'existing'] as const).find((one) => (counts[one] ?? 0) > 0) ?? 'refused';
}

/** A file with its columns or its rows; without one, the start form and the earlier files. */
export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const params = args.url.searchParams;
  const importId = params.get('id');
  if (importId !== null && /^\d{1,15}$/.test(importId)) {
    const file = await call(listingImportDetail, { importId });
    if (file.status === 'mapping' || params.has('columns')) return { step: 'columns' as const, file };
    const state = stateOf(params.get('state'), file.counts);
    const cursor = params.get('cursor') ?? undefined;
    const rows = await call(listingImportRows, { importId, state, ...(cursor !== undefined && { cursor }) });
    return { step: 'rows' as const, file, state, rows };
  }
  const [games, files] = await Promise.all([call(gameList, {}), call(listingImportList, {})]);
  return {
    step: 'start' as const,
    kind: params.get('kind') === 'stock' ? ('stock' as const) : ('publish' as const),
    files: files.list,
    games: games.list
      .map(({ id, name, goodsTypeAndNameMap }) => ({
        id,
        name,
        types: Object.entries(goodsTypeAndNameMap)
          .filter(([type]) => !isService(Number(type)))
          .map(([type, typeName]) => ({ id: Number(type), name: typeName })),
      }))
      .filter(({ types }) => types.length > 0),
  };
}

/** 表格导入: a seller publishes many listings, or changes prices and stock, by a file. */
export default function ListingImport() {
  const data = useLoaderData<typeof loader>();
  if (data.step === 'columns') return <MapColumns key={data.file.importId} file={data.file} />;
  if (data.step === 'rows') return <ImportRows file={data.file} state={data.state} rows={data.rows} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <section className="panel" aria-labelledby="import">
        <div className="panel-head">
          <h1 id="import" className="text-16 font-semibold">
            表格导入
          </h1>
          <p className="max-md:hidden">用一张表发布很多商品，或一次改好价格和库存</p>
          <ButtonLink size="sm" className="ml-auto" to="/center/goodsGrid">
            批量编辑
          </ButtonLink>
        </div>
        <StartImport key={data.kind} games={data.games} kind={data.kind} />
      </section>
      <ImportHistory files={data.files} />
    </div>
  );
}
