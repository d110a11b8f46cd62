import type { Context } from '#server/context.ts';
import type { EffectHandlers } from './events.ts';
import { LANES, type Lane } from './lanes.ts';
import { moveOrphans, relayOnce } from './relay.ts';
import { fillSlots, plantPeriodic } from './workers.ts';

const RELAY_IDLE_MS = 100;
const JOB_IDLE_MS = 500;
const DATABASE_AWAY_MS = 1000;
const ORPHANS_EVERY_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs relays and jobs of every lane until `stop`, which waits for running ones; waits while the database fails. */
export function startEffects(ctx: Context, effects: EffectHandlers): { stop(): Promise<void> } {
  let running = true;
  const loop = async (once: () => Promise<number>, idle: () => Promise<unknown>): Promise<void> => {
    while (running) {
      try {
        if ((await once()) === 0) await idle();
      } catch (error) {
        ctx.log.warn({ error: String(error) }, 'effects wait for the database');
        await pause(DATABASE_AWAY_MS);
      }
    }
  };
  const work = async (lane: Lane): Promise<void> => {
    const busy = new Set<Promise<void>>();
    // If every slot is taken or nothing is due, the next poll is triggered by the first job that ends, or soon.
    await loop(
      () => fillSlots(ctx, effects, lane, busy),
      () => Promise.race([pause(JOB_IDLE_MS), ...busy]),
    );
    await Promise.all(busy);
  };
  let orphansAt = 0;
  const relay = async (lane: Lane): Promise<number> => {
    if (lane === 'upkeep' && performance.now() >= orphansAt) {
      orphansAt = performance.now() + ORPHANS_EVERY_MS;
      await moveOrphans(ctx, effects);
    }
    return await relayOnce(ctx, effects, lane);
  };
  const periodic = plantPeriodic(ctx, effects).catch((error: unknown) => {
    ctx.log.warn({ error: String(error) }, 'periodic jobs are planted at the next start');
  });
  const loops = [
    periodic,
    ...LANES.map((lane) =>
      loop(
        () => relay(lane),
        () => pause(RELAY_IDLE_MS),
      ),
    ),
    ...LANES.map(work),
  ];
  return {
    async stop() {
      running = false;
      await Promise.all(loops);
    },
  };
}
