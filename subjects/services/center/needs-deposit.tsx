import { cx } from '#web/ui/class-names.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import type { Role } from './role.ts';

/** The restrictions of a role without its deposit, with a link to pay it. */
export function NeedsDeposit({
  role,
  what,
  className,
}: {
  role: Pick<Role, 'service' | 'deposit'>;
  what: string;
  className: string;
}) {
  return (
    <p
      className={cx(
        'flex flex-wrap items-center gap-3 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn',
        className,
      )}
    >
      还没有缴纳{role.service}保证金，{what}。
      <ButtonLink to={role.deposit} size="sm">
        去缴纳
      </ButtonLink>
    </p>
  );
}
