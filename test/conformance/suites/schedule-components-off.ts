import { scheduleSuite } from './schedule.ts';

export default scheduleSuite({ MultiplePodTemplatesScheduling: false });
