import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { type RuleEntry, ruleTexts } from '#subjects/content/contract/staff-rules.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { NewRule } from './rules/new-rule.tsx';
import { RuleEditor } from './rules/rule-editor.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '规则与协议', noindex: true });
}

/** A rule that is not stored yet and has only a number. */
const blank = (key: string): RuleEntry => ({
  key,
  code: key.slice('rule:'.length),
  name: '',
  version: 0,
  current: null,
  planned: null,
  draft: null,
  uses: 0,
});

/** The rules or the agreements; with `key` the editor of one. */
export async function loader(args: LoaderFunctionArgs) {
  const { searchParams } = args.url;
  const data = await market(args).call(ruleTexts, {});
  const key = searchParams.get('key') ?? '';
  const known = [...data.rules, ...data.agreements].find((one) => one.key === key);
  const isNew = /^rule:\d{1,2}(\.\d{1,2}){0,2}$/.test(key);
  return {
    ...data,
    tab: searchParams.get('tab') === 'agreements' ? ('agreements' as const) : ('rules' as const),
    edit: known ?? (isNew ? blank(key) : null),
  };
}

function EntryRow({ item }: { item: RuleEntry }) {
  const { key, code, name, current, planned, draft, uses } = item;
  const isRule = key.startsWith('rule:');
  return (
    <tr>
      <td className="num whitespace-nowrap" data-label="编号">
        {isRule ? code : ''}
      </td>
      <td data-wide="">
        <Link to={`?key=${key}`} className="link font-medium">
          {name}
        </Link>
        {isRule && <span className="line-clamp-2 text-12 text-ink-3">{current?.body ?? draft?.body}</span>}
      </td>
      <td className="whitespace-nowrap">
        <span className="flex flex-wrap gap-1">
          {current && !current.retired && <Tag tone="safe">第 {current.version} 版生效中</Tag>}
          {current?.retired && <Tag>已停用</Tag>}
          {planned && <Tag tone="attn">第 {planned.version} 版待生效</Tag>}
          {draft && <Tag>草稿</Tag>}
        </span>
      </td>
      <td className="text-12 whitespace-nowrap text-ink-3" data-label="生效">
        {current ? fullAt(current.fromTime) : '—'}
      </td>
      <td className="num" data-label={isRule ? '引用' : '同意'}>
        {uses}
      </td>
    </tr>
  );
}

/** Public rules with numbers, and agreements: versions that users can read, each from a time on. */
export default function RulesPage() {
  const { rules, agreements, canEdit, tab, edit } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  if (edit)
    return (
      <RuleEditor
        key={`${edit.key}:${edit.version}:${edit.draft?.draftVersion ?? 0}`}
        item={edit}
        canEdit={canEdit}
        onDone={() => void revalidate()}
      />
    );
  const list = tab === 'rules' ? rules : agreements;
  return (
    <>
      <div className="admin-head">
        <h1>规则与协议</h1>
        <p>发布后用户可以查看每个版本；编号固定不变</p>
      </div>
      <LinkTabs
        label="规则与协议"
        className="mb-3"
        items={[
          { key: 'rules', label: '公开规则', to: '?tab=rules', isCurrent: tab === 'rules', count: rules.length },
          {
            key: 'agreements',
            label: '协议',
            to: '?tab=agreements',
            isCurrent: tab === 'agreements',
            count: agreements.length,
          },
        ]}
      />
      {tab === 'rules' && canEdit && <NewRule usedKeys={rules.map(({ code }) => code)} />}
      <section className="panel overflow-hidden" aria-label={tab === 'rules' ? '公开规则' : '协议'}>
        <AdminTable columns={['编号', '名称', '状态', '生效时间', { num: tab === 'rules' ? '被引用' : '已同意' }]}>
          {list.map((item) => (
            <EntryRow key={item.key} item={item} />
          ))}
        </AdminTable>
      </section>
    </>
  );
}
