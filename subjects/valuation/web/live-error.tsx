import { cx } from '#web/ui/class-names.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError, messageText } from '#web/ui/forms/field.tsx';
import type { Live } from './use-live.ts';

/** A price that could not be updated or stored: shows the reason and whether it is out of date, with a retry button. */
export function LiveError({ live, className }: { live: Live; className?: string }) {
  const { errors, isStale, again } = live;
  if (!errors.send) return null;
  return (
    <div className={cx('flex items-center justify-between gap-3', className)}>
      <FormError>
        {messageText(errors.send)}
        {isStale && '。现在的价格是改动前的'}
      </FormError>
      <Button size="sm" className="flex-none" onClick={again}>
        重新估价
      </Button>
    </div>
  );
}
