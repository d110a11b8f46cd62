import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { publicTextVersions } from '#subjects/content/contract/content.ts';
import { market } from '#web/lib/pages/context.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Article } from './parts/article/blocks.tsx';
import { TextDiff } from '#web/parts/text-diff.tsx';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Tag } from '#web/ui/tag.tsx';

export const handle = { phone: { back: true } };

/** The versions of a rule or an agreement; `version` selects one, by default the one in force. */
export async function loader(args: LoaderFunctionArgs) {
  const code = args.params.code ?? '';
  if (!/^(?:\d{1,2}(?:\.\d{1,2}){0,2}|[a-z_]{2,40})$/.test(code)) notFound('没有这条规则');
  const { list, isRule } = await market(args).call(publicTextVersions, { code });
  const wanted = Number(args.url.searchParams.get('version'));
  const chosen =
    list.find(({ version }) => version === wanted) ?? list.find(({ state }) => state === 'counts') ?? list[0];
  return chosen ? { code, isRule, list, chosen } : notFound('没有这条规则');
}

export const meta: MetaFunction<typeof loader> = (args) => {
  const found = args.loaderData;
  if (!found) return pageMeta(args, { title: '平台规则', noindex: true });
  const { code, isRule, chosen } = found;
  return pageMeta(args, {
    title: `${isRule ? `${code} ` : ''}${chosen.title}`,
    description: chosen.text.slice(0, 80),
    canonicalPath: `/rules/${code}`,
  });
};

type Data = ReturnType<typeof useLoaderData<typeof loader>>;

function stateText({ state, fromTime, retired }: Data['chosen']): string {
  if (state === 'planned') return `将自 ${fullAt(fromTime)} 起${retired ? '停用' : '生效'}`;
  const verb = retired ? '停用' : '生效';
  return state === 'counts' ? `自 ${fullAt(fromTime)} 起${verb}` : `${fullAt(fromTime)} 起${verb}，已被新版本替代`;
}

function Versions({ code, list, chosen }: Pick<Data, 'code' | 'list' | 'chosen'>) {
  return (
    <nav className="panel overflow-hidden" aria-label="历史版本">
      <h2 className="border-b border-line-soft px-4 py-3 text-14 font-semibold">历史版本</h2>
      <ol>
        {list.map((one) => (
          <li key={one.version} className="border-b border-line-soft last:border-b-0">
            <Link
              to={`/rules/${code}?version=${one.version}`}
              aria-current={one.version === chosen.version ? 'true' : undefined}
              className={cx('grid gap-0.5 px-4 py-2.5 hover:bg-hover', one.version === chosen.version && 'bg-brand-50')}
            >
              <span className="flex items-center gap-2 text-13">
                第 {one.version} 版{one.state === 'counts' && <Tag tone="safe">现行</Tag>}
                {one.state === 'planned' && <Tag tone="attn">待生效</Tag>}
              </span>
              <span className="text-12 text-ink-3">{fullAt(one.fromTime)} 起</span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** A public rule or an agreement: the version in force, its changes, and every earlier version. */
export default function RulePage() {
  const { code, isRule, list, chosen } = useLoaderData<typeof loader>();
  const before = list.find(({ version }) => version < chosen.version);
  const planned = list.find(({ state }) => state === 'planned');
  return (
    <div className="pb-6">
      <div className="max-md:hidden">
        <Breadcrumb
          items={[{ label: '首页', to: '/' }, { label: '平台规则', to: '/rulings' }, { label: chosen.title }]}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 max-md:mt-3 lg:grid-cols-[minmax(0,1fr)_280px]">
        <article className="panel overflow-hidden">
          <header className="border-b border-line-soft px-4 py-4 md:px-8 md:py-6">
            <h1 className="text-20 leading-title font-semibold">
              {isRule && `${code} `}
              {chosen.title}
            </h1>
            <p className="mt-2 text-13 text-ink-2">
              第 {chosen.version} 版，{stateText(chosen)}
            </p>
            {planned && planned !== chosen && (
              <p className="mt-2 rounded-card bg-attn-bg px-3 py-2 text-13">
                新版本将自 {fullAt(planned.fromTime)} 起生效，
                <Link to={`/rules/${code}?version=${planned.version}`} className="hit link">
                  先看改了什么
                </Link>
              </p>
            )}
          </header>
          <div className="px-4 py-5 md:px-8 md:py-6">
            <Article blocks={chosen.blocks} />
          </div>
          {before && (
            <section className="border-t border-line-soft px-4 py-5 md:px-8" aria-labelledby="diff">
              <h2 id="diff" className="mb-2 text-14 font-semibold">
                与第 {before.version} 版相比
              </h2>
              <TextDiff before={before.text} after={chosen.text} />
            </section>
          )}
        </article>
        <Versions code={code} list={list} chosen={chosen} />
      </div>
    </div>
  );
}
