import { Plus } from 'lucide-react';
import { type BrandContent, MAX_LAYOUT } from '#subjects/distributors/contract/brand-content.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Input, Select, Textarea } from '#web/ui/forms/input.tsx';
import { PageLink } from '#subjects/back-office/staff/parts/page-link.tsx';
import { PictureField } from '#subjects/back-office/staff/parts/picture-field.tsx';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';
import { RowButtons } from '#subjects/back-office/staff/parts/form/row-buttons.tsx';
import { GameList, LinkList } from './parts.tsx';
import type { BrandForm, BrandInfo } from './use-brand-form.ts';

type TextField = {
  [K in keyof BrandContent]: BrandContent[K] extends string ? K : never;
}[keyof BrandContent];

/** Fields of one line, each with its name, label and help. */
function Texts({ form, fields }: { form: BrandForm; fields: readonly (readonly [TextField, string, string])[] }) {
  return fields.map(([name, label, help]) => (
    <Field key={name} label={label} help={help} error={form.errors[name]} required={name === 'name'}>
      {(control) => {
        const shared = {
          ...control,
          value: form.content[name],
          onChange: (e: { target: { value: string } }) => form.change({ [name]: e.target.value }),
        };
        return name === 'desc' || name === 'copyInfo' ? <Textarea {...shared} rows={2} /> : <Input {...shared} />;
      }}
    </Field>
  ));
}

export function BasicSection({ form }: { form: BrandForm }) {
  return (
    <Section id="basic" title="基本资料">
      <Texts
        form={form}
        fields={[
          ['name', '网站名称', '页首、标题和消息里的名字'],
          ['desc', '网站简介', '搜索引擎和分享时显示'],
          ['keywords', '关键词', '用逗号隔开，给搜索引擎'],
          ['welcome', '欢迎词', '顶部条左侧的一句话'],
          ['watermark', '水印', '印在本站图片上的字'],
        ]}
      />
    </Section>
  );
}

export function HomeSection({ form, info }: { form: BrandForm; info: BrandInfo }) {
  const { content, errors, change } = form;
  return (
    <Section id="home" title="首页与热门游戏">
      <div className="grid grid-cols-2 gap-3">
        <Field label="首页布局" error={errors.layout} required>
          {(control) => (
            <Select {...control} value={content.layout} onChange={(e) => change({ layout: Number(e.target.value) })}>
              {Array.from({ length: MAX_LAYOUT }, (_, n) => (
                <option key={n} value={n + 1}>
                  布局 {n + 1}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="顶部条" error={errors.topBar} required>
          {(control) => (
            <Select {...control} value={content.topBar} onChange={(e) => change({ topBar: Number(e.target.value) })}>
              <option value={1}>问候与快捷入口</option>
              <option value={2}>买家、卖家菜单</option>
            </Select>
          )}
        </Field>
      </div>
      <GameList
        label="热门游戏"
        help="排在首页最前，前 5 个也是热搜；不选就按平台的排序"
        isOrdered
        value={content.hotGames}
        games={info.games.filter(({ gameId }) => content.games?.includes(gameId) ?? true)}
        error={errors.hotGames ?? Object.entries(errors).find(([name]) => name.startsWith('hotGames.'))?.[1]}
        onChange={(hotGames) => change({ hotGames })}
      />
    </Section>
  );
}

export function GoodsSection({ form, info }: { form: BrandForm; info: BrandInfo }) {
  const { content, errors, change } = form;
  return (
    <Section id="goods" title="展示的商品" note="只列出所选游戏的商品，其余的搜不到也买不到">
      <Checkbox
        checked={content.games === null}
        onChange={(e) => change({ games: e.target.checked ? null : [...content.hotGames] })}
      >
        全部游戏
      </Checkbox>
      {content.games && (
        <GameList
          label="展示的游戏"
          help={`共 ${content.games.length} 个`}
          value={content.games}
          games={info.games}
          error={errors.games}
          onChange={(games) => change({ games })}
        />
      )}
    </Section>
  );
}

export function AdvertSection() {
  return (
    <Section id="adverts" title="广告位" note="首页横幅、首页公告栏、列表页顶部、商品页侧边，电脑与手机分开">
      <p className="text-13 text-ink-2">
        广告由一人提交、另一人复核后立刻展示，不随品牌的版本走。
        <PageLink to="/backstage/adverts" className="ml-2">
          管理广告
        </PageLink>
      </p>
    </Section>
  );
}

export function MenuSection({ form }: { form: BrandForm }) {
  const { content, errors, change } = form;
  return (
    <Section id="menus" title="菜单与页脚">
      <LinkList
        label="页脚菜单"
        name="menus"
        help="一个也不填时用平台默认的十项"
        value={content.menus}
        errors={errors}
        onChange={(menus) => change({ menus })}
      />
      <LinkList
        label="友情链接"
        name="partners"
        help="站外地址会先经过提示页"
        value={content.partners}
        errors={errors}
        onChange={(partners) => change({ partners })}
      />
    </Section>
  );
}

type Certificate = BrandContent['certificates'][number];

export function LicenceSection({ form }: { form: BrandForm }) {
  const { content, errors, change } = form;
  const list = content.certificates;
  const set = (index: number, part: Partial<Certificate>) =>
    change({ certificates: list.map((item, n) => (n === index ? { ...item, ...part } : item)) });
  return (
    <Section id="licences" title="证照">
      <Texts
        form={form}
        fields={[
          ['icpNum', 'ICP 备案号', '链接到工信部备案网站'],
          ['pubSecCase', '公安备案号', '链接到公安备案网站'],
          ['busLicense', '网络文化经营许可证', ''],
          ['copyInfo', '版权说明', ''],
          ['copyright', '版权所有', ''],
        ]}
      />
      <fieldset className="grid gap-3">
        <legend className="mb-1 text-13 font-medium">资质证书图片，最多 9 张</legend>
        {list.map((item, index) => (
          <div key={index} className="grid gap-2 rounded-control border border-line p-3">
            <PictureField
              label={`证书 ${index + 1}`}
              url={item.url}
              error={errors[`certificates.${index}.url`]}
              onChange={(url) => set(index, { url })}
            />
            <div className="flex items-start gap-2">
              <span className="min-w-0 flex-1">
                <Input
                  small
                  aria-label={`证书 ${index + 1} 的链接`}
                  aria-invalid={errors[`certificates.${index}.htUrl`] ? true : undefined}
                  value={item.htUrl}
                  onChange={(e) => set(index, { htUrl: e.target.value })}
                />
                <FormError>{errors[`certificates.${index}.htUrl`]}</FormError>
              </span>
              <Select
                small
                className="w-28! flex-none"
                aria-label={`证书 ${index + 1} 的打开方式`}
                value={item.tarAtt}
                onChange={(e) => set(index, { tarAtt: e.target.value === '_blank' ? '_blank' : '_self' })}
              >
                <option value="_self">本页打开</option>
                <option value="_blank">新页打开</option>
              </Select>
              <RowButtons
                list={list}
                index={index}
                name={`证书 ${index + 1}`}
                onChange={(certificates) => change({ certificates })}
              />
            </div>
          </div>
        ))}
        <FormError>{errors.certificates}</FormError>
        <div>
          <Button
            size="sm"
            disabled={list.length >= 9}
            onClick={() => change({ certificates: [...list, { url: '', htUrl: '/kfyz', tarAtt: '_self' }] })}
          >
            <Plus className="icon size-3.5" aria-hidden="true" />
            加一张
          </Button>
        </div>
      </fieldset>
    </Section>
  );
}

export function ServiceSection({ form }: { form: BrandForm }) {
  return (
    <Section id="service" title="客服与统计">
      <Texts
        form={form}
        fields={[
          ['serviceNum', '客服号码', '悬浮菜单「联系客服」里显示'],
          ['baiduTj', '百度统计编号', 'hm.js? 后的 32 位字符；不接受整段代码'],
          ['fiveoneTj', '51.la 编号', ''],
          ['baiduSl', '百度验证码', '网站所有权验证，只填 content 里的字符'],
          ['sllSl', '360 验证码', ''],
        ]}
      />
      <Checkbox checked={form.content.isTechSupport} onChange={(e) => form.change({ isTechSupport: e.target.checked })}>
        页脚显示「技术支持：游市交易系统」
      </Checkbox>
    </Section>
  );
}
