export { encryptedInspections } from './seal.ts';
