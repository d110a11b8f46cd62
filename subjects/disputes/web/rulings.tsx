import { ChevronDown, Scale } from 'lucide-react';
import { Form, Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { ruleBook, rulingList } from '#subjects/disputes/contract/dispute.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Breadcrumb } from '#web/ui/lists/breadcrumb.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, {
    title: '公开裁决与平台规则',
    description: '每一件申诉裁决都引用有编号的公开规则，去掉姓名和编号后在这里公示。',
  });
}

const PAGE = 20;

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const query = args.url.searchParams;
  const ruleNo = /^\d{1,2}(\.\d{1,2}){0,2}$/.test(query.get('ruleNo') ?? '') ? (query.get('ruleNo') ?? '') : '';
  const reason = /^[a-z_]{2,40}$/.test(query.get('reason') ?? '') ? (query.get('reason') ?? '') : '';
  const keyWord = (query.get('keyWord') ?? '').trim().slice(0, 40);
  const cursor = query.get('cursor') ?? '';
  const [rulings, book] = await Promise.all([
    call(rulingList, {
      pageSize: PAGE,
      ...(ruleNo && { ruleNo }),
      ...(reason && { reason }),
      ...(keyWord && { keyWord }),
      ...(cursor && { cursor }),
    }),
    call(ruleBook, {}),
  ]);
  return { rulings, book: book.list, filter: { ruleNo, reason, keyWord, cursor } };
}

type Data = ReturnType<typeof useLoaderData<typeof loader>>;

function pathWith(filter: Data['filter'], part: Partial<Data['filter']>): string {
  const query = new URLSearchParams(
    Object.entries({ ...filter, cursor: '', ...part }).filter(([, value]) => value !== ''),
  );
  return query.size > 0 ? `/rulings?${query}` : '/rulings';
}

function Ruling({ ruling, filter }: { ruling: Data['rulings']['list'][number]; filter: Data['filter'] }) {
  const { refundPercent } = ruling;
  const result = refundPercent === 0 ? '不退款' : refundPercent >= 100 ? '全额退款' : `退款 ${refundPercent}%`;
  return (
    <li className="grid gap-2 border-b border-line-soft px-4 py-4 last:border-b-0">
      <div className="flex items-baseline gap-3 text-13">
        <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <b className="text-14 font-semibold">{ruling.reasonName}</b>
          <Tag>{result}</Tag>
          {ruling.stage === 2 && <Tag>上诉裁决</Tag>}
          <span className="flex flex-wrap gap-x-3 text-ink-2 max-md:basis-full">
            {ruling.gameName} {ruling.orderTypeName}
            <span className="text-ink-3">
              约 <Amount yuan={ruling.price} />
            </span>
          </span>
        </p>
        <time className="flex-none text-12 text-ink-3">{ruling.day}</time>
      </div>
      <p className="text-14 leading-text">{ruling.text}</p>
      <p className="flex flex-wrap gap-1.5 max-md:gap-y-3">
        {ruling.rules.map((rule) => (
          <Link
            key={rule.no}
            to={pathWith(filter, { ruleNo: rule.no })}
            className="chip hover:text-link"
            title={rule.body}
          >
            {rule.no} {rule.title}
          </Link>
        ))}
      </p>
    </li>
  );
}

/** One rule, folded under its title: all rules in full would be several times as long as the list of rulings. */
function Rule({ rule, filter }: { rule: Data['book'][number]; filter: Data['filter'] }) {
  const isChosen = rule.no === filter.ruleNo;
  return (
    <li className={cx('border-b border-line-soft last:border-b-0', isChosen && 'bg-brand-50')}>
      <details className="group" key={String(isChosen)} open={isChosen}>
        <summary className="flex min-h-10 cursor-pointer items-center gap-2 px-4 py-2 text-13 hover:text-link">
          <b className="min-w-0 font-semibold">
            {rule.no} {rule.title}
          </b>
          <span className="ml-auto text-12 whitespace-nowrap text-ink-3">引用 {rule.cited} 次</span>
          <ChevronDown className="icon size-4 flex-none text-ink-3 group-open:rotate-180" aria-hidden="true" />
        </summary>
        <div className="grid gap-2 px-4 pb-3">
          <p className="text-13 text-ink-2">{rule.body}</p>
          <p className="text-12 text-ink-3">
            第 {rule.version} 版，自 {fullAt(rule.inForce)} 起生效
          </p>
          <p className="flex flex-wrap gap-x-4 gap-y-2 text-12">
            {isChosen ? (
              <Link to={pathWith(filter, { ruleNo: '' })} className="hit link">
                查看全部裁决
              </Link>
            ) : (
              rule.cited > 0 && (
                <Link to={pathWith(filter, { ruleNo: rule.no })} className="hit link">
                  引用它的裁决
                </Link>
              )
            )}
            <Link to={`/rules/${rule.no}`} className="hit link">
              历史版本
            </Link>
          </p>
        </div>
      </details>
    </li>
  );
}

function Book({ book, filter }: { book: Data['book']; filter: Data['filter'] }) {
  return (
    <section className="panel" aria-labelledby="rules">
      <div className="panel-head">
        <h2 id="rules">平台规则</h2>
        <p>点开看全文</p>
      </div>
      <ol>
        {book.map((rule) => (
          <Rule key={rule.no} rule={rule} filter={filter} />
        ))}
      </ol>
    </section>
  );
}

/** Anonymised rulings, searchable by reason, keyword and rule, with the rules next to them. */
export default function RulingsPage() {
  const { rulings, book, filter } = useLoaderData<typeof loader>();
  const filtered = filter.ruleNo || filter.reason || filter.keyWord;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pb-4 max-md:pt-4 md:pb-6">
      <div className="-mb-4 max-md:hidden">
        <Breadcrumb items={[{ label: '首页', to: '/' }, { label: '公开裁决' }]} />
      </div>
      <header className="grid gap-1">
        <h1 className="flex items-center gap-2 text-20 font-semibold">
          <Scale className="icon size-6 text-brand-700" aria-hidden="true" />
          公开裁决与平台规则
        </h1>
        <p className="text-13 text-ink-2">
          每一件裁决都引用有编号的规则，去掉姓名和编号后公示；裁决可上诉一次，由另一位工作人员重新裁决。
        </p>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_380px]">
        <section className="panel" aria-labelledby="list">
          <div className="panel-head flex-wrap">
            <h2 id="list">裁决</h2>
            <p>{rulings.totalCapped ? '1000+' : rulings.total} 件</p>
            <Form
              method="get"
              role="search"
              aria-label="搜裁决"
              className="ml-auto flex flex-wrap items-center gap-2 py-1 max-md:w-full"
              key={pathWith(filter, {})}
            >
              {filter.ruleNo && <input type="hidden" name="ruleNo" value={filter.ruleNo} />}
              <Select
                small
                name="reason"
                aria-label="原因"
                defaultValue={filter.reason}
                className="w-auto! max-md:w-full!"
              >
                <option value="">全部原因</option>
                {rulings.reasons.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </Select>
              <Input
                small
                name="keyWord"
                aria-label="关键词"
                placeholder="关键词"
                defaultValue={filter.keyWord}
                maxLength={40}
                className="w-36! max-md:w-auto! max-md:flex-1"
              />
              <Button size="sm" type="submit">
                搜索
              </Button>
              {filtered && (
                <ButtonLink size="sm" kind="ghost" to="/rulings">
                  清除
                </ButtonLink>
              )}
            </Form>
          </div>
          {rulings.list.length === 0 ? (
            <EmptyState
              title={filtered ? '没有符合条件的裁决' : '还没有公开的裁决'}
              action={filtered ? <ButtonLink to="/rulings">查看全部裁决</ButtonLink> : null}
            >
              裁决执行后会去掉姓名和编号公示在这里。
            </EmptyState>
          ) : (
            <ul>
              {rulings.list.map((ruling) => (
                <Ruling key={ruling.rulingId} ruling={ruling} filter={filter} />
              ))}
            </ul>
          )}
          {rulings.next && (
            <p className="border-t border-line-soft py-3 text-center">
              <ButtonLink size="sm" to={pathWith(filter, { cursor: rulings.next })} rel="next nofollow">
                下一页
              </ButtonLink>
            </p>
          )}
        </section>
        <Book book={book} filter={filter} />
      </div>
    </div>
  );
}
