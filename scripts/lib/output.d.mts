export class PlainError extends Error {}
export function main(work: () => Promise<number | undefined>): Promise<void>;
