import { type LoaderFunctionArgs, Link, useLoaderData } from 'react-router';
import { brandTermsDraft, staffBrandInfo } from '#subjects/distributors/contract/staff-brands.ts';
import { staffLinkPush } from '#subjects/link-push/contract/staff-link-push.ts';
import type { BrandField } from '#subjects/distributors/contract/brand-content.ts';
import { market } from '#web/lib/pages/context.ts';
import { hasErrors } from '#web/lib/forms/form-errors.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError, useMessage } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { ColourSection } from './brand/colour.tsx';
import { HostSection, TermsSection } from './brand/platform.tsx';
import { OpenSection } from './brand/open.tsx';
import { BrandPreview } from './brand/preview.tsx';
import { PushSection } from '#subjects/link-push/staff/push.tsx';
import {
  AdvertSection,
  BasicSection,
  GoodsSection,
  HomeSection,
  LicenceSection,
  MenuSection,
  ServiceSection,
} from './brand/sections.tsx';
import { type BrandForm, type BrandInfo, useBrandForm } from './brand/use-brand-form.ts';
import { VersionSection } from './brand/versions.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '品牌设置', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  const { call } = market(args);
  const distId = args.params.id ?? '';
  const [info, push] = await Promise.all([call(staffBrandInfo, { distId }), call(staffLinkPush, { distId })]);
  const terms = info.terms === null ? { draft: null } : await call(brandTermsDraft, { distId });
  return { info, push, termsDraft: terms.draft };
}

/** The sections with the fields that each holds. */
const SECTIONS: readonly (readonly [id: string, name: string, fields: readonly BrandField[]])[] = [
  ['basic', '基本资料', ['name', 'desc', 'keywords', 'welcome', 'watermark']],
  ['colour', '颜色与标识', ['hue', 'chroma', 'logo', 'icon', 'qrCode']],
  ['home', '首页与热门游戏', ['layout', 'topBar', 'hotGames']],
  ['goods', '展示的商品', ['games']],
  ['adverts', '广告位', []],
  ['menus', '菜单与页脚', ['menus', 'partners']],
  ['licences', '证照', ['icpNum', 'pubSecCase', 'busLicense', 'copyInfo', 'copyright', 'certificates']],
  ['service', '客服与统计', ['serviceNum', 'baiduTj', 'fiveoneTj', 'baiduSl', 'sllSl', 'isTechSupport']],
  ['open', '接单', []],
  ['hosts', '域名', []],
  ['push', '百度推送', []],
  ['terms', '加价与佣金', []],
  ['versions', '版本', []],
];

/** Links to the sections, with the number of changed or invalid fields. */
function SectionNav({ form, info }: { form: BrandForm; info: BrandInfo }) {
  const wrong = new Set(
    Object.keys(form.errors)
      .filter((name) => form.errors[name])
      .map((name) => name.split('.')[0]),
  );
  return (
    <nav
      aria-label="品牌设置的部分"
      className="sticky top-14 grid content-start gap-0.5 self-start text-13 max-lg:static max-lg:flex max-lg:overflow-x-auto"
    >
      {SECTIONS.filter(([id]) => id !== 'terms' || info.terms).map(([id, name, fields]) => {
        const faults = fields.filter((field) => wrong.has(field)).length;
        const changed = fields.filter((field) => form.changes.includes(field)).length;
        return (
          <a
            key={id}
            href={`#${id}`}
            className="flex flex-none items-center gap-2 rounded-control px-2.5 py-1.5 whitespace-nowrap hover:bg-hover"
          >
            {name}
            {faults > 0 ? (
              <Tag tone="danger" className="ml-auto">
                {faults} 处有误
              </Tag>
            ) : (
              changed > 0 && (
                <Tag tone="attn" className="ml-auto">
                  {changed}
                </Tag>
              )
            )}
          </a>
        );
      })}
    </nav>
  );
}

/** Reason and buttons: one saves the input as a version, the other publishes it immediately. */
function SaveBar({ form, info }: { form: BrandForm; info: BrandInfo }) {
  const { save, reason, setReason, errors, unsaved, notice } = form;
  const [reasonError, onReason] = useMessage(save.errors.reason);
  if (!info.may.edit) return null;
  return (
    <div className="panel sticky top-14 z-10 grid gap-2 px-3 py-2 max-lg:static">
      {notice && (
        <p className="rounded-control bg-attn-bg px-3 py-2 text-13 text-attn" role="status">
          {notice}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-13 text-ink-2">
          {form.changes.length === 0 ? '与线上相同' : `与线上相差 ${form.changes.length} 处`}
        </span>
        <Input
          small
          className="ml-auto w-36! max-md:w-full!"
          aria-label="改动的原因"
          aria-invalid={reasonError ? true : undefined}
          placeholder="原因，例如：周年换色"
          value={reason}
          onChange={(e) => {
            setReason(e.target.value);
            onReason();
          }}
        />
        <Button size="sm" kind="ghost" disabled={unsaved.length === 0} onClick={() => void form.discard()}>
          放弃改动
        </Button>
        <Button size="sm" busy={save.busy} disabled={unsaved.length === 0} onClick={() => void form.submit(false)}>
          存为草稿版
        </Button>
        <Button
          size="sm"
          kind="primary"
          busy={save.busy}
          disabled={unsaved.length === 0}
          onClick={() => void form.submit(true)}
        >
          发布
        </Button>
      </div>
      <FormError>
        {reasonError ?? save.error ?? (hasErrors(errors) && unsaved.length > 0 ? '有标红的地方，改好后才能保存' : null)}
      </FormError>
    </div>
  );
}

/** A brand's editor: sections, the form, and next to it a preview of the site. */
export default function AdminBrandPage() {
  const { info, push, termsDraft } = useLoaderData<typeof loader>();
  const form = useBrandForm(info);
  const { form: ref } = form.save;
  return (
    <>
      <div className="admin-head">
        <h1>{info.liveContent.name}</h1>
        <p>
          <Link to="/backstage/brands" className="hover:text-link">
            品牌
          </Link>
          {` / ${info.code}，线上第 ${info.live} 版`}
          {info.newest > info.live && `，第 ${info.newest} 版未发布`}
        </p>
        {info.suspended && <Tag tone="danger">暂停接单</Tag>}
      </div>
      <form
        ref={ref}
        noValidate
        className="grid grid-cols-[136px_minmax(0,1fr)_minmax(0,1.15fr)] gap-4 max-xl:grid-cols-[136px_minmax(0,1fr)] max-lg:grid-cols-1"
        onSubmit={(e) => e.preventDefault()}
      >
        <SectionNav form={form} info={info} />
        <div className="grid min-w-0 content-start gap-4">
          <SaveBar form={form} info={info} />
          <fieldset disabled={!info.may.edit} className="contents">
            <BasicSection form={form} />
            <ColourSection form={form} />
            <HomeSection form={form} info={info} />
            <GoodsSection form={form} info={info} />
            <AdvertSection />
            <MenuSection form={form} />
            <LicenceSection form={form} />
            <ServiceSection form={form} />
          </fieldset>
        </div>
        <div className="sticky top-14 grid min-w-0 content-start gap-4 self-start max-xl:static max-xl:col-start-2 max-lg:col-start-1">
          {info.may.edit && <BrandPreview form={form} />}
        </div>
      </form>
      <div className="mt-4 grid grid-cols-3 items-start gap-4 max-xl:grid-cols-2 max-lg:grid-cols-1">
        <OpenSection info={info} />
        <HostSection info={info} />
        <PushSection distId={info.distId} push={push} />
        <TermsSection info={info} draft={termsDraft} />
        <VersionSection info={info} form={form} />
      </div>
    </>
  );
}
