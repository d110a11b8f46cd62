import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { publishCase, staffCaseInfo, staffCaseList } from '#subjects/content/contract/staff-content.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { CASE_NAMES } from '../web/names.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { Amount } from '#web/ui/price.tsx';
import { CaseForm } from './content/case-form.tsx';
import { ArticleActions, ArticleStatus } from './content/article-status.tsx';
import { ArticleList } from './content/article-list.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '案例', noindex: true });
}

/** The list of cases; with `id` the editor of one case, with `id=new` an empty editor. */
export async function loader(args: LoaderFunctionArgs) {
  const { call: request } = market(args);
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const id = of('id');
  if (id !== undefined) return { edit: await request(staffCaseInfo, id === 'new' ? {} : { id }), list: null };
  const query = { status: of('status'), keyWord: of('keyWord'), pageSize: 30 };
  return { edit: null, list: { first: await request(staffCaseList, query), query } };
}

type Listed = NonNullable<Awaited<ReturnType<typeof loader>>['list']>;

function CaseTable({ first, query }: Listed) {
  const list = useCursorList(
    first,
    (cursor) => call(staffCaseList, { ...query, cursor }, { quiet: true }),
    ({ id }) => id,
  );
  return (
    <ArticleList
      name="案例"
      path="/backstage/cases"
      first={first}
      list={list}
      columns={['标题', '类型', '站点', { num: '金额' }, '状态', '更新', { num: '操作' }]}
    >
      {list.items.map((c) => (
        <tr key={c.id}>
          <td data-wide="">
            <span className="font-medium">{c.title}</span>
          </td>
          <td className="whitespace-nowrap">{CASE_NAMES[c.kind]}</td>
          <td className="whitespace-nowrap">{c.distName}</td>
          <td className="num" {...(c.amount && { 'data-label': '金额' })}>
            {c.amount && <Amount yuan={c.amount} />}
          </td>
          <td>
            <ArticleStatus status={c.status} />
          </td>
          <td className="text-12 whitespace-nowrap text-ink-3" data-label="更新">
            {fullAt(c.updateTime)}
          </td>
          <td className="num">
            <ArticleActions
              id={c.id}
              name={c.title}
              status={c.status}
              editTo={`/backstage/cases?id=${c.id}`}
              send={(input, options) => call(publishCase, input, options)}
            />
          </td>
        </tr>
      ))}
    </ArticleList>
  );
}

/** Published cases: written, published and withdrawn here. */
export default function AdminCasesPage() {
  const { edit, list } = useLoaderData<typeof loader>();
  if (edit) return <CaseForm key={edit.item?.id ?? 'new'} data={edit} />;
  return list && <CaseTable {...list} />;
}
