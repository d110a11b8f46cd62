import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { type NoticeKind, noticeTexts } from '#subjects/notices/contract/staff-texts.ts';
import { type NoticeChannel, noticeChannelNames, noticeChannels } from '../rules/notice-text.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { KindEditor } from './texts/kind-editor.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '通知文案', noindex: true });
}

const GROUPS = [
  ['order', '订单'],
  ['money', '资金'],
  ['goods', '商品'],
  ['chat', '聊天'],
  ['security', '安全'],
  ['service', '服务'],
  ['activity', '活动'],
] as const;

/** The kinds of a group; with `kind` the texts of one, by channel. */
export async function loader(args: LoaderFunctionArgs) {
  const of = (name: string) => args.url.searchParams.get(name);
  const data = await market(args).call(noticeTexts, {});
  return {
    ...data,
    group: GROUPS.find(([key]) => key === of('group'))?.[0] ?? 'order',
    kind: data.list.find(({ kind }) => kind === of('kind')) ?? null,
    channel: noticeChannels.find((one) => one === of('channel')) ?? ('site' as NoticeChannel),
  };
}

/** The newest change of a kind's texts by staff. */
function lastChange({ texts }: NoticeKind): string {
  const byStaff = texts.filter(({ changedBy }) => changedBy !== null);
  const last = byStaff.toSorted((a, b) => b.changeTime.localeCompare(a.changeTime))[0];
  return last ? `${fullAt(last.changeTime)} ${last.changedBy ?? ''}` : '';
}

function KindRow({ item }: { item: NoticeKind }) {
  const site = item.texts.find(({ channel }) => channel === 'site') ?? item.shipped;
  const own = item.texts.filter(({ isDefault, removed }) => !isDefault && !removed);
  return (
    <tr>
      <td data-wide="">
        <Link to={`?kind=${item.kind}`} title={item.kind} className="link font-medium">
          {item.name}
        </Link>
      </td>
      <td data-wide="" className="max-w-120">
        <span className="line-clamp-2 text-ink-2">{site.body}</span>
      </td>
      <td className="whitespace-nowrap">{item.channels.map((one) => noticeChannelNames[one]).join('、')}</td>
      <td>
        {own.length === 0 ? (
          <span className="text-ink-3">默认</span>
        ) : (
          <Tag tone="attn">已改：{own.map(({ channel }) => noticeChannelNames[channel]).join('、')}</Tag>
        )}
        <span className="block text-12 text-ink-3">{lastChange(item)}</span>
      </td>
    </tr>
  );
}

/** The text of notices on each channel, and the channels of each kind by default. */
export default function TextsPage() {
  const { list, canEdit, site, group, kind, channel } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  if (kind)
    return (
      <KindEditor
        key={`${kind.kind}${channel}`}
        item={kind}
        site={site}
        channel={channel}
        canEdit={canEdit}
        onDone={() => void revalidate()}
      />
    );
  const items = list.filter((one) => one.group === group);
  return (
    <>
      <div className="admin-head">
        <h1>通知文案</h1>
        <p>修改后的下一条通知就用新文案，已发出的不变</p>
      </div>
      <LinkTabs
        label="通知分组"
        className="mb-3"
        items={GROUPS.map(([key, label]) => ({
          key,
          label,
          to: `?group=${key}`,
          isCurrent: key === group,
          count: list.filter((one) => one.group === key).length,
        }))}
      />
      <section className="panel overflow-hidden" aria-label="通知">
        <AdminTable columns={['通知', '站内文案', '默认渠道', '文案']}>
          {items.map((item) => (
            <KindRow key={item.kind} item={item} />
          ))}
        </AdminTable>
      </section>
    </>
  );
}
