import { ChevronRight } from 'lucide-react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { blackList } from '#subjects/verification/contract/verification.ts';
import { market } from '#web/lib/pages/context.ts';
import { countText } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { BlackCheck } from './parts/trust/black-check.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { BlackRows } from './black-rows.tsx';

export const meta: MetaFunction = (args) =>
  pageMeta(args, {
    title: '黑号查询',
    description: '交易前查一查：QQ、微信、手机号、支付宝、游戏账号是否在黑号名单上',
  });

const LATEST = 6;

export async function loader(args: LoaderFunctionArgs) {
  return await market(args).call(blackList, { pageSize: LATEST });
}

const STEPS = [
  ['举报', '写清经过，附上凭证，填对方的账号'],
  ['审核', '审核员核对凭证，公示的内容不含姓名和完整账号'],
  ['公示', '最长 2 年，到期自动移出'],
  ['申诉', '由另一位审核员 3 天内答复'],
] as const;

/** The blacklist's front page: number search, latest entries, and how an account is listed and removed. */
export default function BlackPage() {
  const { list, total, totalCapped } = useLoaderData<typeof loader>();
  return (
    <div className="black-first">
      <section className="panel p-4 md:p-6" aria-labelledby="check">
        <h1 id="check" className="mb-1 text-20 font-semibold">
          黑号查询
        </h1>
        <p className="mb-4 text-13 text-ink-3">账号按不可逆的方式比对，不保存号码原文</p>
        <BlackCheck />
        <ol className="mt-6 grid gap-2.5 border-t border-line-soft pt-4 text-13">
          {STEPS.map(([name, text], index) => (
            <li key={name} className="grid grid-cols-[20px_40px_1fr] items-baseline gap-2">
              <span className="text-12 text-ink-3">{index + 1}</span>
              <b className="font-semibold">{name}</b>
              <span className="text-ink-2">{text}</span>
            </li>
          ))}
        </ol>
      </section>
      <section className="panel self-start overflow-hidden" aria-labelledby="latest">
        <div className="panel-head">
          <h2 id="latest">最近公示</h2>
          <p>共 {countText(total, totalCapped)} 条</p>
          <Link to="/black/blackList" className="more">
            全部名单
            <ChevronRight className="icon size-3.5" aria-hidden="true" />
          </Link>
        </div>
        {list.length === 0 ? <EmptyState title="名单是空的" /> : <BlackRows items={list} />}
      </section>
    </div>
  );
}
