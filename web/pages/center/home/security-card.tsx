import { Check, CirclePlus } from 'lucide-react';
import { Link } from 'react-router';
import { MAX_SECURITY_SCORE, securityLevel, securityLevelNames } from '#subjects/seller-levels/rules/standing.ts';
import { cx } from '#web/ui/class-names.ts';
import type { HomeData } from './home-loader.ts';
import { securityItems } from './security.ts';

const TONES = { safe: 'text-safe', good: 'text-safe', average: 'text-attn', dangerous: 'text-danger' } as const;

/** The account's security: the score, the measures in place, and those that would add a point. */
export function SecurityCard({ user }: { user: HomeData['user'] }) {
  const { securityScore: score } = user;
  const level = securityLevel(score);
  const items = securityItems(user);
  const held = items.filter((item) => item.held);
  return (
    <section className="panel p-4" aria-labelledby="security">
      <div className="flex items-baseline gap-2">
        <b className="text-28 font-bold">{score}</b>
        <span className="text-ink-3">/ {MAX_SECURITY_SCORE}</span>
        <b className={cx('font-semibold', TONES[level])}>{securityLevelNames[level]}</b>
        <h2 id="security" className="ml-auto text-12 text-ink-3">
          账户安全
        </h2>
      </div>
      <div className="mt-2 grid grid-cols-9 gap-1" aria-hidden="true">
        {Array.from({ length: MAX_SECURITY_SCORE }, (_, index) => (
          <i key={index} className={cx('h-1 rounded-full', index < score ? 'bg-safe-dot' : 'bg-line')} />
        ))}
      </div>
      <ul className="mt-3 grid gap-2 text-13">
        {held.length > 0 && (
          <li className="flex gap-2">
            <Check className="icon mt-0.5 text-safe" aria-hidden="true" />
            {held.map(({ name }) => name).join('、')}
          </li>
        )}
        {items
          .filter((item) => !item.held)
          .map(({ name, to }) => (
            <li key={name} className="flex items-center gap-2">
              <CirclePlus className="icon text-ink-3" aria-hidden="true" />
              {name}，可加 1 分
              <Link to={to} className="hit link ml-auto text-12">
                去完成
              </Link>
            </li>
          ))}
      </ul>
    </section>
  );
}
