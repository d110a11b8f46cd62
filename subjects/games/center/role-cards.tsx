import { Gamepad2, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { addUserRoleCardInfo, removeRoleCard, type roleCardInfoList } from '#subjects/games/contract/role-card.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { type Area, type Game, loadAreas, loadGames } from '#subjects/games/web/parts/games/catalogue.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { EmptyState, ErrorState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type RoleCard = Data<typeof roleCardInfoList>['list'][number];

/** A card as entered; '' where nothing is selected. */
interface Typed {
  gameId: string;
  areaId: string;
  serverId: string;
  roleName: string;
  roleLevel: string;
  note: string;
}

const text = (value: number | null): string => (value === null ? '' : String(value));

function typedOf(card: RoleCard | null): Typed {
  return {
    gameId: text(card?.gameId ?? null),
    areaId: text(card?.areaId ?? null),
    serverId: text(card?.serverId ?? null),
    roleName: card?.roleName ?? '',
    roleLevel: text(card?.roleLevel ?? null),
    note: card?.note ?? '',
  };
}

function problemsOf(typed: Typed): Record<string, string> {
  const level = typed.roleLevel.trim();
  return {
    ...(typed.gameId === '' && { gameId: '请选择游戏' }),
    ...(typed.roleName.trim() === '' && { roleName: '请填写角色名' }),
    ...(level !== '' && !/^[1-9]\d{0,3}$/.test(level) && { roleLevel: '等级应为 1 到 9999 的整数' }),
  };
}

/** Games, null when they could not be loaded, and the areas of the chosen one. */
function useChoices(gameId: string): { games: readonly Game[] | null; areas: readonly Area[] } {
  const [games, setGames] = useState<readonly Game[] | null>([]);
  const [areas, setAreas] = useState<{ gameId: string; list: readonly Area[] }>({ gameId: '', list: [] });
  useEffect(() => {
    void loadGames().then((list) => setGames(list ?? null));
  }, []);
  useEffect(() => {
    let isHere = true;
    if (gameId !== '')
      void loadAreas(Number(gameId)).then((list) => {
        if (isHere) setAreas({ gameId, list: list ?? [] });
      });
    return () => {
      isHere = false;
    };
  }, [gameId]);
  return { games, areas: areas.gameId === gameId ? areas.list : [] };
}

function Options({ list }: { list: readonly (readonly [id: number, name: string])[] }) {
  return (
    <>
      <option value="">请选择</option>
      {list.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  );
}

function RegionFields({
  typed,
  error,
  set,
}: {
  typed: Typed;
  error: Message | undefined;
  set: (part: Partial<Typed>) => void;
}) {
  const { games, areas } = useChoices(typed.gameId);
  const servers = areas.find(({ specialId }) => String(specialId) === typed.areaId)?.secondOptions ?? [];
  return (
    <>
      <Field label="游戏" required error={games === null ? '游戏没有加载出来，请关闭后再试' : error}>
        {(control) => (
          <Select
            {...control}
            value={typed.gameId}
            onChange={(event) => set({ gameId: event.target.value, areaId: '', serverId: '' })}
          >
            <Options list={(games ?? []).map((game) => [game.id, game.name])} />
          </Select>
        )}
      </Field>
      {areas.length > 0 && (
        <div className="grid grid-cols-2 gap-3">
          <Field label="大区">
            {(control) => (
              <Select
                {...control}
                value={typed.areaId}
                onChange={(event) => set({ areaId: event.target.value, serverId: '' })}
              >
                <Options list={areas.map((area) => [area.specialId, area.specialName])} />
              </Select>
            )}
          </Field>
          <Field label="服务器">
            {(control) => (
              <Select
                {...control}
                value={typed.serverId}
                disabled={servers.length === 0}
                onChange={(event) => set({ serverId: event.target.value })}
              >
                <Options list={servers.map((server) => [server.twoSpecialId, server.twoSpecialName])} />
              </Select>
            )}
          </Field>
        </div>
      )}
    </>
  );
}

function CardDialog({ card, onClose, onSaved }: { card: RoleCard | null; onClose: () => void; onSaved: () => void }) {
  const [typed, setTyped] = useState(() => typedOf(card));
  const { form, busy, errors, submit } = useMutation(addUserRoleCardInfo, {
    fields: ['gameId', 'roleName', 'roleLevel'],
    check: () => problemsOf(typed),
    done: () => {
      toast('角色已保存', 'ok');
      onSaved();
    },
  });
  const set = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }));
  return (
    <Dialog title={card ? '修改角色' : '添加角色'} onClose={onClose} closeOnBackdrop={false}>
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit(() => ({ ...typed, ...(card && { id: card.id }) }))}
      >
        <RegionFields typed={typed} error={errors.gameId} set={set} />
        <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-3">
          <Field label="角色名" required error={errors.roleName}>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                maxLength={40}
                value={typed.roleName}
                onChange={(event) => set({ roleName: event.target.value })}
              />
            )}
          </Field>
          <Field label="等级" error={errors.roleLevel}>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                inputMode="numeric"
                maxLength={4}
                value={typed.roleLevel}
                onChange={(event) => set({ roleLevel: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Field label="备注" help="只有您自己能看到，例如主号、小号。">
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={100}
              value={typed.note}
              onChange={(event) => set({ note: event.target.value })}
            />
          )}
        </Field>
        <FormError>{errors.send}</FormError>
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          保存
        </Button>
      </form>
    </Dialog>
  );
}

function Cards({
  list,
  onEdit,
  onDeleted,
}: {
  list: readonly RoleCard[];
  onEdit: (card: RoleCard) => void;
  onDeleted: () => void;
}) {
  const [confirmingId, setConfirmingId] = useState<number | null>(null);
  const removal = useMutation(removeRoleCard, { toasts: true, done: () => toast('角色已删除', 'ok') });
  const remove = async ({ id }: RoleCard) => {
    await removal.send({ id });
    setConfirmingId(null);
    onDeleted();
  };
  return (
    <ul className="grid gap-3 md:grid-cols-2" aria-label="常用游戏角色">
      {list.map((card) => (
        <li key={card.id} className="grid gap-1 rounded-control border border-line-soft p-3">
          <p className="flex items-baseline gap-2 text-14">
            <b className="truncate font-semibold">{card.roleName}</b>
            {card.roleLevel !== null && (
              <span className="text-12 whitespace-nowrap text-ink-3">{card.roleLevel} 级</span>
            )}
          </p>
          <p className="truncate text-12 text-ink-3">
            {[card.gameName, card.areaName, card.serverName].filter(Boolean).join(' / ')}
          </p>
          {card.note && <p className="truncate text-12 text-ink-2">{card.note}</p>}
          <p className="mt-1 flex gap-5 text-13">
            {confirmingId === card.id ? (
              <>
                <button type="button" className="hit link text-danger!" onClick={() => void remove(card)}>
                  确认删除
                </button>
                <button type="button" className="hit link" onClick={() => setConfirmingId(null)}>
                  保留
                </button>
              </>
            ) : (
              <>
                <button
                  type="button"
                  className="hit link"
                  aria-label={`修改 ${card.roleName}`}
                  onClick={() => onEdit(card)}
                >
                  修改
                </button>
                <button
                  type="button"
                  className="hit link"
                  aria-label={`删除 ${card.roleName}`}
                  onClick={() => setConfirmingId(card.id)}
                >
                  删除
                </button>
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The user's game characters, saved to prefill publishing and coin orders. */
export function RoleCards({ cards, onChanged }: { cards: readonly RoleCard[] | null; onChanged: () => void }) {
  const [open, setOpen] = useState<{ card: RoleCard | null } | null>(null);
  const add = (
    <Button size="sm" onClick={() => setOpen({ card: null })}>
      <Plus className="icon size-3.5" aria-hidden="true" />
      添加角色
    </Button>
  );
  return (
    <section className="grid gap-4 border-t border-line-soft pt-5" aria-labelledby="roles">
      <div className="flex items-center gap-3">
        <h2 id="roles" className="text-14 font-semibold">
          常用游戏角色
        </h2>
        {cards && cards.length > 0 && <span className="ml-auto">{add}</span>}
      </div>
      {cards === null ? (
        <ErrorState message="角色没有加载出来" onRetry={onChanged} />
      ) : cards.length === 0 ? (
        <EmptyState title="还没有保存角色" icon={<Gamepad2 className="icon size-8" strokeWidth={1.25} />} action={add}>
          保存后，发布商品和购买游戏币时可以直接选，不用每次重填区服和角色名。
        </EmptyState>
      ) : (
        <Cards list={cards} onEdit={(card) => setOpen({ card })} onDeleted={onChanged} />
      )}
      {open && (
        <CardDialog
          card={open.card}
          onClose={() => setOpen(null)}
          onSaved={() => {
            setOpen(null);
            onChanged();
          }}
        />
      )}
    </section>
  );
}
