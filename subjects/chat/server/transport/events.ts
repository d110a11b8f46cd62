/** `to`: the members concerned, so that a gateway without any of them does nothing; `left`: those of them who have just left. */
export type ChatEvent =
  | { kind: 'msg'; groupId: number; seq: number; to: string[] }
  | { kind: 'typing'; groupId: number; from: string; to: string[] }
  | { kind: 'read'; groupId: number; from: string; seq: number; to: string[] }
  | { kind: 'group'; groupId: number; to: string[]; left: string[] }
  | { kind: 'notice'; to: string[] };
