import { codes } from '#contract/codes.ts';
import { sellerNoun } from '#subjects/orders/rules/order-types.ts';
import type { Data } from '#contract/endpoint.ts';
import { Star } from 'lucide-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { BUYS } from '#contract/rules/parties.ts';
import { orderDetail } from '#subjects/orders/contract/order.ts';
import { REVIEW_TEXT_MAX, suggestedTags } from '#subjects/reviews/rules/review.ts';
import { orderEval } from '#subjects/reviews/contract/order-review.ts';
import { notFound } from '#web/lib/pages/not-found.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { isError } from '#web/lib/api/call-errors.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { GoodsSummary } from '#subjects/orders/web/parts/order/goods-line.tsx';
import { orderPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const handle = { phone: { back: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '评价订单', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const orderSn = args.url.searchParams.get('orderSn');
  if (!orderSn) return notFound('没有这笔订单');
  return { order: await market(args).call(orderDetail, { orderSn }) };
}

const SCORES = ['很差', '较差', '一般', '满意', '非常满意'] as const;
function Stars({
  score,
  onChange,
  error,
}: {
  score: number;
  onChange: (score: number) => void;
  error: Message | null;
}) {
  return (
    <FieldGroup legend="评分" error={error}>
      {(isInvalid) => (
        <div className="flex items-center gap-1">
          {SCORES.map((text, index) => {
            const n = index + 1;
            return (
              <label
                key={text}
                className="grid size-10 place-items-center rounded-control focus-within:outline-2 focus-within:outline-brand-500"
                title={text}
              >
                <input
                  type="radio"
                  name="score"
                  value={n}
                  className="sr-only"
                  aria-label={`${n} 星，${text}`}
                  aria-invalid={isInvalid}
                  checked={score === n}
                  onChange={() => onChange(n)}
                />
                <Star
                  className={cx('icon size-7', n <= score ? 'text-act' : 'text-ink-4')}
                  strokeWidth={1.5}
                  fill={n <= score ? 'currentColor' : 'none'}
                  aria-hidden="true"
                />
              </label>
            );
          })}
          <span className="ml-2 text-13 text-ink-2" aria-live="polite">
            {SCORES[score - 1]}
          </span>
        </div>
      )}
    </FieldGroup>
  );
}

function RateForm({
  order: { orderSn, belong, tradedTypeId },
  onDone,
}: {
  order: Pick<Data<typeof orderDetail>, 'orderSn' | 'belong' | 'tradedTypeId'>;
  onDone: (again: boolean) => void;
}) {
  const suggested = suggestedTags(belong, tradedTypeId);
  const [score, setScore] = useState(0);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [content, setContent] = useState('');
  const { form, busy, errors, submit } = useMutation(orderEval, {
    fields: ['score'],
    check: ({ score: stars }) => ({ score: stars === 0 ? '请先选择评分' : undefined }),
    failed: (failure) => {
      if (!isError(failure, codes.ORDER_RATED)) return undefined;
      onDone(true);
      return {};
    },
    done: () => onDone(false),
  });

  return (
    <form
      ref={form}
      className="grid gap-4 border-t border-line-soft px-4 py-4"
      onSubmit={submit(() => ({ orderSn, score, tags: [...tags], content }))}
    >
      <Stars score={score} onChange={setScore} error={errors.score ?? null} />
      <div className="field">
        <span className="field-label">
          标签<span className="ml-1 font-normal text-ink-3">选填</span>
        </span>
        <div className="flex flex-wrap gap-2" role="group" aria-label="标签">
          {suggested.map((tag) => {
            const on = tags.includes(tag);
            return (
              <button
                key={tag}
                type="button"
                aria-pressed={on}
                className={cx('pick h-8! border border-line-strong px-3!', on && 'pick-on')}
                onClick={() => setTags(on ? tags.filter((other) => other !== tag) : [...tags, tag])}
              >
                {tag}
              </button>
            );
          })}
        </div>
      </div>
      <Field
        label="评价内容"
        help={`${content.length} / ${REVIEW_TEXT_MAX} 字，${belong === BUYS ? '会公开显示' : '只有双方可见'}，请不要写联系方式。`}
      >
        {(control) => (
          <>
            <Textarea
              {...control}
              rows={4}
              maxLength={REVIEW_TEXT_MAX}
              value={content}
              onChange={(event) => setContent(event.target.value)}
            />
            <ContactHint text={content} />
          </>
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-end gap-3">
        <FormError>{errors.send}</FormError>
        <Button type="submit" kind="primary" size="lg" busy={busy} className="max-md:w-full">
          提交评价
        </Button>
      </div>
    </form>
  );
}

/** Rating of the other party of a completed order, once. */
export default function RatePage() {
  const { order } = useLoaderData<typeof loader>();
  const [done, setDone] = useState<'now' | 'before' | null>(order.rated ? 'before' : null);
  const other = order.belong === BUYS ? sellerNoun(order.tradedTypeId) : '买家';
  const actions = (
    <>
      <ButtonLink to={orderPath(order.orderSn)}>查看订单</ButtonLink>
      <ButtonLink to={order.belong === BUYS ? '/center/buyGoodsOrder' : '/center/sellOrder'} kind="primary">
        回订单列表
      </ButtonLink>
    </>
  );
  return (
    <section className="panel mx-auto my-4 max-w-150 md:my-8" aria-labelledby="rate">
      <div className="panel-head">
        <h1 id="rate" className="text-16 font-semibold">
          评价{other}
        </h1>
        <p>{order.partnerName}</p>
      </div>
      <div className="px-4 py-3.5">
        <GoodsSummary
          title={order.bigTitle}
          gameName={order.gameName}
          typeId={order.orderTypeId}
          typeName={order.orderTypeName}
          thumbnail={order.thumbnail}
          seed={order.goodsSn ?? order.orderSn}
        >
          <p className="text-12 text-ink-3">订单 {order.orderSn}</p>
        </GoodsSummary>
      </div>
      {done ? (
        <EmptyState title={done === 'now' ? '评价已提交，谢谢' : '该订单已评价'} action={actions}>
          {order.belong === BUYS
            ? `评价会显示在${other}主页和商品页，提交后不能修改。`
            : '评价显示在订单页，提交后不能修改。'}
          对方可以回复一次。
        </EmptyState>
      ) : order.acts.some(({ act }) => act === 'rate') ? (
        <RateForm order={order} onDone={(again) => setDone(again ? 'before' : 'now')} />
      ) : (
        <EmptyState title="交易成功或陪玩计费后才能评价" action={actions}>
          订单现在的状态是「{order.statusName}」。
        </EmptyState>
      )}
    </section>
  );
}
