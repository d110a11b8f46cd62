import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { type BlackReason, blackReasonNames } from '../rules/black.ts';
import { blackList } from '#subjects/verification/contract/verification.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { cx } from '#web/ui/class-names.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { BlackRows } from './black-rows.tsx';

export const meta: MetaFunction = (args) =>
  pageMeta(args, { title: '黑号名单', description: '核实公示的黑号：找回账号、诈骗、冒充客服、恶意退款等' });

export async function loader(args: LoaderFunctionArgs) {
  const reasonParam = args.url.searchParams.get('reason') ?? '';
  const reason = reasonParam in blackReasonNames ? (reasonParam as BlackReason) : undefined;
  const query = { ...(reason && { reason }) };
  return { query, first: await market(args).call(blackList, query) };
}

const CHOICES: readonly (readonly [reason: string, name: string])[] = [
  ['', '全部'],
  ...Object.entries(blackReasonNames),
];

/** Listed entries by reason, newest first. Numbers are masked; a full number is found by search only. */
export default function BlackListPage() {
  const { query, first } = useLoaderData<typeof loader>();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(blackList, { ...query, cursor }, { quiet: true }),
    ({ blackSn }) => blackSn,
  );
  return (
    <section className="panel mt-4 overflow-hidden" aria-labelledby="black-list">
      <div className="panel-head">
        <h1 id="black-list" className="text-16 font-semibold">
          黑号名单
        </h1>
        <p>{countText(first.total, first.totalCapped)} 条</p>
        <Link to="/black" className="more">
          按账号查
        </Link>
      </div>
      <nav className="flex flex-wrap gap-1 border-b border-line-soft px-4 py-2.5" aria-label="原因">
        {CHOICES.map(([reason, name]) => (
          <Link
            key={name}
            to={reason ? `?reason=${reason}` : '/black/blackList'}
            preventScrollReset
            className={cx('pick', reason === (query.reason ?? '') && 'pick-on')}
            aria-current={reason === (query.reason ?? '') || undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      {items.length === 0 ? (
        <EmptyState title="没有这类记录" action={<ButtonLink to="/black/releaseBlack">举报黑号</ButtonLink>} />
      ) : (
        <>
          <BlackRows items={items} />
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </section>
  );
}
