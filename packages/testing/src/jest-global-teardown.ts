import { stopInfrastructure } from './jest-infrastructure.ts';

export default stopInfrastructure;
