import { FileClock, ScanLine, Search, UserCheck } from 'lucide-react';
import { Form, Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { market } from '#web/lib/pages/context.ts';
import { isApiFailure } from '#web/lib/api/api-failure.ts';
import { marketContext } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { TypeTag } from '#web/ui/tag.tsx';

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: '账号公示', description: '按商品编号查账号归属：谁在卖、验过几次、上架和成交的全部记录' });

const RECORDED = [
  [UserCheck, '谁在卖', '归属卖家和等级，换过几次卖家'],
  [ScanLine, '验过几次', '每次验号的时间和结果'],
  [FileClock, '成交与理赔', '发布、售出、找回和理赔的先后记录'],
] as const;

const CODE = /^[A-Za-z]{1,4}\d{6,22}$/;

export async function loader(args: LoaderFunctionArgs) {
  const { brand } = market(args);
  const code = (args.url.searchParams.get('goodsSn') ?? '').trim().slice(0, 32);
  const site = brand.distBaseConf.websiteName;
  if (code === '') return { code, site, problem: null, goods: null };
  if (!CODE.test(code)) return { code, site, problem: '商品编号由字母和 6 位以上数字组成', goods: null };
  try {
    const goods = await args.context.get(marketContext).call(goodsInfo, { goodsSn: code.toUpperCase() });
    return { code, site, problem: null, goods };
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    return { code, site, problem: error.msg, goods: null };
  }
}

type Goods = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['goods']>;

function Belonging({ goods }: { goods: Goods }) {
  return (
    <article className="panel mt-4" aria-labelledby="belonging">
      <div className="flex flex-wrap items-center gap-2 border-b border-line-soft px-4 py-3">
        <TypeTag typeId={goods.goodsTypeId} name={goods.goodsTypeStr} />
        <h2 id="belonging" className="min-w-0 truncate font-semibold">
          {goods.bigTitle}
        </h2>
        <Link to={goods.pageUrl} className="link hit ml-auto text-13">
          查看商品
        </Link>
      </div>
      <dl className="facts border-b border-line-soft">
        <div>
          <dt>商品编号</dt>
          <dd>{goods.goodsSn}</dd>
        </div>
        <div>
          <dt>游戏</dt>
          <dd>{goods.gameName}</dd>
        </div>
        <div>
          <dt>归属卖家</dt>
          <dd>
            {goods.seller.nickName}（{goods.seller.levelName}）
          </dd>
        </div>
        <div>
          <dt>验号</dt>
          <dd>{goods.inspection.length > 0 ? `${goods.inspection.length} 项验号结果` : '没有验号记录'}</dd>
        </div>
      </dl>
      {goods.history.length > 0 ? (
        <ol className="grid gap-3 p-4 text-13">
          {goods.history.map(({ text, time }) => (
            <li key={`${text}${time}`} className="flex flex-wrap gap-x-4">
              <time dateTime={time} className="w-36 flex-none text-ink-3">
                {fullTime(Date.parse(time))}
              </time>
              {text}
            </li>
          ))}
        </ol>
      ) : (
        <p className="px-4 py-4 text-13 text-ink-3">这是第一次发布，没有更早的记录。</p>
      )}
    </article>
  );
}

/** The public ownership record of an account, by listing number: all data of the market about it. */
export default function BelongingPage() {
  const { code, site, problem, goods } = useLoaderData<typeof loader>();
  return (
    <>
      <section className="panel mt-4 p-4 md:p-6" aria-labelledby="public">
        <h1 id="public" className="mb-1 text-20 font-semibold">
          账号公示
        </h1>
        <p className="mb-4 text-13 text-ink-3">
          同一个游戏账号在{site}的发布、验号、成交和理赔都记在一处，换卖家也不会重来。
        </p>
        <Form method="get" className="flex items-end gap-2" role="search" aria-label="查账号">
          <Field label="商品编号" required error={problem} className="min-w-0 flex-1">
            {(control) => (
              <Input {...control} name="goodsSn" defaultValue={code} maxLength={32} placeholder="例如 YS0000001" />
            )}
          </Field>
          <button type="submit" className={`${buttonClass({ kind: 'primary' })} btn-beside self-start mt-[26px]`}>
            <Search className="icon" aria-hidden="true" />
            查询
          </button>
        </Form>
      </section>
      {goods && <Belonging goods={goods} />}
      {!goods && !problem && (
        <section className="panel mt-4 overflow-hidden">
          <ul className="grid gap-px overflow-hidden bg-line-soft md:grid-cols-3" aria-label="可以查到什么">
            {RECORDED.map(([Icon, title, text]) => (
              <li key={title} className="flex gap-3 bg-panel p-4">
                <Icon className="icon mt-0.5 size-5 flex-none text-brand-700" strokeWidth={1.6} aria-hidden="true" />
                <span className="grid gap-0.5">
                  <b className="font-semibold">{title}</b>
                  <span className="text-13 text-ink-3">{text}</span>
                </span>
              </li>
            ))}
          </ul>
          <p className="border-t border-line-soft px-4 py-3 text-13 text-ink-3">
            商品编号在商品页标题下方，点一下即可复制。还没有看中的商品？
            <Link to="/wares?gt=1" className="link ml-1">
              去挑账号
            </Link>
          </p>
        </section>
      )}
    </>
  );
}
