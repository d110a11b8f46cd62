import { Download } from 'lucide-react';
import { useState } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigate,
  useRevalidator,
  useSearchParams,
} from 'react-router';
import { exportGameFile, staffGameInfo } from '#subjects/games/contract/staff-games.ts';
import { type GamePart, gamePartNames, gameParts } from '../rules/game-diff.ts';
import { gameIconUrl } from '../rules/game-icon.ts';
import { partOfKey } from '../rules/game-merge.ts';
import type { GameDoc } from '#subjects/games/contract/game-doc.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { AliasesTab } from './games/aliases-tab.tsx';
import { AreasTab } from './games/areas-tab.tsx';
import { BaseTab } from './games/base-tab.tsx';
import { CoinTab } from './games/coin-tab.tsx';
import { FieldsTab } from './games/fields-tab.tsx';
import { EffectList, type Effects, PublishDialog, useEffects } from './games/publish-dialog.tsx';
import { StateTag } from './games/state-tag.tsx';
import { StepsTab } from './games/steps-tab.tsx';
import { TypesTab } from './games/types-tab.tsx';
import { type GameForm, useGameForm } from './games/use-game-form.ts';
import { VersionsTab } from './games/versions-tab.tsx';
import { saveText } from '#web/lib/media/save-file.ts';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '编辑游戏', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await market(args).call(staffGameInfo, { gameId: args.params.id ?? '' });
}

type Tab = GamePart | 'versions';
const TABS: readonly Tab[] = ['base', 'areas', 'types', 'fields', 'handover', 'coin', 'aliases', 'versions'];

/** The part that a message's path belongs to. */
const partOfPath = (path: string): GamePart => partOfKey[path.split('.')[0] as keyof GameDoc] ?? 'base';

function EditorTabs({ form, tab }: { form: GameForm; tab: Tab }) {
  const faults = Object.entries(form.errors).flatMap(([path, text]) => (text ? [partOfPath(path)] : []));
  const countOf = (part: Tab): number => {
    if (part === 'areas') return form.doc.areas.reduce((n, a) => n + 1 + a.servers.length, 0);
    if (part === 'types') return form.doc.goodsTypes.length;
    if (part === 'fields') return form.doc.fields.filter((f) => !f.retired).length;
    if (part === 'aliases') return form.doc.aliases.length;
    return part === 'versions' ? form.info.versions.length : 0;
  };
  return (
    <LinkTabs
      label="游戏的部分"
      className="admin-tabs"
      items={TABS.map((part) => {
        const wrong = faults.filter((p) => p === part).length;
        const changed = form.changes.filter((c) => c.part === part).length;
        return {
          key: part,
          label: part === 'versions' ? '版本' : gamePartNames[part],
          to: `?tab=${part}`,
          isCurrent: part === tab,
          ...(wrong > 0
            ? { badge: <Tag tone="danger">{wrong} 处有误</Tag> }
            : changed > 0
              ? { badge: <small className="text-12 font-normal text-attn">{changed} 处改动</small> }
              : { count: countOf(part) }),
        };
      })}
    />
  );
}

/** When the draft was last saved, or why it is not saved. */
function SaveState({ form }: { form: GameForm }) {
  const { saved, isDirty, failed, conflict, problems, disabled } = form;
  if (disabled) return <span className="text-ink-3">只能查看</span>;
  if (conflict) return <span className="text-attn">已暂停保存</span>;
  if (failed) return <span className="text-danger">{failed}，改动还在页面里</span>;
  if (isDirty && problems.length > 0) return <span className="text-attn">有填错的地方，改好就会保存</span>;
  if (isDirty) return <span className="text-ink-3">正在保存…</span>;
  if (saved.rev === 0) return <span className="text-ink-3">没有草稿</span>;
  return (
    <span className="text-ink-3">
      {saved.by ? `${saved.by}的草稿` : '草稿'} {saved.time && shortAt(saved.time)} 已保存
    </span>
  );
}

/** Warnings that need a decision first: another editor's save, a newer version, errors. */
function Notices({ form }: { form: GameForm }) {
  const { conflict, info, saved } = form;
  const isStale = saved.rev > 0 && saved.base !== info.version;
  return (
    <>
      {conflict && (
        <div
          className="mb-3 flex flex-wrap items-center gap-2 rounded-control bg-attn-bg px-3 py-2 text-13 text-attn"
          role="alert"
        >
          <span className="mr-auto">{conflict.text}</span>
          {conflict.theirs && (
            <Button size="sm" onClick={() => form.settle(conflict.theirs)}>
              用对方的值
            </Button>
          )}
          <Button size="sm" onClick={() => form.settle(null)}>
            {conflict.theirs ? '用我的值，继续保存' : '看过了，继续保存'}
          </Button>
        </div>
      )}
      {!conflict && isStale && !form.disabled && (
        <div
          className="mb-3 flex flex-wrap items-center gap-2 rounded-control bg-attn-bg px-3 py-2 text-13 text-attn"
          role="status"
        >
          <span className="mr-auto">
            线上已是第 {info.version} 版（{info.versions[0]?.staffName ?? '系统'}：{info.versions[0]?.reason}
            ），草稿从第 {saved.base} 版改起，合并后才能发布
          </span>
          <Button size="sm" onClick={() => void form.rebase()}>
            合并线上的改动
          </Button>
        </div>
      )}
    </>
  );
}

/** Deletes the draft after confirmation; a game that was never published is deleted with it. */
function DropDialog({ form, onClose }: { form: GameForm; onClose: () => void }) {
  const navigate = useNavigate();
  const isNew = form.info.version === 0;
  return (
    <ConfirmDialog
      title={isNew ? '放弃这个新游戏' : '放弃改动'}
      action="放弃"
      danger
      question={
        isNew
          ? `「${form.doc.name}」还没有发布过，放弃后整个删去。`
          : `草稿里的 ${form.changes.length} 处改动都会丢掉，回到线上第 ${form.info.version} 版。`
      }
      send={async () => {
        const done = await form.drop();
        if (done === undefined) return;
        if (done.isGone) await navigate('/backstage/games');
        else window.location.reload();
      }}
      onDone={onClose}
      onClose={onClose}
    />
  );
}

function Head({ form, onPublish }: { form: GameForm; onPublish: () => void }) {
  const { info, doc, saved, isDirty, problems, conflict } = form;
  const [dropping, setDropping] = useState(false);
  const exporting = useMutation(exportGameFile, {
    toasts: true,
    done: ({ fileName, file }) => saveText(fileName, file, 'application/json'),
  });
  const isReady = saved.rev > 0 && !isDirty && conflict === null;
  return (
    <div className="admin-head">
      <img
        src={gameIconUrl({ ...doc, hue: Number.isFinite(doc.hue) ? doc.hue : 0 })}
        alt=""
        width={28}
        height={28}
        className="size-7 rounded-control"
      />
      <h1>{doc.name || '未命名'}</h1>
      <StateTag state={info.state} />
      <p className="text-12 text-ink-3">
        <Link to="/backstage/games" className="hover:text-link">
          游戏与目录
        </Link>
        {info.version > 0 && ` / 在售 ${grouped(info.onSale)} 件，线上第 ${info.version} 版`}
      </p>
      <span className="text-12" role="status">
        <SaveState form={form} />
      </span>
      <div className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
        {info.version > 0 && (
          <Button size="sm" busy={exporting.busy} onClick={() => void exporting.send({ codes: [info.doc.code] })}>
            <Download className="icon size-3.5" aria-hidden="true" />
            导出
          </Button>
        )}
        {info.may.edit && saved.rev > 0 && (
          <Button size="sm" onClick={() => setDropping(true)}>
            放弃改动
          </Button>
        )}
        {info.may.publish && (
          <Button
            size="sm"
            kind="primary"
            disabled={!isReady || saved.base !== info.version}
            onClick={() =>
              problems.length > 0
                ? toast(`还有 ${problems.length} 处要改，标红的地方改好才能发布`, 'warn')
                : onPublish()
            }
          >
            发布第 {info.version + 1} 版
          </Button>
        )}
      </div>
      {dropping && <DropDialog form={form} onClose={() => setDropping(false)} />}
    </div>
  );
}

/** The field that a message is about, by name: it may be in the form of another goods type. */
function fieldOf(doc: GameDoc, path: string): string {
  const label = doc.fields[Number(/^fields\.(\d+)\./.exec(path)?.[1] ?? -1)]?.label;
  return label ? `「${label}」` : '';
}

/** Everything that prevents publishing the draft, and the effects of publishing it. */
function Foot({ form, effects }: { form: GameForm; effects: Effects }) {
  const { problems, saved } = form;
  if (saved.rev === 0) return null;
  return (
    <section className="panel mt-4" aria-label="发布前">
      <div className="panel-head">
        <h2>{problems.length > 0 ? `还有 ${problems.length} 处要改` : `发布第 ${form.info.version + 1} 版会怎样`}</h2>
      </div>
      <div className="p-4">
        {problems.length > 0 ? (
          <ul className="grid gap-1 text-13">
            {problems.slice(0, 12).map(({ path, text }) => (
              <li key={`${path} ${text}`}>
                <Link to={`?tab=${partOfPath(path)}`} className="link" preventScrollReset>
                  {gamePartNames[partOfPath(path)]}
                </Link>
                <span className="ml-2 text-danger">
                  {fieldOf(form.doc, path)}
                  {text}
                </span>
              </li>
            ))}
            {problems.length > 12 && <li className="text-12 text-ink-3">另有 {problems.length - 12} 处</li>}
          </ul>
        ) : (
          <EffectList effects={effects} />
        )}
      </div>
    </section>
  );
}

/** The fields of one part. */
function PartFields({ part, form }: { part: GamePart; form: GameForm }) {
  if (part === 'base') return <BaseTab form={form} />;
  if (part === 'areas') return <AreasTab form={form} />;
  if (part === 'types') return <TypesTab form={form} />;
  if (part === 'fields') return <FieldsTab form={form} />;
  if (part === 'handover') return <StepsTab form={form} />;
  return part === 'coin' ? <CoinTab form={form} /> : <AliasesTab form={form} />;
}

function Editor() {
  const info = useLoaderData<typeof loader>();
  const form = useGameForm(info);
  const [search] = useSearchParams();
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [publishing, setPublishing] = useState(false);
  const effects = useEffects(info.gameId, form.saved.rev);
  const wanted = search.get('tab');
  const tab = TABS.find((one) => one === wanted) ?? 'base';
  const part = gameParts.find((one) => one === tab);
  const published = async (gameId: number) => {
    setPublishing(false);
    if (gameId !== info.gameId) await navigate(`/backstage/games/${gameId}?tab=${tab}`);
    else await revalidate();
  };
  return (
    <>
      <Head form={form} onPublish={() => setPublishing(true)} />
      <div className="panel mb-3 overflow-hidden">
        <EditorTabs form={form} tab={tab} />
      </div>
      <Notices form={form} />
      {part ? (
        <fieldset disabled={form.disabled} className="contents">
          <PartFields part={part} form={form} />
        </fieldset>
      ) : (
        <VersionsTab info={info} />
      )}
      <Foot form={form} effects={effects} />
      {publishing && (
        <PublishDialog
          form={form}
          effects={effects}
          onDone={(gameId) => void published(gameId)}
          onClose={() => setPublishing(false)}
        />
      )}
    </>
  );
}

/** A game's editor: its parts as tabs over one shared draft. A new version resets it. */
export default function GamePage() {
  const { gameId, version, state } = useLoaderData<typeof loader>();
  return <Editor key={`${gameId} ${version} ${state}`} />;
}
