import { CircleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { type getShopQuickCoinInfo, updateShopQuickCoin } from '#contract/quick-coin.ts';
import { call, newIdempotencyKey } from '#web/lib/api.ts';
import { type Errors, errorsBy, textsOf } from '#web/parts/coin/form-words.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field, useFocusFirstError } from '#web/ui/field.tsx';
import { Checkbox, Input, Textarea } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast-store.ts';

type Info = Data<typeof getShopQuickCoinInfo>;
type Shop = NonNullable<Info['shop']>;

const LABELS = { name: '名称', intro: '介绍', notice: '公告', games: '游戏' };

/** Same numbers in any order. */
const sameSet = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

/** The shop's record: the notice counts at once, name, introduction and games wait for review. Closing the shop stands at the foot. */
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
  const before = shop.games.map((g) => g.gameId);
  const [chosen, setChosen] = useState<readonly number[]>(before);
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const form = useFocusFirstError(errors);
  const send = async (body: Parameters<typeof call<typeof updateShopQuickCoin>>[1], words: string) => {
    setBusy(true);
    try {
      await call(updateShopQuickCoin, body, { idempotencyKey: newIdempotencyKey(), quiet: true });
      toast(words, 'ok');
      onDone();
    } catch (thrown) {
      setErrors(errorsBy(thrown, LABELS));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const wrong: Errors = {
      ...(text('name').length < 2 && { name: '店铺名称至少 2 个字' }),
      ...(chosen.length === 0 && { games: '请至少选择一个游戏' }),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    const shown = {
      ...(text('name') !== shop.name && { name: text('name') }),
      ...(text('intro') !== shop.intro && { intro: text('intro') }),
      ...(!sameSet(chosen, before) && { gameIds: [...chosen] }),
    };
    const body = { ...shown, notice: text('notice') };
    void send(body, Object.keys(shown).length > 0 ? '已提交，名称、介绍和游戏审核后生效' : '已保存');
  };
  return (
    <Dialog title="店铺资料" onClose={onClose} closeOnBackdrop={false}>
      <form ref={form} noValidate className="grid gap-4" onSubmit={submit}>
        <Field label="店铺名称" required error={errors.name} help="修改后需审核。">
          {(control) => <Input {...control} name="name" maxLength={24} defaultValue={shop.name} />}
        </Field>
        <Field label="介绍" error={errors.intro} help="修改后需审核。">
          {(control) => <Textarea {...control} name="intro" maxLength={500} rows={3} defaultValue={shop.intro} />}
        </Field>
        <Field label="店铺公告" error={errors.notice} help="立即生效。">
          {(control) => <Textarea {...control} name="notice" maxLength={200} rows={2} defaultValue={shop.notice} />}
        </Field>
        <fieldset className="field">
          <legend>经营的游戏</legend>
          <div className="grid grid-cols-2 gap-2">
            {games.map(({ gameId, name }) => (
              <Checkbox
                key={gameId}
                checked={chosen.includes(gameId)}
                onChange={(event) =>
                  setChosen(event.target.checked ? [...chosen, gameId] : chosen.filter((id) => id !== gameId))
                }
              >
                {name}
              </Checkbox>
            ))}
          </div>
          {errors.games && <p className="field-error">{errors.games}</p>}
        </fieldset>
        {errors.send && (
          <p className="field-error" role="alert">
            <CircleAlert className="icon mt-px size-3.5" aria-hidden="true" />
            {errors.send}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <span className="mr-auto">
            {leaving ? (
              <Button kind="danger" busy={busy} onClick={() => void send({ act: 'leave' }, '店铺已关闭，报价已下架')}>
                确认关店
              </Button>
            ) : (
              <Button kind="ghost" onClick={() => setLeaving(true)}>
                关闭店铺
              </Button>
            )}
          </span>
          <Button onClick={onClose} disabled={busy}>
            返回
          </Button>
          <Button type="submit" kind="primary" busy={busy}>
            保存
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
