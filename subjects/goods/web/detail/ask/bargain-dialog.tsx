import { type FormEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { bargaining } from '#subjects/offers/contract/offers.ts';
import { amountError, isPrice } from '#contract/rules/amounts.ts';
import { BARGAIN_HOURS } from '#subjects/offers/rules/bargain.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { cookie } from '#web/lib/session/cookies.ts';
import { fenOf, grouped, yuanOf } from '#web/lib/format/format.ts';
import { percentOff, quickOffers } from '#subjects/offers/web/parts/bargain/order-path.ts';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { Amount, Price } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { DetailData } from '../loader.ts';

type Rule = NonNullable<DetailData['bargain']>;

/** Why an offer cannot be made; null when it can. */
function problemOf(offer: string, price: string, floor: string | null): string | null {
  if (!isPrice(offer)) return amountError(offer, '出价') ?? '出价应为正数，最多两位小数';
  if (fenOf(offer) >= fenOf(price)) return '出价应低于商品价，想原价购买请直接下单';
  return floor && fenOf(offer) < fenOf(floor) ? `卖家不看低于 ${grouped(floor)} 元的出价，请提高一些` : null;
}

/** The all-in price of the offer, and its discount from the asking price. */
function Outcome({ offer, price, feeBp }: { offer: string; price: string; feeBp: number }) {
  if (!isPrice(offer)) return null;
  const fen = fenOf(offer);
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-13 text-ink-2" aria-live="polite">
      谈成后全包价 <Price yuan={yuanOf(fen + feeOf(fen, feeBp))} />
      <span className="text-12 text-ink-3">
        含买家服务费 <Amount yuan={yuanOf(feeOf(fen, feeBp))} />
        ，比标价低 {percentOff(fen, fenOf(price))}%
      </span>
    </p>
  );
}

function Choices({ goods, rule, offer, onChoose }: ChoicesProps) {
  const offers = quickOffers(fenOf(goods.price), fenOf(rule?.floor ?? '0')).map(yuanOf);
  if (offers.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2" role="group" aria-label="常用出价">
      {offers.map((yuan) => (
        <Button key={yuan} size="sm" aria-pressed={offer === yuan} onClick={() => onChoose(yuan)}>
          ¥{grouped(yuan)}
        </Button>
      ))}
    </div>
  );
}

interface ChoicesProps {
  goods: DetailData['goods'];
  rule: Rule | null;
  offer: string;
  onChoose: (yuan: string) => void;
}

/** Explains an offer before it is made. */
function Terms({ goods, rule }: { goods: DetailData['goods']; rule: Rule | null }) {
  return (
    <p className="text-13 text-ink-2">
      商品价 <Amount yuan={goods.price} className="font-semibold" />
      ，卖家将在 {BARGAIN_HOURS} 小时内回复；同意后 {BARGAIN_HOURS} 小时内只有您能以此价下单。
      {rule && (
        <span className="mt-1 block text-12 text-ink-3">
          最低可出 <Amount yuan={rule.floor} />
          ，该商品还可出价 {rule.triesLeft} 次
          {rule.offers > 0 && rule.highest && (
            <>
              ；{rule.offers} 人在议价，最高 <Amount yuan={rule.highest} />
            </>
          )}
        </span>
      )}
    </p>
  );
}

/** Sends the offer. After an error the input is kept; a retry makes no second offer. */
function useOffer(goods: DetailData['goods'], rule: Rule | null, onDone: () => void) {
  const navigate = useNavigate();
  const { pathname } = useLocation();

  const mutation = useMutation(bargaining, {
    check: ({ price }) => ({ send: problemOf(String(price), goods.price, rule?.floor ?? null) ?? undefined }),
    done: () => {
      toast('出价已发给卖家', 'ok');
      onDone();
      return true;
    },
  });
  /** Resolves to false when the offer failed. */
  const send = async (offer: string, message: string): Promise<boolean> => {
    if (!cookie('token') && !problemOf(offer, goods.price, rule?.floor ?? null)) {
      await navigate(`/login?returnUrl=${encodeURIComponent(pathname)}`);
      return true;
    }
    return (await mutation.send({ goodsSn: goods.goodsSn, price: offer, ...(message && { message }) })) !== undefined;
  };
  return { error: mutation.errors.send, busy: mutation.busy, send, clear: () => mutation.setErrors({}) };
}

/** The offer dialog: a suggested or entered price, the all-in price, and a short message. */
export default function BargainDialog({
  goods,
  rule,
  onClose,
  onDone,
}: {
  goods: DetailData['goods'];
  /** The bargains on this listing; null when they could not be loaded. */
  rule: Rule | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const [offer, setOffer] = useState('');
  const [message, setMessage] = useState('');
  const { error, busy, send, clear } = useOffer(goods, rule, onDone);
  const input = useRef<HTMLInputElement>(null);
  const choose = (value: string) => {
    setOffer(value);
    clear();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await send(offer, message.trim()))) input.current?.focus();
  };
  return (
    <Dialog title="议价" onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <Terms goods={goods} rule={rule} />
        <div className="grid gap-2">
          <Field label="出价（元）" required error={error}>
            {(control) => (
              <Input
                {...control}
                ref={input}
                autoFocus
                inputMode="decimal"
                autoComplete="off"
                maxLength={12}
                value={offer}
                onChange={(event) => choose(event.target.value)}
              />
            )}
          </Field>
          <Choices goods={goods} rule={rule} offer={offer} onChoose={choose} />
          <Outcome offer={offer} price={goods.price} feeBp={rule?.serviceFeeBp ?? 0} />
        </div>
        <Field label="留言" help="不要写联系方式，平台外交易不受保护">
          {(control) => (
            <>
              <Textarea
                {...control}
                maxLength={100}
                rows={2}
                value={message}
                onChange={(event) => setMessage(event.target.value)}
              />
              <ContactHint text={message} />
            </>
          )}
        </Field>
        <Button type="submit" kind="primary" size="lg" busy={busy} disabled={rule?.triesLeft === 0}>
          {rule?.triesLeft === 0 ? '出价次数已用完' : '提交出价'}
        </Button>
      </form>
    </Dialog>
  );
}
