import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { setupGames, setupGoOn, setupHost, type setupInfo, setupName } from '#subjects/back-office/contract/setup.ts';
import type { Data } from '#contract/endpoint.ts';
import { isLocalHost } from '#subjects/back-office/rules/local-host.ts';
import { call } from '#web/lib/api/api.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError, useMessage } from '#web/ui/forms/field.tsx';
import { Checkbox, withChoice } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

export type Setup = Data<typeof setupInfo>;
type StepProps = { setup: Setup; onNext: () => void };

/** The platform's name and the texts next to it on every page. */
export function NameStep({ setup: { platform }, onNext }: StepProps) {
  const { form, errors, busy, submit } = useMutation(
    (element: HTMLFormElement, options) =>
      call(
        setupName,
        {
          name: typed(element, 'name'),
          desc: typed(element, 'desc'),
          serviceNum: typed(element, 'serviceNum'),
          icpNum: typed(element, 'icpNum'),
        },
        options,
      ),
    {
      fields: ['name', 'desc', 'serviceNum', 'icpNum'],
      check: (element) => ({ name: typed(element, 'name').trim() ? undefined : '请输入网站名称' }),
      done: onNext,
    },
  );
  return (
    <form ref={form} method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
      <p className="text-13 text-ink-2">名称出现在网站的标题、页头和通知里。标识、颜色和其他内容之后在品牌页里改。</p>
      <TextField label="网站名称" name="name" maxLength={20} defaultValue={platform.name} error={errors.name} />
      <TextField
        label="网站简介"
        name="desc"
        maxLength={160}
        isOptional
        defaultValue={platform.desc}
        error={errors.desc}
        help="搜索引擎和分享卡片里显示"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="客服号码"
          name="serviceNum"
          maxLength={40}
          isOptional
          defaultValue={platform.serviceNum}
          error={errors.serviceNum}
        />
        <TextField
          label="ICP 备案号"
          name="icpNum"
          maxLength={40}
          isOptional
          defaultValue={platform.icpNum}
          error={errors.icpNum}
        />
      </div>
      <FormError>{errors.send}</FormError>
      <Footer>
        <Button type="submit" kind="primary" busy={busy}>
          保存并继续
        </Button>
      </Footer>
    </form>
  );
}

/** The hosts of the platform. */
export function HostsStep({ setup: { platform, siteUrl }, onNext }: StepProps) {
  const { revalidate } = useRevalidator();
  const { form, errors, busy, submit } = useMutation(
    (element: HTMLFormElement, options) => call(setupHost, { host: typed(element, 'host') }, options),
    {
      fields: ['host'],
      check: (element) => ({ host: typed(element, 'host').trim() ? undefined : '请填写域名' }),
      done: ({ host }) => {
        toast(`已添加 ${host}`, 'ok');
        form.current?.reset();
        void revalidate();
      },
    },
  );
  const isLocal = isLocalHost(new URL(siteUrl).hostname);
  return (
    <div className="grid gap-4">
      <p className="text-13 text-ink-2">
        用户在浏览器里输入的域名，先在域名服务商处解析到这台服务器。通知里的链接指向 {siteUrl}（SITE_URL）。
      </p>
      {platform.hosts.length > 0 && (
        <ul className="grid gap-1.5 text-13" aria-label="平台的域名">
          {platform.hosts.map(({ host, isPrimary }) => (
            <li key={host} className="flex items-center gap-2">
              <span className="break-all">{host}</span>
              {isPrimary && <Tag>主域名</Tag>}
            </li>
          ))}
        </ul>
      )}
      <form
        ref={form}
        method="post"
        noValidate
        className="flex flex-wrap items-start gap-3 *:first:grow"
        onSubmit={submit((element) => element)}
      >
        <TextField
          label="域名"
          name="host"
          maxLength={300}
          placeholder="www.example.com"
          defaultValue={platform.hosts.length === 0 && !isLocal ? new URL(siteUrl).hostname : ''}
          error={errors.host}
          help={isLocal ? '不带 https:// 和端口；只在这台机器上试用时不用填' : '不带 https:// 和端口'}
        />
        <Button type="submit" busy={busy} className="mt-6">
          添加域名
        </Button>
      </form>
      <FormError>{errors.send}</FormError>
      <GoOn step="hosts" label={platform.hosts.length > 0 ? '继续' : '以后再说'} onNext={onNext} />
    </div>
  );
}

/** Loads games of the shipped catalogue; others are created in the back office. */
export function GamesStep({ setup: { games }, onNext }: StepProps) {
  const fresh = games.filter(({ isLoaded }) => !isLoaded).map(({ code }) => code);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { busy, errors, submit } = useMutation(
    (_: HTMLFormElement, options) => call(setupGames, { codes: [...chosen] }, options),
    {
      fields: ['codes'],
      check: () => ({ codes: chosen.length === 0 ? '请至少选择一个游戏，或以后再说' : undefined }),
      done: ({ loaded }) => {
        toast(`已导入 ${loaded} 个游戏`, 'ok');
        onNext();
      },
    },
  );
  const [message, onEdit] = useMessage(errors.codes);
  const choose = (codes: readonly string[]) => {
    setChosen(codes);
    onEdit();
  };
  return (
    <form method="post" noValidate className="grid gap-4" onSubmit={submit((element) => element)}>
      <p className="text-13 text-ink-2">
        自带目录里有 {games.length}{' '}
        个游戏，连同区服、筛选项、发布表单和交付步骤。请选择您要经营的；没有的游戏之后在游戏页新建或导入。
      </p>
      <p className="flex gap-3 text-13">
        <button type="button" className="link" onClick={() => choose(fresh)}>
          全选
        </button>
        <button type="button" className="link" onClick={() => choose([])}>
          全不选
        </button>
        <span className="text-ink-3">已选 {chosen.length} 个</span>
      </p>
      <fieldset className="grid grid-cols-1 gap-x-4 gap-y-2 sm:grid-cols-2">
        <legend className="sr-only">游戏</legend>
        {games.map(({ code, name, areas, servers, isLoaded }) => (
          <Checkbox
            key={code}
            name="codes"
            value={code}
            checked={isLoaded || chosen.includes(code)}
            disabled={isLoaded}
            onChange={(event) => choose(withChoice(chosen, code, event.target.checked))}
          >
            {name}
            <span className="ml-1.5 text-12 text-ink-3">
              {isLoaded ? '已导入' : `${areas} 个大区，${servers} 个服`}
            </span>
          </Checkbox>
        ))}
      </fieldset>
      <FormError>{message}</FormError>
      <FormError>{errors.send}</FormError>
      <Footer>
        <GoOn step="games" label={fresh.length < games.length ? '继续' : '以后再说'} onNext={onNext} isPlain />
        {fresh.length > 0 && (
          <Button type="submit" kind="primary" busy={busy}>
            导入所选游戏
          </Button>
        )}
      </Footer>
    </form>
  );
}

/** The buttons at the end of a step. */
function Footer({ children }: { children: React.ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 border-t border-line-soft pt-4">{children}</div>;
}

/** Continues without input: the step is done, or skipped for later. */
export function GoOn({
  step,
  label,
  onNext,
  isPlain = false,
}: {
  step: 'hosts' | 'games' | 'vendors' | 'finish';
  label: string;
  onNext: () => void;
  isPlain?: boolean;
}) {
  const { busy, error, send } = useMutation(setupGoOn, { done: onNext });
  const button = (
    <Button kind={isPlain ? 'plain' : 'primary'} busy={busy} onClick={() => void send({ step })}>
      {label}
    </Button>
  );
  return isPlain ? (
    button
  ) : (
    <>
      <FormError>{error}</FormError>
      <Footer>{button}</Footer>
    </>
  );
}
