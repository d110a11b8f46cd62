import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import {
  brandColour,
  type BrandToken,
  contrastsOf,
  greatestChroma,
  hexOf,
  hueDistances,
  MIN_HUE_DISTANCE,
  MAX_CHROMA,
  oklchOf,
} from '../../rules/colour.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { PictureField } from '#subjects/back-office/staff/parts/picture-field.tsx';
import { Section } from '#subjects/back-office/staff/parts/form/section.tsx';
import type { BrandForm } from './use-brand-form.ts';

const SCALE = [25, 50, 100, 200, 300, 500, 600, 700, 800, 900] as const;

/** A number input: a slider with a field next to it. */
function Slider({
  label,
  value,
  max,
  step,
  error,
  help,
  onChange,
}: {
  label: string;
  value: number;
  max: number;
  step: number;
  error: Message | undefined;
  help?: string;
  onChange: (value: number) => void;
}) {
  return (
    <Field label={label} error={error} help={help} required>
      {(control) => (
        <span className="flex items-center gap-3">
          <input
            type="range"
            aria-label={`${label}滑块`}
            min={0}
            max={max}
            step={step}
            value={value}
            className="min-w-0 flex-1 accent-brand-600"
            onChange={(e) => onChange(Number(e.target.value))}
          />
          <Input
            {...control}
            small
            type="number"
            min={0}
            max={max}
            step={step}
            value={value}
            className="w-20! flex-none"
            onChange={(e) => onChange(Number(e.target.value))}
          />
        </span>
      )}
    </Field>
  );
}

/** The brand colour by hue and strength or by a colour value, with the contrast of every pair, and the pictures of the brand. */
export function ColourSection({ form }: { form: BrandForm }) {
  const { content, errors, change } = form;
  const colour = { hue: content.hue, chroma: content.chroma };
  const [hex, setHex] = useState('');
  const most = greatestChroma(content.hue);
  const distances = hueDistances(content.hue);
  const takeHex = (value: string) => {
    setHex(value);
    const found = oklchOf(value);
    if (found)
      change({ hue: Math.round(found.h) % 360, chroma: Math.min(2, Math.round((found.c / 0.08) * 100) / 100) });
  };
  return (
    <Section id="colour" title="颜色与标识" note="只改品牌色，价格、安全、提醒的颜色全平台一致">
      <Slider
        label="色相"
        value={content.hue}
        max={359}
        step={1}
        error={errors.hue}
        onChange={(hue) => change({ hue })}
      />
      <Slider
        label="浓度"
        value={content.chroma}
        max={MAX_CHROMA}
        step={0.01}
        error={errors.chroma}
        {...(content.chroma > most && { help: `屏幕最多显示到 ${most}，再高看起来一样` })}
        onChange={(chroma) => change({ chroma })}
      />
      <Field label="按色值" help="填 #1f4f6b 这样的颜色，换算成色相和浓度">
        {(control) => (
          <Input
            {...control}
            small
            className="w-36!"
            value={hex}
            maxLength={7}
            onChange={(e) => takeHex(e.target.value)}
          />
        )}
      </Field>
      <ul className="grid grid-cols-10 overflow-hidden rounded-control text-11" aria-label="色阶">
        {SCALE.map((n) => (
          <li
            key={n}
            className="grid h-8 place-items-center"
            style={{
              background: hexOf(brandColour(colour, `brand-${n}` as BrandToken, 'light')),
              color: n > 500 ? '#fff' : '#000',
            }}
          >
            {n}
          </li>
        ))}
      </ul>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1.5 text-13 max-md:grid-cols-1" aria-label="对比度">
        {contrastsOf(colour).map(({ name, fore, back, ratio, least, grade }) => (
          <li key={name} className="flex items-center gap-2">
            <span
              className="flex-none rounded-tag border border-line px-1.5 text-20 leading-7 font-bold"
              style={{ color: fore, background: back }}
              aria-hidden="true"
            >
              字
            </span>
            <span className="truncate">{name}</span>
            <b className="ml-auto font-semibold">{ratio.toFixed(1)}</b>
            <Tag tone={grade === '' ? 'danger' : 'safe'}>{grade || `不足 ${least}`}</Tag>
          </li>
        ))}
      </ul>
      <p
        className={`flex items-start gap-2 rounded-control px-3 py-2 text-13 ${errors.hue ? 'bg-danger-bg text-danger' : 'bg-safe-bg text-safe'}`}
      >
        {errors.hue ? (
          <TriangleAlert className="icon mt-0.5 size-3.5" aria-hidden="true" />
        ) : (
          <Check className="icon mt-0.5 size-3.5" aria-hidden="true" />
        )}
        <span>
          与{distances.map(({ name, degrees }) => `${name}相差 ${degrees}°`).join('、')}。相差不足 {MIN_HUE_DISTANCE}°
          不能发布。
        </span>
      </p>
      <PictureField
        label="标识"
        help="高至少 40，宽为高的 1 到 5 倍；PNG 或 JPG"
        url={content.logo}
        error={errors.logo}
        onChange={(logo) => change({ logo })}
      />
      <PictureField
        label="图标"
        help="正方形，至少 64 × 64，显示在浏览器标签上"
        url={content.icon}
        error={errors.icon}
        shape="square"
        onChange={(icon) => change({ icon })}
      />
      <PictureField
        label="二维码"
        help="顶部「APP下载」里的码；不传就用本站手机页的码"
        url={content.qrCode}
        error={errors.qrCode}
        shape="square"
        onChange={(qrCode) => change({ qrCode })}
      />
    </Section>
  );
}
