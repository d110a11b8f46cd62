/** A field of the sealed form; the same in every step that uses it. */
interface SealedFieldKind {
  label: string;
  /** Maximum length of the value, in characters. */
  max: number;
  /** Masked while typing. */
  hidden?: true;
  /** Set for a one-time code: the number of seconds during which it is readable after sealing. */
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

/** The keys of all fields, in the order of the form. */
export const sealedFieldKeys = Object.keys(sealedFields) as SealedFieldKey[];

/** The definition of a field, with all optional properties in its type. */
export const sealedFieldKind = (key: SealedFieldKey): SealedFieldKind => sealedFields[key];

/** A field as required by a step of the catalogue; `label` replaces the default one ('QQ 或微信账号'). */
export interface StepField {
  key: SealedFieldKey;
  label?: string | undefined;
  required: boolean;
}

/** The fields of a step that defines none. */
export const usualStepFields: readonly StepField[] = [
  { key: 'account', required: false },
  { key: 'password', required: false },
  { key: 'mailbox', required: false },
  { key: 'question', required: false },
  { key: 'code', required: false },
  { key: 'notes', required: false },
];

/** The label of a field in a step. */
export const stepFieldLabel = (field: StepField): string => field.label ?? sealedFieldKind(field.key).label;

/** How long an opened form may be displayed, in seconds (domain.md 9). */
export const SEALED_OPEN_SECONDS = 60;

/** The purposes of an opening; both parties see the name. */
export const openingPurposes = {
  check_login: '核对登录',
  assist: '协助交付',
  dispute: '申诉取证',
  accept: '接收账号',
  boost: '代练上号',
  bind: '换绑',
} as const;

export type OpeningPurpose = keyof typeof openingPurposes;
