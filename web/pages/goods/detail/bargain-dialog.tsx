import { type FormEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { bargaining } from '#contract/goods-offers.ts';
import { isPrice } from '#contract/rules/amounts.ts';
import { BARGAIN_HOURS } from '#contract/rules/bargain.ts';
import { call, newIdempotencyKey } from '#web/lib/api.ts';
import { isApiFailure } from '#web/lib/api-failure.ts';
import { cookie } from '#web/lib/cookies.ts';
import { fenOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input, Textarea } from '#web/ui/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/toast-store.ts';
import type { DetailData } from './loader.ts';

/** Why an offer cannot be made; null when it can. */
function problemOf(offer: string, price: string): string | null {
  if (!isPrice(offer)) return '请输入正数，最多两位小数';
  return fenOf(offer) >= fenOf(price) ? '出价应低于商品价，想原价购买请直接下单' : null;
}

/** An offer to the seller. What was typed stays when it is refused; asking twice makes one offer. */
export default function BargainDialog({ goods, onClose }: { goods: DetailData['goods']; onClose: () => void }) {
  const [offer, setOffer] = useState('');
  const [message, setMessage] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const key = useRef(newIdempotencyKey());
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { pathname } = useLocation();

  const fail = (words: string) => {
    setError(words);
    setBusy(false);
    input.current?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const problem = problemOf(offer, goods.price);
    if (problem) return fail(problem);
    if (!cookie('token')) return void navigate(`/login?returnUrl=${encodeURIComponent(pathname)}`);
    setBusy(true);
    try {
      const input = { goodsSn: goods.goodsSn, price: offer, ...(message.trim() && { message: message.trim() }) };
      await call(bargaining, input, { idempotencyKey: key.current, quiet: true });
      toast('出价已发给卖家', 'ok');
      onClose();
    } catch (thrown) {
      key.current = newIdempotencyKey();
      fail(isApiFailure(thrown) ? thrown.msg : '网络超时');
    }
  };

  return (
    <Dialog title="议价" onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <p className="text-13 text-ink-2">
          商品价 <Amount yuan={goods.price} className="font-semibold" />
          ，卖家有 {BARGAIN_HOURS} 小时回复；同意后 {BARGAIN_HOURS} 小时内只有您能以此价下单。
        </p>
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
              onChange={(event) => {
                setOffer(event.target.value);
                setError(null);
              }}
            />
          )}
        </Field>
        <Field label="留言" help="不要写联系方式，平台外交易不受保护">
          {(control) => (
            <Textarea
              {...control}
              maxLength={100}
              rows={2}
              value={message}
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          发出报价
        </Button>
      </form>
    </Dialog>
  );
}
