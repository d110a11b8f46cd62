import { Download, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import {
  exportGameFile,
  gameStates,
  setGameStatus,
  type StaffGame,
  staffGameList,
} from '#subjects/games/contract/staff-games.ts';
import { gameTypeNames } from '#contract/rules/catalogue.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt, shortAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { CreateDialog } from './games/create-dialog.tsx';
import { ImportDialog } from './games/import-dialog.tsx';
import { StateTag } from './games/state-tag.tsx';
import { saveText } from '#web/lib/media/save-file.ts';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { FilterBar, FilterKeyword, FilterSelect } from '#subjects/back-office/staff/parts/filter-bar.tsx';
import { ReasonDialog } from '#subjects/back-office/staff/parts/dialogs/reason-dialog.tsx';
import { StatusTabs } from '#subjects/back-office/staff/parts/status-tabs.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '游戏与目录', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const of = (name: string) => args.url.searchParams.get(name) || undefined;
  const state = gameStates.find((one) => one === of('state'));
  return await market(args).call(staffGameList, { state, keyWord: of('keyWord'), type: of('type') });
}

/** Asks for the reason, then shows the game on the sites or hides it. */
function StatusDialog({ game, onClose }: { game: StaffGame; onClose: () => void }) {
  const { revalidate } = useRevalidator();
  const open = game.state === 'hidden';
  return (
    <ReasonDialog
      title={`${open ? '恢复显示' : '隐藏'}：${game.name}`}
      action={open ? '恢复显示' : '隐藏'}
      danger={!open}
      question={
        open
          ? '2 秒内全站可见，原来在售的商品回到列表和搜索。'
          : `2 秒内前台不再显示这个游戏和它的 ${grouped(game.onSale)} 件在售商品，不能发布和下单；已有的订单照常进行，商品都留着。`
      }
      reasons={open ? ['恢复运营'] : ['游戏停运', '版号暂停', '规则整改']}
      reasonLabel="原因"
      isReasonNeeded
      send={(reason, options) => call(setGameStatus, { gameId: game.gameId, open, reason }, options)}
      onDone={() => {
        toast(open ? '已恢复显示' : '已隐藏', 'ok');
        onClose();
        void revalidate();
      }}
      onClose={onClose}
    />
  );
}

function GameRow({ game, may, onStatus }: { game: StaffGame; may: boolean; onStatus: () => void }) {
  const { gameId, draft } = game;
  return (
    <tr>
      <td data-wide="">
        <Link to={`/backstage/games/${gameId}`} className="flex items-center gap-2.5">
          <img src={game.icon} alt="" width={32} height={32} className="size-8 flex-none rounded-control" />
          <span className="min-w-0">
            <b className="block font-medium hover:text-link">{game.name}</b>
            <span className="text-12 text-ink-3">
              {game.code}，{gameTypeNames[game.gameType]}
              {game.hot > 0 && <span className="whitespace-nowrap">，热门第 {game.hot}</span>}
            </span>
          </span>
        </Link>
      </td>
      <td>
        <StateTag state={game.state} />
      </td>
      <td className="num" data-label="在售">
        {grouped(game.onSale)}
      </td>
      <td className="num" data-label="大区与服务器">
        {game.areas} / {game.servers}
      </td>
      <td className="num" data-label="填写项">
        {game.fields}
      </td>
      <td className="text-12 text-ink-2">{game.goodsTypes.join('、')}</td>
      <td className="text-12 text-ink-3" data-label="版本">
        {game.version > 0 && <span className="whitespace-nowrap">线上第 {game.version} 版</span>}
        {draft && (
          <span className="block whitespace-nowrap text-attn" title={fullAt(draft.time)}>
            {draft.isMine ? '我' : (draft.staffName ?? '系统')} {shortAt(draft.time)} 的草稿
          </span>
        )}
      </td>
      <td className="num">
        <Link to={`/backstage/games/${gameId}`} className="link">
          编辑
        </Link>
        {may && game.state !== 'new' && (
          <Button size="sm" kind="ghost" className="ml-1" onClick={onStatus}>
            {game.state === 'open' ? '隐藏' : '显示'}
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Every game with its counts, visibility and current editor; import and export of files. */
export default function GamesPage() {
  const { list, counts, may } = useLoaderData<typeof loader>();
  const [chosen, setChosen] = useState<StaffGame | null>(null);
  const [dialog, setDialog] = useState<'create' | 'import' | null>(null);
  const exporting = useMutation(exportGameFile, {
    toasts: true,
    done: ({ fileName, file }) => saveText(fileName, file, 'application/json'),
  });
  const total = counts.open + counts.hidden + counts.new;
  return (
    <>
      <div className="admin-head">
        <h1>游戏与目录</h1>
        <p>{total} 个游戏</p>
        <div className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
          <FilterBar names={['keyWord', 'type']} preserve={['state']}>
            <FilterSelect
              name="type"
              label="类型"
              all="类型不限"
              options={[
                [1, '端游'],
                [2, '手游'],
              ]}
            />
            <FilterKeyword placeholder="名称、拼音、编码、别名" />
          </FilterBar>
          {total > 0 && (
            <Button size="sm" busy={exporting.busy} onClick={() => void exporting.send({})}>
              <Download className="icon size-3.5" aria-hidden="true" />
              全部导出
            </Button>
          )}
          {may.publish && (
            <Button size="sm" onClick={() => setDialog('import')}>
              <Upload className="icon size-3.5" aria-hidden="true" />
              导入
            </Button>
          )}
          {may.edit && (
            <Button size="sm" kind="primary" onClick={() => setDialog('create')}>
              <Plus className="icon size-3.5" aria-hidden="true" />
              新建游戏
            </Button>
          )}
        </div>
      </div>
      <div className="panel overflow-hidden">
        <StatusTabs
          name="state"
          label="游戏的状态"
          items={[
            { key: '', text: '全部' },
            { key: 'open', text: '前台可见', count: counts.open },
            { key: 'hidden', text: '已隐藏', count: counts.hidden },
            { key: 'new', text: '未发布', count: counts.new },
          ]}
        />
        {list.length === 0 ? (
          <EmptyState title={total === 0 ? '目录里还没有游戏' : '没有符合条件的游戏'}>
            {total === 0 ? '从随程序附带的目录导入几个，或新建一个。' : '换一个条件，或新建游戏。'}
          </EmptyState>
        ) : (
          <AdminTable
            columns={[
              '游戏',
              '状态',
              { num: '在售' },
              { num: '大区 / 服务器' },
              { num: '填写项' },
              '商品类型',
              '版本',
              { num: '操作' },
            ]}
          >
            {list.map((game) => (
              <GameRow key={game.gameId} game={game} may={may.publish} onStatus={() => setChosen(game)} />
            ))}
          </AdminTable>
        )}
      </div>
      {chosen && <StatusDialog game={chosen} onClose={() => setChosen(null)} />}
      {dialog === 'create' && <CreateDialog games={list} onClose={() => setDialog(null)} />}
      {dialog === 'import' && <ImportDialog onClose={() => setDialog(null)} />}
    </>
  );
}
