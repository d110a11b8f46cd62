import { useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { type getShopQuickCoinInfo, updateShopQuickCoin } from '#subjects/quick-coin/contract/quick-coin.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ProfileDialog } from '../web/parts/coin/profile-dialog.tsx';
import { ContactWatch } from '#web/parts/contact-hint.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type Info = Data<typeof getShopQuickCoinInfo>;
type Shop = NonNullable<Info['shop']>;

/** Closes the shop after a second click; if it cannot be closed, the reason appears next to the button. */
function Leave({ onDone }: { onDone: () => void }) {
  const [sure, setSure] = useState(false);
  const { busy, error, send } = useMutation(updateShopQuickCoin, {
    done: () => {
      toast('店铺已关闭，报价已下架', 'ok');
      onDone();
    },
  });
  return (
    <span className="grid gap-1">
      {sure ? (
        <Button kind="danger" busy={busy} onClick={() => void send({ act: 'leave' })}>
          确认关店
        </Button>
      ) : (
        <Button kind="ghost" onClick={() => setSure(true)}>
          关闭店铺
        </Button>
      )}
      {error && (
        <span className="text-12 text-danger" role="alert">
          {error}
        </span>
      )}
    </span>
  );
}

/** The shop's profile: the notice takes effect immediately; name, introduction and games are reviewed. Closing the shop is at the foot. */
export function ShopDialog({
  shop,
  games,
  onClose,
  onDone,
}: {
  shop: Shop;
  games: Info['coinGames'];
  onClose: () => void;
  onDone: () => void;
}) {
  return (
    <ProfileDialog
      title="店铺资料"
      labels={{ name: '店铺名称', games: '经营的游戏' }}
      record={shop}
      games={games}
      extra={(errors) => (
        <Field label="店铺公告" error={errors.notice} help="立即生效。">
          {(control) => (
            <ContactWatch initial={shop.notice}>
              <Textarea {...control} name="notice" maxLength={200} rows={2} defaultValue={shop.notice} />
            </ContactWatch>
          )}
        </Field>
      )}
      foot={<Leave onDone={onDone} />}
      send={(change, text, options) => call(updateShopQuickCoin, { ...change, notice: text('notice') }, options)}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
