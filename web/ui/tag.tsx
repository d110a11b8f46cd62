import type { ReactNode } from 'react';
import { cx } from './class-names.ts';

const NAMES: Readonly<Record<number, [name: string, look: string]>> = {
  1: ['账号', 'account'],
  2: ['游戏币', 'coin'],
  8: ['首充号', 'first'],
  22: ['元宝', 'coin'],
  27: ['道具', 'item'],
  50: ['寄售账号', 'consign'],
  51: ['中介担保', 'consign'],
  52: ['回收', 'first'],
  53: ['极速金币', 'coin'],
  60: ['代练', 'service'],
  61: ['陪玩', 'service'],
};

/** Name of a goods or order type (domain.md 1); `fallback` when the number is not known. */
export function typeName(typeId: number, fallback = '其他'): string {
  return NAMES[typeId]?.[0] ?? fallback;
}

/** The tag of a goods or order type: its colour is the same for every distributor. */
export function TypeTag({
  typeId,
  name,
  className,
}: {
  typeId: number;
  name?: string | undefined;
  className?: string;
}) {
  const [known, look] = NAMES[typeId] ?? ['其他', ''];
  return <span className={cx('tag', look && `tag-${look}`, className)}>{name || known}</span>;
}

/** A small word on a ground: green is only 'safe', amber 'attention', red 'danger'. */
export function Tag({
  tone,
  children,
  className,
}: {
  tone?: 'safe' | 'attn' | 'danger';
  children: ReactNode;
  className?: string;
}) {
  return <span className={cx('tag', tone && `tag-${tone}`, className)}>{children}</span>;
}

/** An attribute of goods: name and value. */
export function Chip({ name, children, tint = false }: { name?: ReactNode; children?: ReactNode; tint?: boolean }) {
  return (
    <span className={cx('chip', tint && 'chip-tint')}>
      {name}
      {children !== undefined && <b>{children}</b>}
    </span>
  );
}
