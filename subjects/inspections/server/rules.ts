import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';

/** The states of an inspection; a task is open in the first four (decision 290). */
export const inspectionStates = {
  waiting: '等卖家提交账号',
  queued: '等客服验号',
  claimed: '验号中',
  review: '等同事复核',
  done: '已验完',
  closed: '已关闭',
} as const;
export type InspectionState = keyof typeof inspectionStates;

/** The states in which a task waits for staff. */
export const STAFF_STATES: readonly InspectionState[] = ['queued', 'claimed', 'review'];
/** The states in which an account has not been read. */
export const UNREAD_STATES: readonly InspectionState[] = ['waiting', 'queued', 'claimed'];
export const OPEN_STATES: readonly InspectionState[] = ['waiting', ...STAFF_STATES];

/** The actor that changes the state of a task: the seller or buyer who requested it, staff, or a timer. */
type Mover = 'seller' | 'asker' | 'staff' | 'timer';

/**
 * The whole process as one table; the database has the same table (`inspection_transition`), and a test compares them. `fee` defines what
 * happens to a re-inspection's fee.
 */
export const inspectionSteps: readonly {
  from: InspectionState;
  to: InspectionState;
  by: readonly Mover[];
  fee: 'stays' | 'back' | 'earned';
}[] = [
  { from: 'waiting', to: 'queued', by: ['seller'], fee: 'stays' },
  { from: 'waiting', to: 'closed', by: ['asker', 'timer'], fee: 'back' },
  { from: 'queued', to: 'claimed', by: ['staff'], fee: 'stays' },
  { from: 'queued', to: 'closed', by: ['asker', 'timer', 'staff'], fee: 'back' },
  { from: 'claimed', to: 'queued', by: ['staff'], fee: 'stays' },
  { from: 'claimed', to: 'review', by: ['staff'], fee: 'stays' },
  { from: 'claimed', to: 'done', by: ['staff'], fee: 'earned' },
  { from: 'claimed', to: 'closed', by: ['timer', 'staff'], fee: 'back' },
  { from: 'review', to: 'queued', by: ['staff'], fee: 'stays' },
  { from: 'review', to: 'done', by: ['staff'], fee: 'earned' },
  { from: 'review', to: 'closed', by: ['timer', 'staff'], fee: 'back' },
];

export const claimStates = { open: '等客服核对', paid: '已赔付', refused: '未通过' } as const;
export type ClaimState = keyof typeof claimStates;

export type InspectionSetting = SettingValue<'inspection'>;

const BP = 10_000;

/** The payment for a wrong reading, in fen: a share of the price, at least the minimum, at most the price (domain.md 6). */
export const wrongPaysFen = (priceFen: number, s: Pick<InspectionSetting, 'wrongBp' | 'wrongMinFen'>): number =>
  Math.min(priceFen, Math.max(s.wrongMinFen, Math.round((priceFen * s.wrongBp) / BP)));
