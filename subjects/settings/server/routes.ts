import type { Binding } from '#server/binding.ts';
import { emit } from '#server/jobs/effect-writer.ts';

/** A planned version takes effect: cached responses are dropped, and listeners recompute what depended on the old value. */
export function bindSettings({ effects }: Binding): void {
  effects.timer('setting.begin', async (ctx, ref) => {
    const [key = ''] = ref.split(':');
    await emit(ctx.db, 'setting.changed', { key });
    ctx.bus.publish('conf', {});
  });
}
