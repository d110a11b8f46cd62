import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { staffBrandList, staffCreateBrand } from '#subjects/distributors/contract/staff-brands.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { market } from '#web/lib/pages/context.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { LogoMark } from '#web/parts/site/logo.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { AdminTable } from '#subjects/back-office/staff/parts/admin-table.tsx';
import { FormFooter } from '#subjects/back-office/staff/parts/form-footer.tsx';

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '品牌', noindex: true });
}

export async function loader(args: LoaderFunctionArgs) {
  return await market(args).call(staffBrandList, {});
}

const EMPTY = { code: '', name: '', host: '', commission: '20', reason: '' };
const FIELDS = {
  code: 'code',
  name: 'name',
  'content.name': 'name',
  host: 'host',
  commissionBp: 'commission',
  reason: 'reason',
};

/** The missing fields; the server checks whether code and host are available. */
const brandErrors = ({ name, code, commission, reason }: typeof EMPTY): FormErrors => ({
  name: [...name.trim()].length < 2 ? '请填写网站名称，至少 2 个字' : undefined,
  code: code.trim() === '' ? '请填写代码' : undefined,
  commission: /^\d{1,3}(\.\d{1,2})?$/.test(commission.trim()) ? undefined : '请填写 0 到 100 的百分数，最多两位小数',
  reason: reason.trim().length < 2 ? '请写明原因' : undefined,
});

/** A new brand: name, code, its first host, its share of the fees. Everything else is set in its editor. */
function CreateDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const [form, setForm] = useState(EMPTY);
  const {
    busy,
    errors,
    error,
    submit,
    form: ref,
  } = useMutation(staffCreateBrand, {
    fields: FIELDS,
    check: () => brandErrors(form),
    done: ({ distId }) => {
      // A full page load: the current page may not show the new host in its preview's frames.
      window.location.assign(`/backstage/brands/${distId}`);
      return true;
    },
  });
  const text = (label: string, name: keyof typeof EMPTY, help: string, required = true) => (
    <Field label={label} help={help} required={required} error={errors[name]}>
      {(control) => (
        <Input {...control} value={form[name]} onChange={(e) => setForm({ ...form, [name]: e.target.value })} />
      )}
    </Field>
  );
  const { commission, ...rest } = form;
  return (
    <Dialog
      title="新建品牌"
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          创建
        </FormFooter>
      }
    >
      <form
        ref={ref}
        id={formId}
        className="grid gap-3"
        noValidate
        onSubmit={submit(() => ({ ...rest, commissionBp: Math.round(Number(commission) * 100) }))}
      >
        {text('网站名称', 'name', '2 到 20 个字，顾客在页首和标题里看到')}
        {text('代码', 'code', '小写字母、数字和短横线，建好后不能改')}
        {text('域名', 'host', '只填域名，例如 www.example.com；也可以之后再加', false)}
        {text('佣金（占手续费的 %）', 'commission', '之后可以改，改动从指定时间起算')}
        {text('原因', 'reason', '记入操作记录')}
        <FormError>{error}</FormError>
      </form>
    </Dialog>
  );
}

/** The brands that the caller may see. */
export default function AdminBrandsPage() {
  const { list, mayCreate } = useLoaderData<typeof loader>();
  const [creating, setCreating] = useState(false);
  return (
    <>
      <div className="admin-head">
        <h1>品牌</h1>
        <p>{list.length} 个</p>
        {mayCreate && (
          <Button size="sm" kind="primary" className="ml-auto" onClick={() => setCreating(true)}>
            <Plus className="icon size-3.5" aria-hidden="true" />
            新建品牌
          </Button>
        )}
      </div>
      <section className="panel overflow-hidden" aria-label="品牌">
        <AdminTable columns={['品牌', '域名', '线上版本', '状态', { num: '操作' }]}>
          {list.map((brand) => (
            <tr key={brand.distId}>
              <td data-wide="">
                <span
                  data-brand=""
                  className="flex items-center gap-2.5"
                  style={{ '--brand-h': brand.hue, '--brand-k': brand.chroma }}
                >
                  <LogoMark src={brand.icon || undefined} size={28} />
                  <span>
                    <Link to={`/backstage/brands/${brand.distId}`} className="font-medium hover:text-link">
                      {brand.name}
                    </Link>
                    <span className="block text-12 text-ink-3">{brand.code}</span>
                  </span>
                </span>
              </td>
              <td>{brand.hosts.length === 0 ? <Tag tone="attn">还没有域名</Tag> : brand.hosts.join('、')}</td>
              <td className="whitespace-nowrap">
                第 {brand.live} 版
                <span className="block text-12 text-ink-3">
                  {brand.publishTime ? `${brand.publishedBy ?? '系统'} ${fullAt(brand.publishTime)}` : '安装时的设置'}
                </span>
              </td>
              <td>
                {brand.isSuspended && (
                  <Tag tone="danger" className="mr-1">
                    暂停接单
                  </Tag>
                )}
                {brand.newest > brand.live ? (
                  <Tag tone="attn">第 {brand.newest} 版未发布</Tag>
                ) : (
                  <Tag tone="safe">已发布</Tag>
                )}
              </td>
              <td className="num">
                <Link to={`/backstage/brands/${brand.distId}`} className="text-link">
                  设置
                </Link>
              </td>
            </tr>
          ))}
        </AdminTable>
      </section>
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  );
}
