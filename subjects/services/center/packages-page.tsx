import { PackageStatus } from '#contract/rules/statuses.ts';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import type { updateAccompanyer } from '#subjects/services/contract/accompanyer.ts';
import type { getBoosterInfo, updateBooster } from '#subjects/services/contract/booster.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '#web/lib/api/api.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Figures } from '#subjects/quick-coin/web/parts/coin/own-offer-row.tsx';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { NeedsDeposit } from './needs-deposit.tsx';
import { type Package, type PackageChange, PackageDialog } from './package-dialog.tsx';
import type { Role } from './role.ts';

type Info = Data<typeof getBoosterInfo>;
type Own = Pick<
  NonNullable<Info['booster']>,
  'name' | 'online' | 'hasPending' | 'deposit' | 'games' | 'packages' | 'status'
>;
/** The call that changes the record of a role with its packages. */
export type UpdateRole = typeof updateBooster | typeof updateAccompanyer;

interface Change {
  isOnline?: '0' | '1';
  packages?: PackageChange[];
}

/** Changes the record; a toast shows the result. */
const useChange = (update: UpdateRole) =>
  useMutation(async (change: Change, options: SendOptions) => await call(update, change, options), {
    toasts: true,
    revalidates: true,
  });

function Head({
  role,
  own,
  update,
  figures,
  tools,
}: {
  role: Role;
  own: Own;
  update: UpdateRole;
  figures: [string, string][];
  tools: ReactNode;
}) {
  const { busy, send } = useChange(update);
  return (
    <section className="panel" aria-labelledby="provider">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5">
        <h1 id="provider" className="text-16 font-semibold">
          {own.name}
        </h1>
        <Tag tone={own.online ? 'safe' : 'attn'}>{own.online ? '接单中' : '休息中'}</Tag>
        {own.hasPending && <Tag tone="attn">资料修改审核中</Tag>}
        <span className="ml-auto flex flex-wrap gap-2">
          {tools}
          <Button size="sm" busy={busy} onClick={() => void send({ isOnline: own.online ? '0' : '1' })}>
            {own.online ? '转为休息' : '开始接单'}
          </Button>
        </span>
      </div>
      {own.deposit.level === 0 && <NeedsDeposit role={role} what="不能发布套餐" className="mx-4 mb-3.5" />}
      <Figures figures={figures} className="grid-cols-2 md:grid-cols-4" />
    </section>
  );
}

/** The fields of a package as the request input. */
const changeOf = (pack: Package, status: number): PackageChange => ({
  packageSn: pack.packageSn,
  gameId: pack.gameId,
  ...(pack.kind !== null && { kind: pack.kind }),
  title: pack.title,
  scope: pack.scope,
  unit: pack.unit,
  price: pack.price,
  minNum: pack.minNum,
  maxNum: pack.maxNum,
  minutes: pack.minutes,
  mode: pack.mode,
  safetyDeposit: pack.safetyDeposit,
  efficiencyDeposit: pack.efficiencyDeposit,
  milestones: pack.milestones,
  status,
});

/** Asks for confirmation before a package is deleted. */
function RemoveDialog({ pack, update, onClose }: { pack: Package; update: UpdateRole; onClose: () => void }) {
  const { revalidate } = useRevalidator();
  return (
    <ConfirmDialog
      title="删除套餐"
      action="删除"
      danger
      question={`「${pack.title}」删除后不能恢复，已下的订单不受影响。`}
      send={(_, options) => call(update, { packages: [changeOf(pack, PackageStatus.Removed)] }, options)}
      onDone={() => {
        onClose();
        toast('已删除', 'ok');
        void revalidate();
      }}
      onClose={onClose}
    />
  );
}

function PackageRow({ pack, update, onEdit }: { pack: Package; update: UpdateRole; onEdit: () => void }) {
  const { busy, send } = useChange(update);
  const [isRemoving, setRemoving] = useState(false);
  const set = (status: number) => void send({ packages: [changeOf(pack, status)] });
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line-soft px-4 py-3.5">
      <div className="min-w-0 flex-1 max-md:basis-full">
        <p className="flex items-center gap-2 text-14 font-medium">
          {pack.goodsSn ? (
            <Link to={`/detail/${pack.goodsSn}`} className="truncate hover:text-link">
              {pack.title}
            </Link>
          ) : (
            pack.title
          )}
          <Tag tone={pack.isOnSale ? 'safe' : 'attn'}>{pack.statusName}</Tag>
        </p>
        <p className="mt-1 text-12 text-ink-3">
          {pack.gameName}，{pack.modeName}
          {pack.unit === '小时' ? `，每单最多 ${pack.maxNum} 小时` : `，${Math.round(pack.minutes / 6) / 10} 小时`}
          {pack.milestones.length > 0 && `，分 ${pack.milestones.length} 段`}，已完成 {pack.soldNum} 单
        </p>
        {pack.reviewNote && <p className="mt-1 text-12 text-danger">未通过：{pack.reviewNote}</p>}
      </div>
      <p className="text-14 font-semibold">
        <Amount yuan={pack.price} />
        <span className="text-12 font-normal text-ink-3">/{pack.unit}</span>
      </p>
      <div className="flex gap-2">
        <Button size="sm" onClick={onEdit}>
          修改
        </Button>
        <Button
          size="sm"
          busy={busy}
          onClick={() => set(pack.status === PackageStatus.On ? PackageStatus.Off : PackageStatus.On)}
        >
          {pack.status === PackageStatus.On ? '下架' : '上架'}
        </Button>
        <Button size="sm" onClick={() => setRemoving(true)}>
          删除
        </Button>
      </div>
      {isRemoving && <RemoveDialog pack={pack} update={update} onClose={() => setRemoving(false)} />}
    </li>
  );
}

/** The viewer's packages in a role of services, and whether they take orders; `tools` are more buttons, `children` more panels below. */
export function PackagesPage({
  role,
  own,
  games: all,
  update,
  figures,
  hint,
  tools,
  children,
}: {
  role: Role;
  own: Own;
  games: Info['serviceGames'];
  update: UpdateRole;
  figures: [string, string][];
  hint: string;
  tools?: ReactNode;
  children?: ReactNode;
}) {
  const { revalidate } = useRevalidator();
  const [editing, setEditing] = useState<Package | 'new' | null>(null);
  const games = all.filter(({ gameId }) => own.games.some((game) => game.gameId === gameId));
  return (
    <div className="grid gap-4">
      <Head role={role} own={own} update={update} figures={figures} tools={tools} />
      <section className="panel" aria-labelledby="packages">
        <div className="panel-head">
          <h2 id="packages">{role.service}套餐</h2>
          <p className="max-md:hidden">改价立即生效，改内容需重新审核；已下的订单不变</p>
          <Button kind="primary" size="sm" className="ml-auto" onClick={() => setEditing('new')}>
            <Plus className="icon" aria-hidden="true" />
            发布套餐
          </Button>
        </div>
        {own.packages.length === 0 ? (
          <EmptyState title="还没有套餐" action={<Button onClick={() => setEditing('new')}>发布第一个套餐</Button>}>
            {hint}
          </EmptyState>
        ) : (
          <ul aria-label={`${role.service}套餐`}>
            {own.packages.map((pack) => (
              <PackageRow key={pack.packageSn} pack={pack} update={update} onEdit={() => setEditing(pack)} />
            ))}
          </ul>
        )}
      </section>
      {children}
      {editing !== null && (
        <PackageDialog
          typeId={role.typeId}
          update={update}
          games={games}
          pack={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onDone={() => {
            setEditing(null);
            void revalidate();
          }}
        />
      )}
    </div>
  );
}
