import { Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from '#web/ui/class-names.ts';
import { Checkbox } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { canCombine, isEnough, missing, type PayChoice } from './pay-choice.ts';
import { ChannelMark } from './parts/pay/channel-mark.tsx';
import { methodNote } from './parts/pay/method-note.ts';
import type { PayData } from './pay-loader.ts';

/** A payment method as a full-width radio button. */
function MethodRadio({
  icon,
  title,
  note,
  checked,
  disabled = false,
  onChoose,
  children,
}: {
  icon: ReactNode;
  title: string;
  note: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChoose: () => void;
  children?: ReactNode;
}) {
  return (
    <div className={cx('border-b border-line-soft last:border-b-0', checked && 'bg-brand-25')}>
      <label className="check min-h-14 w-full items-center! gap-3! px-4 py-2 text-14!">
        <input type="radio" name="way" checked={checked} disabled={disabled} onChange={onChoose} />
        {icon}
        <span className="grid min-w-0 flex-1">
          <b className={cx('font-medium', disabled ? 'text-ink-3' : 'text-ink')}>{title}</b>
          <span className="text-12 text-ink-3">{note}</span>
        </span>
      </label>
      {children}
    </div>
  );
}

/** The payment methods of an order; an insufficient balance shows the shortfall and a link to top up. */
export function PayMethods({
  data,
  choice,
  onChoose,
}: {
  data: PayData;
  choice: PayChoice;
  onChoose: (choice: PayChoice) => void;
}) {
  const money = { coin: data.coin, total: data.order.totalPrice };
  const enough = isEnough(money);
  const here = `${data.base}/pay?orderSn=${data.order.orderSn}`;
  const combine = canCombine(money);
  return (
    <fieldset className="border-t border-line-soft">
      <legend className="sr-only">支付方式</legend>
      <MethodRadio
        icon={
          <span
            className="grid size-7 flex-none place-items-center rounded-control bg-sunken text-ink-2"
            aria-hidden="true"
          >
            <Wallet className="icon" />
          </span>
        }
        title="余额支付"
        note={
          <>
            可用 <Amount yuan={money.coin} />
            {!enough && (
              <>
                ，还差 <Amount yuan={missing(money)} />
              </>
            )}
          </>
        }
        checked={choice.method === 'balance'}
        disabled={!enough}
        onChoose={() => onChoose({ method: 'balance', useBalance: false })}
      >
        {!enough && (
          <p className="-mt-1 pb-2.5 pl-[75px] text-12">
            <Link to={`/center/myself/recharge?returnUrl=${encodeURIComponent(here)}`} className="link">
              去充值
            </Link>
            {combine && <span className="text-ink-3">，或在下面选一种方式，余额抵扣后付剩余部分</span>}
          </p>
        )}
      </MethodRadio>
      {data.methods.map(({ aliOrWx, name, ...method }) => (
        <MethodRadio
          key={aliOrWx}
          icon={<ChannelMark channel={aliOrWx} name={name} />}
          title={name}
          note={methodNote({ name, ...method })}
          checked={choice.method === aliOrWx}
          onChoose={() => onChoose({ ...choice, method: aliOrWx })}
        >
          {choice.method === aliOrWx && combine && (
            <div className="-mt-1 pb-2.5 pl-[75px]">
              <Checkbox
                checked={choice.useBalance}
                onChange={(event) => onChoose({ ...choice, useBalance: event.target.checked })}
              >
                先用余额抵扣 <Amount yuan={money.coin} />
              </Checkbox>
            </div>
          )}
        </MethodRadio>
      ))}
    </fieldset>
  );
}
