import { useState } from 'react';
import { useNavigate } from 'react-router';
import { openMiddleman } from '#subjects/middleman/contract/middleman.ts';
import { amountError } from '#contract/rules/amounts.ts';
import { type Belong, BUYS, SELLS } from '#contract/rules/parties.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';

import { ContactWatch } from '#web/parts/contact-hint.tsx';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Radio, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { dealSums, FeeSums, feeText, type FeePayer, FeePayerField } from './fee-sums.tsx';
import type { PageData } from './middleman-loader.ts';
import { TradedFields } from './traded-fields.tsx';

/** Opens a deal: subject, price and fee payer; the sums follow the input. */
export function OpenForm({ data }: { data: PageData }) {
  const navigate = useNavigate();
  const [price, setPrice] = useState('');
  const [payer, setPayer] = useState<FeePayer>('half');
  const [belong, setBelong] = useState<Belong>(SELLS);
  const { form, busy, errors, submit } = useMutation(openMiddleman, {
    draft: 'middleman',
    fields: ['title', 'accountNo', 'serverId', 'gameId', 'goodsTypeId', 'description', 'price', 'feeSide'],
    check: ({ title, gameId, goodsTypeId }) => ({
      goodsTypeId: gameId && String(goodsTypeId) === '0' ? '请选择商品类型' : undefined,
      title: title.length < 4 ? '交易内容至少 4 个字' : undefined,
      price:
        dealSums(data.fee, price, payer) === null
          ? (amountError(price.trim(), '价格') ?? '价格不能低于 1 元')
          : undefined,
    }),
    done: async ({ path }) => {
      toast('已发起，把链接发给对方', 'ok');
      await navigate(path);
      return true;
    },
  });
  const read = (element: HTMLFormElement) => {
    const text = textsOf(element);
    return {
      belong,
      title: text('title'),
      description: text('description'),
      gameId: text('gameId'),
      goodsTypeId: text('goodsTypeId') || '0',
      serverId: text('serverId'),
      accountNo: text('accountNo'),
      price: price.trim(),
      feeSide: payer,
    };
  };
  return (
    <form ref={form} noValidate className="grid gap-4 p-4" onSubmit={submit(read)}>
      <fieldset className="field">
        <legend>您是</legend>
        <span className="flex gap-6">
          <Radio name="belong" checked={belong === SELLS} onChange={() => setBelong(SELLS)}>
            卖家
          </Radio>
          <Radio name="belong" checked={belong === BUYS} onChange={() => setBelong(BUYS)}>
            买家
          </Radio>
        </span>
      </fieldset>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="交易内容" required error={errors.title} help="例如：王者荣耀 V8 账号，含典藏皮肤 2 款。">
          {(control) => (
            <ContactWatch>
              <Input {...control} name="title" maxLength={60} />
            </ContactWatch>
          )}
        </Field>
        <TradedFields games={data.games} belong={belong} errors={errors} />
        <Field label="价格（元）" required error={errors.price} help="双方谈好的价格。">
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={price}
              onChange={(event) => setPrice(event.target.value)}
            />
          )}
        </Field>
        <FeePayerField payer={payer} onChoose={setPayer} error={errors.feeSide} help={feeText(data.fee)} />
      </div>
      <Field
        label="双方约定"
        error={errors.description}
        help="交付方式、时限、换绑内容等；有争议时以此为准。不要写账号密码。"
      >
        {(control) => (
          <ContactWatch>
            <Textarea {...control} name="description" maxLength={500} rows={3} />
          </ContactWatch>
        )}
      </Field>
      <FeeSums fee={data.fee} price={price} payer={payer} />
      <FormError>{errors.send}</FormError>
      <Button type="submit" kind="primary" size="lg" busy={busy} className="justify-self-start max-md:w-full">
        发起并生成链接
      </Button>
    </form>
  );
}
