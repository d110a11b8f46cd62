import { chinaDay } from '#contract/rules/time/china-time.ts';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router';
import { gameList } from '#subjects/games/contract/games.ts';
import type { Input as CallInput } from '#contract/endpoint.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { type BlackReason, blackReasonNames } from '../rules/black.ts';
import { releaseBlack } from '#subjects/verification/contract/verification.ts';
import { market, optional } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { type FormErrors, typed } from '#web/lib/forms/form-errors.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { accountsProblem, type BlackAccount, BlackAccounts, firstBlackAccount } from './parts/trust/black-accounts.tsx';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Select, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '举报黑号', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const games = await optional(market(args).call(gameList, {}));
  const orderSn = args.url.searchParams.get('orderSn') ?? '';
  return {
    games: (games?.list ?? []).map(({ id, name }) => ({ id, name })),
    orderSn: /^\d{6,32}$/.test(orderSn) ? orderSn : '',
    today: chinaDay(new Date()),
  };
}

const MAX_PICTURES = 9;

/** Client-side validation, with the same messages as the server's. */
function problemsOf(
  { title, content, amount = '' }: CallInput<typeof releaseBlack>,
  accounts: readonly BlackAccount[],
  pictures: number,
): FormErrors {
  return {
    title: title.length < 4 ? '标题至少 4 个字' : undefined,
    accounts: accountsProblem(accounts),
    content: content.length < 10 ? '经过至少 10 个字' : undefined,
    amount: amount === '' ? undefined : (amountError(String(amount), '涉及金额') ?? undefined),
    pictures: pictures === 0 ? '请至少上传一张凭证' : undefined,
  };
}

function useReport() {
  const navigate = useNavigate();
  const [accounts, setAccounts] = useState(firstBlackAccount);
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const state = useMutation(releaseBlack, {
    draft: 'blacklist',
    fields: ['title', 'accounts', 'content', 'amount', 'happenedDay', 'orderSn', 'pictures'],
    check: (body) => problemsOf(body, accounts, pictures.length),
    done: ({ blackSn }) => {
      toast('举报已提交，等待审核', 'ok');
      void navigate(`/black/${blackSn}`);
      return true;
    },
  });
  const submit = state.submit((form) => {
    const [gameId, amount, orderSn] = [typed(form, 'gameId'), typed(form, 'amount').trim(), typed(form, 'orderSn')];
    return {
      reason: typed(form, 'reason') as BlackReason,
      title: typed(form, 'title').trim(),
      content: typed(form, 'content').trim(),
      accounts: accounts.map(({ kind, value }) => ({ kind, value: value.trim() })),
      ...(gameId && { gameId }),
      ...(amount && { amount }),
      happenedDay: typed(form, 'happenedDay'),
      ...(orderSn && { orderSn }),
      pictures: pictures.map((picture) => picture.key),
    };
  });
  return { ...state, submit, accounts, setAccounts, pictures, setPictures };
}

/** The details next to the description: game, amount, date, and the order if there is one. */
function Details({ errors }: { errors: FormErrors }) {
  const { games, orderSn, today } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label="游戏">
        {(control) => (
          <Select {...control} name="gameId" defaultValue="">
            <option value="">不限</option>
            {games.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextField
        label="涉及金额（元）"
        name="amount"
        isOptional
        inputMode="decimal"
        maxLength={12}
        error={errors.amount}
      />
      <TextField label="发生日期" name="happenedDay" type="date" isOptional max={today} error={errors.happenedDay} />
      <TextField
        label="本站订单编号"
        name="orderSn"
        isOptional
        maxLength={32}
        defaultValue={orderSn}
        error={errors.orderSn}
      />
    </div>
  );
}

/** The form to report a bad account, with evidence; it is listed only after a review. */
export default function ReportPage() {
  const { form, errors, busy, submit, accounts, setAccounts, pictures, setPictures } = useReport();
  return (
    <section className="panel mx-auto mt-4 max-w-200" aria-labelledby="report">
      <div className="panel-head">
        <h1 id="report" className="text-16 font-semibold">
          举报黑号
        </h1>
        <p>审核通过后公示；捏造事实要承担责任</p>
      </div>
      <form ref={form} method="post" noValidate className="grid gap-4 p-4 md:p-6" onSubmit={submit}>
        <div className="grid gap-4 md:grid-cols-[160px_1fr]">
          <Field label="原因" required>
            {(control) => (
              <Select {...control} name="reason" defaultValue="recovered">
                {Object.entries(blackReasonNames).map(([reason, name]) => (
                  <option key={reason} value={reason}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <TextField
            label="标题"
            name="title"
            maxLength={60}
            placeholder="一句话说清，例如：交易后三天找回账号"
            error={errors.title}
          />
        </div>
        <BlackAccounts legend="对方的账号" accounts={accounts} error={errors.accounts} onChange={setAccounts} />
        <Field label="经过" required error={errors.content}>
          {(control) => (
            <Textarea
              {...control}
              name="content"
              rows={6}
              maxLength={2000}
              placeholder="按时间写：怎么认识、怎么付款、发生了什么"
            />
          )}
        </Field>
        <Details errors={errors} />
        <EvidenceBox
          pictures={pictures}
          max={MAX_PICTURES}
          onChange={setPictures}
          error={errors.pictures}
          help="聊天记录、付款凭证、找回通知，1 到 9 张，PNG 或 JPEG，每张不超过 10M；请遮住无关人的信息。"
        />
        <FormError>{errors.send}</FormError>
        <SubmitButton busy={busy}>提交举报</SubmitButton>
      </form>
    </section>
  );
}
