/**
 * How coin is priced: a lot of `lotUnits` units costs `lotPriceFen`; both ratios are derived from that (product.md 9,
 * domain.md 4).
 */

import { grouped } from '#contract/rules/amounts.ts';

/** A positive number with four significant figures and no exponent: 52.63, 0.019, 0.0000021, 526316. */
export function plainNumber(value: number, figures = 4): string {
  if (!Number.isFinite(value) || value <= 0) return '0';
  const whole = Math.floor(Math.log10(value)) + 1;
  const decimals = Math.min(12, Math.max(0, figures - whole));
  const text = value.toFixed(decimals);
  return decimals > 0 ? text.replace(/\.?0+$/, '') : text;
}

/** Units per yuan: '1元=52.63万金币'. `perYuan` in units. */
export function ratioText(perYuan: number, unit: string): string {
  return `1元=${plainNumber(perYuan)}${unit}`;
}

/** Price per unit: '0.019元/万金币'. `perYuan` in units. */
export function unitPriceText(perYuan: number, unit: string): string {
  return `${plainNumber(1 / perYuan)}元/${unit}`;
}

/** Units per yuan. */
export function unitsPerYuan(lotUnits: number, lotPriceFen: number): number {
  return (lotUnits * 100) / lotPriceFen;
}

/** An amount of coin as text, with separators: '5,000 万金币'. */
export function coinText(units: number, unit: string): string {
  return `${grouped(units)} ${unit}`;
}

/** Numbers of lots to offer as quick choices between a minimum and a maximum, the smallest first. */
export function lotSizeChoices(min: number, max: number): number[] {
  const wanted = [min, 5, 10, 20, 50, 100, 200, 500, 1000].filter((n) => n >= min && n <= max);
  return [...new Set(wanted)].slice(0, 6);
}
