import { codes } from '#contract/codes.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { onlySetupGoodsPrice, pushOrPullGoods, userUpdateGoodsTime } from '#subjects/goods/contract/goods.ts';
import { amountError, isPrice } from '#contract/rules/amounts.ts';
import { offerActions, type OfferAction, type OfferFees } from '../../rules/listing-states.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { call } from '#web/lib/api/api.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { NetLines } from '../sell/net-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input } from '#web/ui/forms/input.tsx';
import { Menu } from '#web/ui/overlays/menu.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { OwnGoods } from './goods-loader.ts';

const NAMES: Readonly<Record<OfferAction, string>> = {
  edit: '修改',
  price: '改价',
  push: '重新上架',
  pull: '下架',
  refresh: '刷新',
  remove: '删除',
};

/** Changes the price, with the proceeds computed while typing; stays open with the message after an error. */
function PriceDialog({
  goods,
  fees,
  onClose,
  onDone,
}: {
  goods: OwnGoods;
  fees: OfferFees;
  onClose: () => void;
  onDone: () => void;
}) {
  const [price, setPrice] = useState(goods.price);
  const { form, busy, errors, submit } = useMutation(onlySetupGoodsPrice, {
    fields: ['price'],
    check: ({ price: text }) => ({
      price: isPrice(String(text)) ? undefined : (amountError(String(text), '价格') ?? '价格应为正数，最多两位小数'),
    }),
    place: () => 'price',
    done: () => {
      toast('价格已修改', 'ok');
      onDone();
    },
  });
  return (
    <Dialog title="修改价格" onClose={onClose} closeOnBackdrop={false}>
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit(() => ({ goodsSn: goods.goodsSn, price: price.trim() }))}
      >
        <p className="line-clamp-2 text-13 text-ink-2">{goods.bigTitle}</p>
        <Field label="新价格（元）" required error={errors.price} help="改价立即生效，不需要重新审核。">
          {(control) => (
            <Input
              {...control}
              autoFocus
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              value={price}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setPrice(event.target.value)}
            />
          )}
        </Field>
        <div className="rounded-control bg-sunken p-3">
          <NetLines price={price} fees={fees} unit={goods.stock > 1} />
        </div>
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          确认改价
        </Button>
      </form>
    </Dialog>
  );
}

/** Confirms a removal, which cannot be undone. */
function RemoveDialog({ goods, onClose, onDone }: { goods: OwnGoods; onClose: () => void; onDone: () => void }) {
  const { busy, error, send } = useMutation(pushOrPullGoods, {
    done: () => {
      toast('商品已删除', 'ok');
      onDone();
    },
  });
  return (
    <Dialog
      title="删除商品"
      onClose={onClose}
      footer={
        <>
          <BackButton>保留</BackButton>
          <Button kind="danger" busy={busy} onClick={() => void send({ goodsSn: goods.goodsSn, act: 'remove' })}>
            删除
          </Button>
        </>
      }
    >
      <p className="text-14">{goods.bigTitle}</p>
      <p className="mt-2 text-13 text-ink-3">删除后不能恢复，游戏账号可以重新发布。只是暂时不卖，可以改为下架。</p>
      <FormError className="mt-2">{error}</FormError>
    </Dialog>
  );
}

/** An account whose credentials were opened goes back on sale once the seller confirms that its password was changed. */
function PasswordDialog({ goods, onClose, onDone }: { goods: OwnGoods; onClose: () => void; onDone: () => void }) {
  const [isChanged, setChanged] = useState(false);
  const { busy, error, setErrors, send } = useMutation(pushOrPullGoods, {
    check: ({ passwordChanged }) => ({ send: passwordChanged ? undefined : '请先修改密码，再勾选“已修改密码”' }),
    done: () => {
      toast('已重新上架', 'ok');
      onDone();
    },
  });
  return (
    <Dialog
      title="先修改密码，再上架"
      onClose={onClose}
      footer={
        <>
          <BackButton>以后再说</BackButton>
          <Button
            kind="primary"
            busy={busy}
            onClick={() => void send({ goodsSn: goods.goodsSn, act: 'push', passwordChanged: isChanged })}
          >
            重新上架
          </Button>
        </>
      }
    >
      <p className="text-14">{goods.bigTitle}</p>
      <p className="mt-2 text-13 text-ink-3">
        上一笔订单里，买家或客服查看过这个账号的密码。请先在游戏里修改密码并退出其他设备；您的确认会留在商品记录里。
      </p>
      <Checkbox
        className="mt-3"
        checked={isChanged}
        onChange={(event) => {
          setChanged(event.target.checked);
          setErrors({});
        }}
      >
        已修改密码
      </Checkbox>
      <FormError className="mt-2">{error}</FormError>
    </Dialog>
  );
}

const CHANGED = { refresh: '已刷新到最新', push: '已重新上架', pull: '已下架，随时可以重新上架' } as const;

/** The actions of a seller on one listing: the most likely one as a button, the others in a menu. */
export function GoodsActions({ goods, fees }: { goods: OwnGoods; fees: OfferFees }) {
  const { revalidate } = useRevalidator();
  const [dialog, setDialog] = useState<'price' | 'remove' | 'password' | null>(null);
  const change = useMutation(
    async (action: 'refresh' | 'push' | 'pull', options): Promise<unknown> =>
      action === 'refresh'
        ? await call(userUpdateGoodsTime, { goodsSn: goods.goodsSn }, options)
        : await call(pushOrPullGoods, { goodsSn: goods.goodsSn, act: action }, options),
    {
      toasts: true,
      revalidates: true,
      failed: (failure) => {
        if (!isError(failure, codes.GOODS_PASSWORD_DUE)) return undefined;
        setDialog('password');
        return {};
      },
      done: (_, action) => toast(CHANGED[action], 'ok'),
    },
  );
  const [first, ...others] = offerActions(goods.status);
  if (first === undefined) return null;

  const done = async () => {
    setDialog(null);
    await revalidate();
  };
  const run = (action: OfferAction) => {
    if (action === 'price' || action === 'remove') setDialog(action);
    else if (action !== 'edit') void change.send(action);
  };
  const editPath = `/center/sell?goodsSn=${goods.goodsSn}`;
  const visible: readonly OfferAction[] = [first, ...others.slice(0, 1)];
  const rest = others.slice(1);
  return (
    <span className="flex items-center gap-2">
      {visible.map((action) =>
        action === 'edit' ? (
          <Link key={action} to={editPath} className="btn btn-sm">
            {NAMES[action]}
          </Link>
        ) : (
          <Button key={action} size="sm" busy={change.busy && action !== 'price'} onClick={() => run(action)}>
            {NAMES[action]}
          </Button>
        ),
      )}
      {rest.length > 0 && (
        <Menu
          label={`${goods.goodsSn} 的更多操作`}
          trigger={(props) => (
            <button type="button" {...props} className="btn btn-sm btn-icon" aria-label="更多操作">
              <Ellipsis className="icon" aria-hidden="true" />
            </button>
          )}
        >
          {() => (
            <>
              {rest.map((action) =>
                action === 'edit' ? (
                  <Link key={action} to={editPath} role="menuitem" className="menu-item">
                    {NAMES[action]}
                  </Link>
                ) : (
                  <button
                    key={action}
                    type="button"
                    role="menuitem"
                    className={action === 'remove' ? 'menu-item text-danger' : 'menu-item'}
                    onClick={() => run(action)}
                  >
                    {NAMES[action]}
                  </button>
                ),
              )}
              {goods.status === GoodsStatus.OnSale && (
                <Link to={`/wares/${goods.goodsSn}/timePurchase`} role="menuitem" className="menu-item">
                  限时价
                </Link>
              )}
            </>
          )}
        </Menu>
      )}
      {dialog === 'price' && (
        <PriceDialog goods={goods} fees={fees} onClose={() => setDialog(null)} onDone={() => void done()} />
      )}
      {dialog === 'password' && (
        <PasswordDialog goods={goods} onClose={() => setDialog(null)} onDone={() => void done()} />
      )}
      {dialog === 'remove' && <RemoveDialog goods={goods} onClose={() => setDialog(null)} onDone={() => void done()} />}
    </span>
  );
}
