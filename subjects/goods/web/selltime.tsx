import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { sellTimeList } from '#subjects/goods/contract/front-page.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { FilterRow } from './parts/filters/filter-row.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const gid = args.url.searchParams.get('gid');
  if (gid !== null && !/^\d{1,6}$/.test(gid)) notFound();
  const { list, few, minSamples, madeTime } = await market(args).call(sellTimeList, {});
  const sales = [...list, ...few];
  const games = [...Map.groupBy(sales, (s) => s.gameId)]
    .map(([gameId, all]) => ({ gameId, gameName: all[0]?.gameName ?? '', sold: Math.max(...all.map((s) => s.sold)) }))
    .toSorted((a, b) => b.sold - a.sold);
  const gameId = gid === null ? (games[0]?.gameId ?? null) : Number(gid);
  const types = [
    ...Map.groupBy(
      sales.filter((s) => s.gameId === gameId),
      (s) => s.goodsTypeId,
    ),
  ].map(([typeId, all]) => ({
    typeId,
    typeName: all[0]?.goodsTypeStr ?? '',
    bands: list.filter((s) => s.gameId === gameId && s.goodsTypeId === typeId),
    few: few.filter((s) => s.gameId === gameId && s.goodsTypeId === typeId),
  }));
  const gameName = games.find((g) => g.gameId === gameId)?.gameName ?? '';
  return { gameId, gameName, games, types, minSamples, madeTime };
}

type Data = Awaited<ReturnType<typeof loader>>;
type Band = Data['types'][number]['bands'][number];

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, {
    title: '售出时长',
    description: '各游戏、各价位的商品从上架到卖出要多久：近 90 天真实成交的中位数，样本不足的不猜',
  });

type Few = Data['types'][number]['few'][number];

const hasMedian = (band: Band | Few): band is Band => 'medianHours' in band;

/** Hours as text: 不到 1 小时 */
function hoursText(hours: number): string {
  if (hours < 1) return '不到 1 小时';
  if (hours < 48) return `${hours} 小时`;
  return `${Math.round((hours / 24) * 10) / 10} 天`;
}

/** The interquartile range as a bar with the median marked, on one scale for all price bands of a type. */
function Span({ band, most }: { band: Band; most: number }) {
  const at = (hours: number) => `${Math.round((hours / Math.max(1, most)) * 1000) / 10}%`;
  return (
    <span
      className="span-track"
      role="img"
      aria-label={`一半商品在 ${hoursText(band.lowHours)} 到 ${hoursText(band.highHours)} 之间卖出，中位 ${hoursText(band.medianHours)}`}
    >
      <i style={{ '--from': at(band.lowHours), '--to': at(band.highHours) }} />
      <u style={{ '--at': at(band.medianHours) }} />
    </span>
  );
}

function TypeTable({ type, minSamples }: { type: Data['types'][number]; minSamples: number }) {
  const most = Math.max(...type.bands.map((l) => l.highHours), 1);
  const bandRow = (band: Band) => (
    <tr key={band.band}>
      <td className="whitespace-nowrap">{band.priceText}</td>
      <td className="max-md:hidden">
        <Span band={band} most={most} />
      </td>
      <td className="num font-semibold">{hoursText(band.medianHours)}</td>
      <td className="num">{Math.round(band.withinDay)}%</td>
      <td className="num">{Math.round(band.withinWeek)}%</td>
      <td className="num text-ink-3">{grouped(band.sold)}</td>
    </tr>
  );
  const tooFewRow = (band: Few) => (
    <tr key={band.band} className="text-ink-3">
      <td className="whitespace-nowrap">{band.priceText}</td>
      <td className="max-md:hidden">
        <Tag>样本不足</Tag>
      </td>
      <td className="num">
        <span className="md:hidden">样本不足</span>
        <span className="max-md:hidden">—</span>
      </td>
      <td className="num">—</td>
      <td className="num">—</td>
      <td className="num">{grouped(band.sold)}</td>
    </tr>
  );
  return (
    <section className="panel mt-4" aria-labelledby={`type-${type.typeId}`}>
      <div className="panel-head">
        <h2 id={`type-${type.typeId}`}>{type.typeName}</h2>
        {type.bands.length > 0 && (
          <p className="max-md:hidden">色条为居中 50% 的商品，竖线为中位数；最右为 {hoursText(most)}</p>
        )}
      </div>
      {type.bands.length === 0 ? (
        <p className="px-4 py-6 text-13 text-ink-3">
          近 90 天只卖出 {Math.max(0, ...type.few.map((f) => f.sold))} 件，不足 {minSamples} 件，样本太少，不作统计。
        </p>
      ) : (
        <table className="table selltime">
          <thead>
            <tr>
              <th scope="col">价位</th>
              <th scope="col" className="w-full max-md:hidden">
                从上架到卖出
              </th>
              <th scope="col" className="num">
                中位
              </th>
              <th scope="col" className="num">
                1 天内
              </th>
              <th scope="col" className="num">
                7 天内
              </th>
              <th scope="col" className="num">
                样本
              </th>
            </tr>
          </thead>
          <tbody>
            {[...type.bands, ...type.few]
              .toSorted((a, b) => a.band - b.band)
              .map((band) => (hasMedian(band) ? bandRow(band) : tooFewRow(band)))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Time to sell by game, type and price; bands with too few sales show a message. */
export default function SellTime() {
  const data = useLoaderData<typeof loader>();
  const { games, gameId, gameName, types, minSamples, madeTime } = data;
  return (
    <>
      <div className="max-md:hidden">
        <Breadcrumb
          items={[{ label: '首页', to: '/' }, { label: '成交展示', to: '/dealshow' }, { label: '售出时长' }]}
        />
      </div>
      <section className="panel max-md:mt-3" aria-labelledby="selltime">
        <div className="panel-head">
          <h1 id="selltime" className="text-16 font-semibold">
            {gameName ? `${gameName}售出时长` : '售出时长'}
          </h1>
          {madeTime && (
            <p className="ml-auto">
              更新于 <TimeLabel at={madeTime} />
            </p>
          )}
        </div>
        {games.length > 0 && (
          <div className="choices">
            <FilterRow
              label="游戏"
              options={games.map((g) => ({
                key: String(g.gameId),
                label: g.gameName,
                to: `/dealshow/selltime?gid=${g.gameId}`,
                chosen: g.gameId === gameId,
              }))}
            />
          </div>
        )}
        <p className="border-t border-line-soft px-4 py-3 text-12 leading-5 text-ink-3">
          统计近 90
          天已完成的订单，从上架到买家付款计时。只有卖出去的商品才有时长，至今没卖出的不在其中，所以实际等待可能更久；
          不足 {minSamples} 件的价位不给数字。想更快卖出，先看{' '}
          <Link to="/dealshow" className="link">
            同类成交价
          </Link>
          。
        </p>
      </section>
      {types.map((type) => (
        <TypeTable key={type.typeId} type={type} minSamples={minSamples} />
      ))}
      {types.length === 0 && (
        <section className="panel mt-4">
          <EmptyState
            title={games.length === 0 ? '还没有可统计的成交' : '这个游戏近 90 天没有成交'}
            action={<ButtonLink to="/dealshow">查看成交记录</ButtonLink>}
          >
            每个价位卖出 {minSamples} 件以上才会显示时长。
          </EmptyState>
        </section>
      )}
    </>
  );
}
