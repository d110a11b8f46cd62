/** One field of the sealed form, as every step that has it shows it. */
interface SealedFieldKind {
  label: string;
  /** Longest value, in characters. */
  max: number;
  /** Shown as dots while it is typed. */
  hidden?: true;
  /** A one-time code: it can be read for so many seconds after it was sealed. */
  seconds?: number;
}

/** The fields of the sealed form of a hand-over (domain.md 2). */
export const sealedFields = {
  account: { label: '账号', max: 100 },
  password: { label: '密码', max: 100, hidden: true },
  mailbox: { label: '密保邮箱', max: 100 },
  mailboxPassword: { label: '邮箱密码', max: 100, hidden: true },
  question: { label: '密保问题与答案', max: 200 },
  code: { label: '一次性验证码', max: 20, seconds: 600 },
  notes: { label: '备注', max: 300 },
} as const satisfies Record<string, SealedFieldKind>;

export type SealedFieldKey = keyof typeof sealedFields;

/** Every field's key, in the order of the form. */
export const sealedFieldKeys = Object.keys(sealedFields) as SealedFieldKey[];

/** The kind of a field, in its general shape. */
export const sealedFieldKind = (key: SealedFieldKey): SealedFieldKind => sealedFields[key];

/** A field as a step of the catalogue asks for it; `label` replaces the usual one ('QQ 或微信账号'). */
export interface StepField {
  key: SealedFieldKey;
  label?: string | undefined;
  required: boolean;
}

/** What a step asks for that names no fields of its own. */
export const usualStepFields: readonly StepField[] = [
  { key: 'account', required: false },
  { key: 'password', required: false },
  { key: 'mailbox', required: false },
  { key: 'question', required: false },
  { key: 'code', required: false },
  { key: 'notes', required: false },
];

/** What a field is called in a step. */
export const stepFieldLabel = (field: StepField): string => field.label ?? sealedFieldKind(field.key).label;

/** How long an opened form may be shown, in seconds (domain.md 9). */
export const SEALED_OPEN_SECONDS = 60;

/** What an opening is for; each is told to both parties by its name. */
export const openingPurposes = {
  check_login: '核对登录',
  assist: '协助交付',
  dispute: '申诉取证',
  accept: '接收账号',
  boost: '代练上号',
} as const;

export type OpeningPurpose = keyof typeof openingPurposes;
