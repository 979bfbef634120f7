import { giveUp } from './jest-infrastructure.ts';

export default giveUp;
